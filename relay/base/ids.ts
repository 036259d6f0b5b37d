import { randomFillSync } from 'node:crypto';

/** The prefix of an id: of a session, attempt, device, request, operation, request for approval, webhook, note or entry of the request log. */
type IdPrefix = 'cs' | 'at' | 'dv' | 'req' | 'op' | 'ap' | 'msg' | 'nt' | 'rl';

/**
 * Returns a new id: a prefix, the time in milliseconds (base 36) and 144 random bits. Later ids sort after earlier ones, so new rows are
 * written next to each other.
 */
export type NewId = (prefix: IdPrefix) => string;

const RANDOM_BYTES = 18;

/** The number of ids for which random bytes are read at once: reading them is the main cost of an id. */
const POOLED_IDS = 128;

/** Makes ids. `fill` overwrites a buffer with random bytes. */
export function createIds(now: () => Date, fill: (pool: Buffer) => unknown = randomFillSync): NewId {
  const pool = Buffer.alloc(RANDOM_BYTES * POOLED_IDS);
  let used = pool.length;
  return (prefix) => {
    if (used === pool.length) {
      fill(pool);
      used = 0;
    }
    used += RANDOM_BYTES;
    return `${idsFrom(prefix, now())}${pool.toString('base64url', used - RANDOM_BYTES, used)}`;
  };
}

/** A lower bound of all ids of this moment and later, in the order of bytes. */
export function idsFrom(prefix: IdPrefix, moment: Date): string {
  return `${prefix}_${moment.getTime().toString(36).padStart(8, '0')}`;
}
