import { type Attempt, wasSent } from '../attempt.ts';
import type { Order, Rules } from '../order.ts';
import { type BookRecord, isSameSum, mayBeOf } from './records.ts';

/** An attempt is absent only after so many counted queries in a row that showed nothing undecided. */
export const ABSENT_QUERIES = 3;

/**
 * The declined record that ends an attempt, if there is one. A record with the attempt's transaction_id is its own. Else,
 * until `absent_ms` after it was sent, every attempt of the order without a transaction_id needs a declined record for
 * itself; after that any that remains for this attempt ends it.
 */
export function declineOf(
  order: Order,
  attempt: Attempt,
  records: readonly BookRecord[],
  now: Date,
  rules: Rules,
): BookRecord | undefined {
  const declined = records.filter(({ meaning }) => meaning === 'declined');
  const own = declined.find((record) => record.transaction_id && record.transaction_id === attempt.transaction_id);
  if (own) return own;
  if (attempt.transaction_id !== undefined) return undefined;
  const sent = order.attempts.filter(wasSent);
  const isTaken = (record: BookRecord): boolean => sent.some((one) => isOwn(one, record));
  const free = declined.filter((record) => !isTaken(record));
  const nameless = sent.filter((one) => one.transaction_id === undefined);
  if (!isAbsentForGood(attempt, now, rules)) return assigned(nameless, free)?.get(attempt.id);
  return free.findLast((record) => isFor(attempt, record));
}

/** True once an attempt without a record ends: after `absent_ms` and enough counted queries that showed nothing undecided. */
export function isAbsentForGood({ started_at, clear_queries = 0 }: Attempt, now: Date, { resolve }: Rules): boolean {
  return clear_queries >= ABSENT_QUERIES && now.getTime() - Date.parse(started_at) >= resolve.absent_ms;
}

/**
 * A declined record for each of these attempts, by attempt id; undefined where some attempt gets none. The attempts that
 * the fewest records are young enough for choose first, so that a full assignment is found where there is one.
 */
function assigned(attempts: readonly Attempt[], records: readonly BookRecord[]): Map<string, BookRecord> | undefined {
  const left = [...records];
  const found = new Map<string, BookRecord>();
  for (const attempt of attempts.toReversed()) {
    const at = left.findIndex((record) => isFor(attempt, record));
    const [record] = at < 0 ? [] : left.splice(at, 1);
    if (!record) return undefined;
    found.set(attempt.id, record);
  }
  return found;
}

function isFor(attempt: Attempt, record: BookRecord): boolean {
  return isSameSum(attempt, record) && mayBeOf(record, attempt);
}

function isOwn({ transaction_id }: Attempt, record: BookRecord): boolean {
  return transaction_id !== undefined && transaction_id === record.transaction_id;
}
