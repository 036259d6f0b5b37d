import { logFailure, type Polling, pause, startPolling } from '../base/polling.ts';
import type { Context } from '../context/context.ts';

/** Between two looks for what changed of the hours that are over. */
const CHECK_MS = 15_000;

/** The pause after a step is so many times as long as the step was: payments need the processor. */
const REST_FACTOR = 4;

/** Brings the tallies of counts and sums up to date again and again, until stopped. */
export function startStatsRefresh({ store, log, now }: Context): Polling {
  return startPolling(log, 'stats', CHECK_MS, async (stopping) => {
    while (!stopping.aborted) {
      const start = performance.now();
      if (!(await store.stats.refresh(now().toISOString()))) return;
      await pause(REST_FACTOR * (performance.now() - start), stopping);
    }
  });
}

/** Logs each account that the configuration no longer has and that has open orders or operations: they are queried no more. */
export async function warnOfUnconfiguredAccounts({ config, store, log }: Context): Promise<void> {
  const accounts = config.accounts.map(({ id }) => id);
  try {
    for (const { account, orders, operations } of await store.stats.openBeside(accounts)) {
      const about = { account, open_orders: orders, open_operations: operations };
      log.warn(about, 'account is not configured: what is open of it is not asked about');
    }
  } catch (error) {
    logFailure(log, 'left_accounts', error);
  }
}
