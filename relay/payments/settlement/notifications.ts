import type { OrderRecord } from '../../../shared/gateway/query.ts';
import { type Attempt, isWatchedAt, wasSent } from '../attempt.ts';
import type { OrderQuery, StoredOrder } from '../order.ts';
import { type Decision, withAttempt, withOrder } from '../transitions.ts';
import { type BookRecord, type Meaning, mayBeOf } from './records.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The delays of the repeated queries after the first counted query that follows a notification: the gateway may notify before its
 * records show the change.
 */
const REPEATS_MS = [5 * SECOND_MS, MINUTE_MS, 10 * MINUTE_MS, HOUR_MS] as const;

const LAST_MS = Math.max(...REPEATS_MS);

/** The time of the next repetition of a query that was first made at `since`, in milliseconds; undefined after the last one. */
export function repeatAfter(since: number, now: number): number | undefined {
  return REPEATS_MS.map((ms) => since + ms).find((moment) => moment > now);
}

/**
 * Rule 5. Applies a counted query to the notifications of the order. The query follows the notifications that came before it began. It
 * is repeated until a query changes what is known of the order, or the last repetition was made; only once, an hour later, if it
 * showed the payments of a paid order. Attempts that ended unpaid before are watched from now on, even if another one paid the order.
 * @param before the order as the query found it
 * @param records what the query showed
 */
export function followNotifications(
  before: StoredOrder,
  decision: Decision,
  { notices, begun }: Extract<OrderQuery, { counted: true }>,
  records: readonly BookRecord[],
): Decision {
  const isFirst = notices > before.noticed;
  const { repeats, ...order } = decision.order;
  const begunAt = Date.parse(begun.at);
  const from = isFirst ? begunAt : repeats && Date.parse(repeats.since);
  if (from === undefined) return decision;
  // The clock may have been set back since then.
  const since = Math.min(from, begunAt);
  const next = isShownPaid(order, records) ? since + LAST_MS : repeatAfter(since, begunAt);
  const isOver = next === undefined || next <= begunAt || factsOf(before) !== factsOf(order);
  const followed = withOrder(
    { ...decision, order },
    {
      noticed: Math.max(before.noticed, notices),
      ...(isOver ? {} : { repeats: { since: iso(since), next_at: iso(next) } }),
    },
  );
  return isFirst ? watchEnded(followed, new Date(begunAt)) : followed;
}

/** True for a paid order whose every known payment is approved in these records. */
function isShownPaid({ payments }: Pick<StoredOrder, 'payments'>, records: readonly BookRecord[]): boolean {
  const isShown = (id: string): boolean =>
    records.some(({ meaning, transaction_id }) => meaning === 'approved' && transaction_id === id);
  return payments.length > 0 && payments.every(({ transaction_id }) => isShown(transaction_id));
}

/** What records can change of an order, as a text to compare. */
function factsOf({ attempts, payments, charges, undecided }: Omit<StoredOrder, 'repeats'>): string {
  const states = attempts.map(({ state }) => state.status);
  const paid = payments.map(({ transaction_id, told }) => [transaction_id, told]);
  return JSON.stringify([states, paid, charges, undecided?.records]);
}

/** A notification names no attempt: every attempt that ended unpaid may be charged after all. */
function watchEnded(before: Decision, begunAt: Date): Decision {
  const isEnded = ({ state }: Attempt): boolean =>
    state.status === 'declined' || state.status === 'not_paid' || state.status === 'refused';
  return before.order.attempts
    .filter((attempt) => isEnded(attempt) && !isWatchedAt(attempt, begunAt))
    .reduce((done, attempt) => withAttempt(done, { ...attempt, notified_at: iso(begunAt.getTime()) }), before);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** What a notification says: its fields, the order_nos and transaction_ids among them, and whether it names a refund. */
type Said = { fields: object; orders: readonly string[]; trades: readonly string[]; refund?: true };

/** The transaction_ids of the order's own payments and attempts. */
export function ownTransactions({ attempts, payments }: StoredOrder): Set<string> {
  return new Set([...attempts, ...payments].flatMap(({ transaction_id }) => transaction_id ?? []));
}

/**
 * Whether the shop already knows a notification. It names only payments of this order, and for each the query shows the outcome that
 * was reported within an hour, or the status of an event.
 * @param records what that query showed
 */
export function repeatsOutcome(
  order: StoredOrder,
  sessionId: string,
  { fields, orders, trades, refund }: Said,
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
    if (isToldByPayment(order, record)) return true;
    if (!outcome || Date.parse(receivedAt) - Date.parse(outcome.since) > HOUR_MS) return false;
    // A notification without fields repeats the outcome while the gateway lists no record of the payment.
    return record ? record.meaning === outcome.meaning : Object.keys(fields).length === 0;
  });
}

/** Whether an event reported this record's status: that the payment is held, reversed, or changed in the gateway's portal. */
function isToldByPayment({ payments }: StoredOrder, record: BookRecord | undefined): boolean {
  return payments.some(
    ({ transaction_id, told, record: known }) =>
      told !== undefined &&
      transaction_id === record?.transaction_id &&
      known?.payment_status === record.payment_status,
  );
}

/**
 * Whether the shop already knows a notification that names only later charges of the order's contracts: events reported what queries
 * show of these charges. If the notification names only order numbers, the event was written at most an hour before it came.
 * @param charged the other orders that these charges paid
 * @param records the records of queries about the names in the notification
 */
export function repeatsCharges(
  order: StoredOrder,
  charged: readonly StoredOrder[],
  { orders, trades, refund }: Said,
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

/** The reported outcome of an attempt, and since when; undefined if none was reported. */
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
