import type { Logger } from '../base/log.ts';
import { createWakeUp, logFailure, type Polling, startPolling } from '../base/polling.ts';
import type { LateWrites, Subject } from '../store/context.ts';

/** Something that is known and could not be stored. `wait` counts the polls to its next try. */
type LateWrite = { of: Subject; write: () => Promise<unknown>; failures: number; wait: number };

const PAUSE_MS = 250;

/** About a minute between two tries at the most. */
const MAX_WAIT = 60_000 / PAUSE_MS;

/**
 * Has what became of an attempt or an operation written when the store is there again, so that a short outage does not turn
 * what is known into an unknown outcome. Tries again and again, backing off; for the last time when it is stopped.
 */
export function startLateWrites(log: Logger): LateWrites & Polling {
  const waiting = new Set<LateWrite>();
  const write = async (pollsPassed: number): Promise<void> => {
    for (const one of waiting) {
      one.wait -= pollsPassed;
      if (one.wait > 0) continue;
      try {
        await one.write();
        waiting.delete(one);
        log.info({ ...one.of }, 'outcome stored late');
      } catch (error) {
        one.failures += 1;
        one.wait = Math.min(2 ** one.failures, MAX_WAIT);
        logFailure(log, 'late_writes', error);
      }
    }
  };
  const polls = startPolling(log, 'late_writes', PAUSE_MS, () => write(1), createWakeUp());
  return {
    add: (of, run) => void waiting.add({ of, write: run, failures: 0, wait: 1 }),
    async stop() {
      await polls.stop();
      await write(Number.POSITIVE_INFINITY);
    },
  };
}
