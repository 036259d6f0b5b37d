import type { Logger } from '../base/log.ts';
import { createWakeUp, logFailure, type Polling, startPolling } from '../base/polling.ts';
import type { Context, LateWrites, Subject } from '../context/context.ts';

/** Something that is known and could not be stored. `next` is when it is tried again, by the monotonic clock. */
type LateWrite = { of: Subject; write: () => Promise<unknown>; failures: number; next: number };

const PAUSE_MS = 250;

/** The longest time between two tries. */
const MAX_WAIT_MS = 60_000;

/**
 * Writes the outcome of an attempt or an operation when the store is there again, so that a short outage does not make a known
 * outcome unknown. Tries again and again, backing off; for the last time when it is stopped.
 */
export function startLateWrites(log: Logger, monotonic: () => number): LateWrites & Polling {
  const waiting = new Set<LateWrite>();
  const write = async (until: number): Promise<void> => {
    for (const one of waiting) {
      if (one.next > until) continue;
      try {
        await one.write();
        waiting.delete(one);
        log.info({ ...one.of }, 'outcome stored late');
      } catch (error) {
        one.failures += 1;
        one.next = monotonic() + Math.min(PAUSE_MS * 2 ** one.failures, MAX_WAIT_MS);
        logFailure(log, 'late_writes', error);
      }
    }
  };
  const polls = startPolling(log, 'late_writes', PAUSE_MS, () => write(monotonic()), createWakeUp());
  return {
    add: (of, run) => void waiting.add({ of, write: run, failures: 0, next: monotonic() + PAUSE_MS }),
    async stop() {
      await polls.stop();
      await write(Number.POSITIVE_INFINITY);
    },
  };
}

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
