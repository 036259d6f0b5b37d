import { logFailure } from '../base/polling.ts';
import type { Context } from '../context/context.ts';

/** Logs each account with undecided orders or operations that is not configured: they are not queried. */
export async function warnOfUnconfiguredAccounts({ config, store, log }: Context): Promise<void> {
  const accounts = config.accounts.map(({ id }) => id);
  try {
    for (const { account, orders, operations } of await store.stats.openBeside(accounts)) {
      const about = { account, open_orders: orders, open_operations: operations };
      log.warn(about, 'account not configured; its open orders and operations are not queried');
    }
  } catch (error) {
    logFailure(log, 'left_accounts', error);
  }
}
