import { type Polling, startPolling } from '../base/polling.ts';
import type { Context } from '../store/context.ts';
import { listingOf, termsOfOperation } from './terms.ts';

/** How many changes are listed in one turn, so that payments hardly wait, and the pause between two looks. */
const TURN = 100;
const PAUSE_MS = 2000;

/** How many turns somebody who asks for orders waits for at most. */
const MAX_TURNS = 10;

/** Brings the list of orders up to date again and again, until stopped. */
export function startListing(context: Context): Polling {
  return startPolling(context.log, 'orders', PAUSE_MS, async (stopping) => {
    while (!stopping.aborted && (await listSome(context)) === TURN);
  });
}

/** Lists what changed a moment ago; of very many changes the rest is listed soon. Throws StoreError. */
export async function refreshNow(context: Context): Promise<void> {
  for (let turns = 1; (await listSome(context)) === TURN && turns < MAX_TURNS; turns++);
}

function listSome({ store, config }: Context): Promise<number> {
  return store.refreshList(TURN, {
    order: (order) =>
      listingOf(
        order,
        config.accounts.find(({ id }) => id === order.account),
      ),
    operation: termsOfOperation,
  });
}
