import { type Attempt, wasSent } from '../attempt.ts';
import type { Order } from '../order.ts';
import { type BookRecord, type Meaning, mayBeOf } from './records.ts';

const HOUR_MS = 3_600_000;

/** What a notification says: its fields, the order_nos and transaction_ids among them, and whether it names a refund. */
type Said = { fields: object; orders: readonly string[]; trades: readonly string[]; refund?: true };

/** The transaction_ids of the order's own payments and attempts. */
export function ownTransactions({ attempts, payments }: Order): Set<string> {
  return new Set([...attempts, ...payments].flatMap(({ transaction_id }) => transaction_id ?? []));
}

/**
 * True for a notification of a session's payment that names nothing but that payment, and whose query led to its outcome,
 * or repeats it within an hour and shows nothing else: the shop knows it from the session.
 * @param records what that query showed
 */
export function repeatsOutcome(
  order: Order,
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
    if (!outcome || Date.parse(receivedAt) - Date.parse(outcome.since) > HOUR_MS) return false;
    // One that says nothing is no news where the gateway does not list the payment yet.
    return record ? record.meaning === outcome.meaning : Object.keys(fields).length === 0;
  });
}

/** What the shop was told of an attempt, and when; undefined while there is nothing to tell. */
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
