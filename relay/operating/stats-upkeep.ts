import { type Polling, pause, startPolling } from '../base/polling.ts';
import type { Context } from '../store/context.ts';

/** Between two looks for what changed of the hours that are over. */
const LOOK_MS = 15_000;

/** After a step so many times its duration passes before the next one: payments need the processor. */
const REST = 4;

/** Brings the tallies of counts and sums up to date again and again, until stopped. */
export function startStatsUpkeep({ store, log, now }: Context): Polling {
  return startPolling(log, 'stats', LOOK_MS, async (stopping) => {
    while (!stopping.aborted) {
      const start = performance.now();
      if (!(await store.refreshStats(now().toISOString()))) return;
      await pause(REST * (performance.now() - start), stopping);
    }
  });
}
