import { logFailure, type Rounds, startRounds } from '../base/rounds.ts';
import type { Context } from '../store/context.ts';

/** What an outcome is of, as the log names it. */
type Subject = { operation: string } | { session: string; attempt: string };

/** Something that is known and could not be stored. `wait` counts the rounds to its next try. */
type Unwritten = { of: Subject; write: () => Promise<unknown>; failures: number; wait: number };

const unwritten = new WeakMap<Context, Set<Unwritten>>();

const PAUSE_MS = 250;

/** About a minute between two tries at the most. */
const LONGEST_WAIT = 60_000 / PAUSE_MS;

/**
 * Has what became of an attempt or an operation written when the store is there again, so that a short outage does not turn
 * what is known into an unknown outcome. `write` may be called until it is fulfilled once.
 */
export function writeLater(context: Context, of: Subject, write: () => Promise<unknown>): void {
  const waiting = unwritten.get(context) ?? new Set();
  unwritten.set(context, waiting);
  waiting.add({ of, write, failures: 0, wait: 1 });
}

/** Tries again and again to write what waits, backing off; for the last time when it is stopped. */
export function startWritingLater(context: Context): Rounds {
  const rounds = startRounds(context.log, 'unwritten', PAUSE_MS, () => writeWaiting(context, 1));
  return {
    async stop() {
      await rounds.stop();
      await writeWaiting(context, Number.POSITIVE_INFINITY);
    },
  };
}

async function writeWaiting(context: Context, roundsPassed: number): Promise<void> {
  const waiting = unwritten.get(context) ?? new Set();
  for (const one of waiting) {
    one.wait -= roundsPassed;
    if (one.wait > 0) continue;
    try {
      await one.write();
      waiting.delete(one);
      context.log.info({ ...one.of }, 'outcome stored after all');
    } catch (error) {
      one.failures += 1;
      one.wait = Math.min(2 ** one.failures, LONGEST_WAIT);
      logFailure(context.log, 'unwritten', error);
    }
  }
}
