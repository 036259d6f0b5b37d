import { type Polling, pause, startPolling } from '../base/polling.ts';
import type { Context } from '../context/context.ts';

/** The time between two checks for changes of past hours. */
const CHECK_MS = 15_000;

/** The factor of the pause after a step to the duration of the step: payments need the processor. */
const REST_FACTOR = 4;

/** Refreshes the statistics' counts and sums repeatedly, until stopped. */
export function startStatsRefresh({ store, log, now }: Context): Polling {
  return startPolling(log, 'stats', CHECK_MS, async (stopping) => {
    while (!stopping.aborted) {
      const start = performance.now();
      if (!(await store.stats.refresh(now().toISOString()))) return;
      await pause(REST_FACTOR * (performance.now() - start), stopping);
    }
  });
}
