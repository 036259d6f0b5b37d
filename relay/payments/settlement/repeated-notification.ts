import type { OrderRecord } from '../../../shared/gateway/query.ts';
import { type Attempt, wasSent } from '../attempt.ts';
import type { StoredOrder } from '../order.ts';
import { type BookRecord, type Meaning, mayBeOf } from './records.ts';

const HOUR_MS = 3_600_000;

/**
 * The names in a notification: its fields, the order_nos and transaction_ids among them, and whether it names a refund.
 */
type NotificationNames = { fields: object; orders: readonly string[]; trades: readonly string[]; refund?: true };

/** The transaction_ids of the order's own payments and attempts. */
export function ownTransactions({ attempts, payments }: StoredOrder): Set<string> {
  return new Set([...attempts, ...payments].flatMap(({ transaction_id }) => transaction_id ?? []));
}

/**
 * Whether the shop already knows the content of a notification: it names only payments of this order, and the query
 * shows for each the outcome that was reported within the last hour, or the status that an event reported.
 * @param records the records of that query
 */
export function repeatsOutcome(
  order: StoredOrder,
  sessionId: string,
  { fields, orders, trades, refund }: NotificationNames,
  records: readonly BookRecord[],
  receivedAt: string,
): boolean {
  const own = ownTransactions(order);
  if (refund || orders.some((name) => name !== order.order_no)) return false;
  const [first] = order.attempts.filter(wasSent);
  const isNews = (record: BookRecord): boolean =>
    record.transaction_id !== undefined && !own.has(record.transaction_id) && (!first || mayBeOf(record, first));
  if (records.some(isNews)) return false;
  const latest = order.attempts.findLast(({ session_id }) => session_id === sessionId)?.transaction_id;
  const meant = trades.length > 0 ? trades : [latest];
  return meant.every((id) => {
    const attempt = order.attempts.find(({ transaction_id }) => transaction_id !== undefined && transaction_id === id);
    const outcome = attempt ? outcomeOf(attempt) : undefined;
    const record = records.find(({ transaction_id }) => transaction_id === id);
    if (isReportedByPayment(order, record)) return true;
    if (!outcome || Date.parse(receivedAt) - Date.parse(outcome.since) > HOUR_MS) return false;
    // A notification without fields repeats the outcome if the gateway lists no record of the payment.
    return record ? record.meaning === outcome.meaning : Object.keys(fields).length === 0;
  });
}

/**
 * Whether an event reported the status of this record: the payment is held, reversed, or changed in the gateway's
 * portal.
 */
function isReportedByPayment({ payments }: StoredOrder, record: BookRecord | undefined): boolean {
  return payments.some(
    ({ transaction_id, told, record: known }) =>
      told !== undefined &&
      transaction_id === record?.transaction_id &&
      known?.payment_status === record.payment_status,
  );
}

/**
 * Whether the shop already knows a notification that names only later charges of the order's contracts: events reported
 * the charges that queries show. If it names only order numbers, the event was written at most an hour before the
 * notification arrived.
 * @param charged the other orders that these charges paid
 * @param records the records of queries about the names in the notification
 */
export function repeatsCharges(
  order: StoredOrder,
  charged: readonly StoredOrder[],
  { orders, trades, refund }: NotificationNames,
  records: readonly OrderRecord[],
  receivedAt: string,
): boolean {
  const { charges = [] } = order;
  const isOfContract = (name: string): boolean =>
    name === order.order_no || charges.some(({ order_no }) => order_no === name);
  if (refund || !orders.every(isOfContract)) return false;
  if (trades.length === 0) {
    const since = Date.parse(receivedAt) - HOUR_MS;
    return charges.some((one) => orders.includes(one.order_no) && Date.parse(one.told_at) >= since);
  }
  const payments = [order, ...charged].flatMap((one) => one.payments);
  return trades.every((id) => {
    const charge = charges.find(({ transaction_id }) => transaction_id === id);
    const code = records.find(({ transaction_id }) => transaction_id === id)?.payment_status;
    if (!charge || code === undefined || code === null) return false;
    if (charge.failed) return charge.failed.code === code;
    return payments.some(({ transaction_id, record }) => transaction_id === id && record?.payment_status === code);
  });
}

/** The reported outcome of an attempt, and its time; undefined if none was reported. */
function outcomeOf({
  state,
  started_at,
  settled_at = started_at,
}: Attempt): { meaning: Meaning; since: string } | undefined {
  switch (state.status) {
    case 'approved':
      return { meaning: 'approved', since: settled_at };
    case 'declined':
      return { meaning: 'declined', since: settled_at };
    case 'pending':
      return { meaning: 'pending', since: state.since };
    case 'in_flight':
    case 'redirected':
    case 'unknown':
    case 'not_paid':
    case 'refused':
    case 'not_sent':
      return undefined;
  }
}
