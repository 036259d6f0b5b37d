import { type Polling, pause, startPolling } from '../base/polling.ts';
import type { Context } from '../context/context.ts';

/** The pause between two checks for changes of past hours. */
const CHECK_MS = 15_000;

/** The pause after a step is this many times the duration of the step, because payments need the processor. */
const REST_FACTOR = 4;

/** Refreshes the counts and sums of the statistics repeatedly, until stopped. */
export function startStatsRefresh({ store, log, now }: Context): Polling {
  return startPolling(log, 'stats', CHECK_MS, async (stopping) => {
    while (!stopping.aborted) {
      const start = performance.now();
      if (!(await store.stats.refresh(now().toISOString()))) return;
      await pause(REST_FACTOR * (performance.now() - start), stopping);
    }
  });
}
