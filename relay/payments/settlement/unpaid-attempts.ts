import { isAbsenceProved, isInFuture, MAX_CLOCK_SKEW_MS, noClearQueries } from '../absence-clock.ts';
import { type Attempt, isNeverAbsent, returnedAt, wasSent } from '../attempt.ts';
import type { PaymentRules, StoredOrder } from '../order.ts';
import { returnMs } from '../schedule.ts';
import { type BookRecord, isSameSum, mayBeOf } from './records.ts';

/**
 * Whether the query began after the attempt was sent, or after its shopper returned. A future time comes from a wrong clock and counts
 * as past.
 */
export function isCoveredByQuery(attempt: Attempt, begunAt: Date, now: Date, { resolve }: PaymentRules): boolean {
  const returned = returnedAt(attempt);
  const since = Date.parse(returned ?? attempt.started_at);
  if (isInFuture(since, now)) return true;
  const skew = returned === undefined ? Math.min(MAX_CLOCK_SKEW_MS, resolve.absent_ms) : 0;
  return begunAt.getTime() >= since + skew;
}

/** How long an attempt is searched for, in milliseconds: `return_ms` after its shopper returned, otherwise `absent_ms`. */
export function searchMs(attempt: Attempt, rules: PaymentRules): number {
  return returnedAt(attempt) === undefined ? rules.resolve.absent_ms : returnMs(attempt, rules);
}

/**
 * Rule 5. True after enough counted queries over `absent_ms` that showed nothing undecided. Never for an attempt whose own signed
 * answer had the codes of an approval, or whose answer said that it is pending.
 */
export function isAbsentForGood(attempt: Attempt, { resolve }: PaymentRules): boolean {
  return !isNeverAbsent(attempt) && isAbsenceProved(attempt.clear ?? noClearQueries, resolve.absent_ms);
}

/**
 * Rule 3. The declined record that ends an attempt, if there is one. A record with the attempt's transaction_id is its own. Otherwise,
 * until `absent_ms` after the attempt was sent, every attempt of the order without a transaction_id needs a declined record of its
 * own. After that, any remaining record that fits ends the attempt.
 */
export function declineOf(
  order: StoredOrder,
  attempt: Attempt,
  records: readonly BookRecord[],
  rules: PaymentRules,
): BookRecord | undefined {
  const declined = records.filter(({ meaning }) => meaning === 'declined');
  const own = ownDecline(attempt, records);
  if (own) return own;
  if (attempt.transaction_id !== undefined) return undefined;
  const sent = order.attempts.filter(wasSent);
  const isTaken = (record: BookRecord): boolean => sent.some((one) => isOwn(one, record));
  const free = declined.filter((record) => !isTaken(record));
  const nameless = sent.filter((one) => one.transaction_id === undefined);
  if (!isAbsentForGood(attempt, rules)) return assignDeclines(nameless, free)?.get(attempt.id);
  return free.findLast((record) => fits(attempt, record));
}

/** The declined record of the attempt's own transaction. */
export function ownDecline(attempt: Attempt, records: readonly BookRecord[]): BookRecord | undefined {
  return records.find((record) => record.meaning === 'declined' && isOwn(attempt, record));
}

/**
 * Assigns one declined record to each attempt, by attempt id, or returns undefined. Later attempts choose first, because fewer records
 * fit them.
 */
function assignDeclines(
  attempts: readonly Attempt[],
  records: readonly BookRecord[],
): Map<string, BookRecord> | undefined {
  const left = [...records];
  const found = new Map<string, BookRecord>();
  for (const attempt of attempts.toReversed()) {
    const at = left.findIndex((record) => fits(attempt, record));
    const [record] = at < 0 ? [] : left.splice(at, 1);
    if (!record) return undefined;
    found.set(attempt.id, record);
  }
  return found;
}

function fits(attempt: Attempt, record: BookRecord): boolean {
  return isSameSum(attempt, record) && mayBeOf(record, attempt);
}

function isOwn({ transaction_id }: Attempt, record: BookRecord): boolean {
  return transaction_id !== undefined && transaction_id === record.transaction_id;
}
