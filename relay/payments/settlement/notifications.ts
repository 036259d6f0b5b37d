import type { OrderRecord } from '../../../shared/gateway/query.ts';
import { type Attempt, isWatchedAt, wasSent } from '../attempt.ts';
import type { OrderQuery, StoredOrder } from '../order.ts';
import { type Decision, withAttempt, withOrder } from '../transitions.ts';
import { type BookRecord, type Meaning, mayBeOf } from './records.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * So long after the first counted query that follows a notification the gateway is asked again: it may notify before its
 * records show what it notified of.
 */
const REPEATS_MS = [5 * SECOND_MS, MINUTE_MS, 10 * MINUTE_MS, HOUR_MS] as const;

const LAST_MS = Math.max(...REPEATS_MS);

/** When a query is repeated next whose first was at `since`, as seen at `now`; undefined after the last. In milliseconds. */
export function repeatAfter(since: number, now: number): number | undefined {
  return REPEATS_MS.map((ms) => since + ms).find((moment) => moment > now);
}

/**
 * The decision with what a counted query means for notifications. Those that came before it began are followed. It is
 * repeated until one changes what is known of the order, or the last was made; where it showed the payments of a paid
 * order, once, an hour later. Attempts that ended unpaid before are watched from now on, also where another one paid the order.
 * @param before the order as the query found it
 * @param records what the query showed
 */
export function followNotices(
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

/** Which attempt a notification is about the gateway does not say: any that ended unpaid may be charged after all. */
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
 * True for a notification of a session's payment that names nothing but that payment, and whose query led to its outcome,
 * or repeats it within an hour and shows nothing else, or an event of the payment told what it shows: the shop knows it from the session.
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
    // One that says nothing is no news where the gateway does not list the payment yet.
    return record ? record.meaning === outcome.meaning : Object.keys(fields).length === 0;
  });
}

/** True for a record that says what an event of its payment told: that it is held, reversed, or changed in the gateway's portal. */
function isToldByPayment({ payments }: StoredOrder, record: BookRecord | undefined): boolean {
  return payments.some(
    ({ transaction_id, told, record: known }) =>
      told !== undefined &&
      transaction_id === record?.transaction_id &&
      known?.payment_status === record.payment_status,
  );
}

/**
 * True for a notification that names nothing but later charges of the order's contracts, where events told what queries show of these. Of
 * one that names order numbers alone such an event was written since, or at most an hour before it came.
 * @param charged the orders of their own that these charges paid
 * @param records what queries showed of what it names
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

/** What was reported of an attempt, and when; undefined while there is nothing to report. */
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
