import { type Attempt, isWatchedAt } from '../attempt.ts';
import type { OrderQuery, StoredOrder } from '../order.ts';
import { type Decision, withAttempt, withOrder } from '../transitions.ts';
import type { BookRecord } from './records.ts';

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
