import { logFailure } from '../base/polling.ts';
import type { Context } from '../store/context.ts';

/** Logs each account that the configuration no longer has and that has open orders or operations: they are queried no more. */
export async function warnOfLeftAccounts({ config, store, log }: Context): Promise<void> {
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
