import type { Context } from '../store/context.ts';

/** The most keys that one statement gives back. */
const MAX_AT_ONCE = 1000;

/** Longer than the store can take to write a claim that it has received. */
const CLAIM_MS = 5000;

/**
 * Gives back `Idempotency-Key`s whose requests led to nothing while the store failed, and again for five seconds after it first did:
 * by then it has every claim that it will have. Throws StoreError.
 */
export async function releaseKeys({ store, keysToRelease, log, monotonic }: Context): Promise<void> {
  const waiting = [...keysToRelease];
  let done = 0;
  for (let from = 0; from < waiting.length; from += MAX_AT_ONCE) {
    const some = waiting.slice(from, from + MAX_AT_ONCE);
    await store.keys.release(some.map(({ claim }) => claim));
    const at = monotonic();
    for (const one of some) {
      one.releasedAt ??= at;
      if (at - one.releasedAt >= CLAIM_MS && keysToRelease.delete(one)) done += 1;
    }
  }
  if (done > 0) log.info({ count: done }, 'idempotency keys given back after the store failed');
}
