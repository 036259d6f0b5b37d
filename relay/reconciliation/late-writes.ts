import type { Logger } from '../base/log.ts';
import { createWakeUp, logFailure, type Polling, startPolling } from '../base/polling.ts';
import type { Context, LateWrites, Subject } from '../context/context.ts';

/** A known outcome that could not be stored. `next` is the time of the next try, by the monotonic clock. */
type LateWrite = { of: Subject; write: () => Promise<unknown>; failures: number; next: number };

const PAUSE_MS = 250;

/** The longest time between two tries. */
const MAX_WAIT_MS = 60_000;

/**
 * Writes known outcomes when the store is available again, so that a short outage does not make them unknown. Tries back off; the last
 * one is made at the stop.
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

/** The maximum number of keys that one statement releases. */
const MAX_AT_ONCE = 1000;

/** Longer than the store needs to write a claim that it has received. */
const CLAIM_MS = 5000;

/**
 * Releases the `Idempotency-Key`s of requests that did nothing because the store failed, repeatedly for five seconds: by then the store has
 * written every claim that it received. Throws StoreError.
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
