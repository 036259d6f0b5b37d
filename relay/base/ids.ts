import { randomFillSync } from 'node:crypto';

/** What an id names: a session, attempt, device, request, operation, request for approval, webhook, note or entry of the request log. */
type IdPrefix = 'cs' | 'at' | 'dv' | 'req' | 'op' | 'ap' | 'msg' | 'nt' | 'rl';

/**
 * A new id: a prefix that tells what it names, the moment in milliseconds (base 36) and 144 random bits. Ids that are made
 * one after the other sort so: a store with a million of them writes the next ones side by side, not all over its index.
 */
export type NewId = (prefix: IdPrefix) => string;

const RANDOM_BYTES = 18;

/** Random bytes for so many ids are asked for at a time: asking the system costs more than all else about an id. */
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

/** What every id of this moment and later comes after, and every earlier one before, in the order of bytes. */
export function idsFrom(prefix: IdPrefix, moment: Date): string {
  return `${prefix}_${moment.getTime().toString(36).padStart(8, '0')}`;
}
