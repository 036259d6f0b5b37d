import type { OrderSummary } from '../../shared/api/order.ts';
import { fromMinor } from '../../shared/gateway/amounts.ts';
import { type Polling, startPolling } from '../base/polling.ts';
import { type Context, type Refunded, refundedOfPayments } from '../context/context.ts';
import type { Describe, ListedOrder, ListPlace, OrderSearch } from '../store/facets/listing.ts';
import { listingOf, termsOfOperation } from './terms.ts';

/** A page of orders. `next` is where the next page goes on. */
export type OrderPage = { orders: OrderSummary[]; next?: ListPlace };

/** A page of an account's orders, with those that changed a moment ago. Throws StoreError. */
export async function findOrders(context: Context, search: OrderSearch): Promise<OrderPage> {
  await refreshNow(context);
  return pageOf(context, search);
}

/** Every order that a search finds, a page at a time. Throws StoreError. */
export async function* everyOrder(context: Context, search: OrderSearch): AsyncGenerator<OrderSummary[], void> {
  let page = await findOrders(context, search);
  yield page.orders;
  while (page.next) {
    page = await pageOf(context, { ...search, after: page.next });
    yield page.orders;
  }
}

async function pageOf(context: Context, search: OrderSearch): Promise<OrderPage> {
  const found = await context.store.listing.search(search);
  const payments = found.orders.flatMap((order) => order.payments ?? []);
  const refunded = await refundedOfPayments(context, search.account, payments);
  return { ...found, orders: found.orders.map((order) => summaryOf(order, refunded)) };
}

function summaryOf({ payments = [], ...order }: ListedOrder, sums: Refunded): OrderSummary {
  const refunded = payments.reduce((sum, id) => sum + (sums.get(id) ?? 0n), 0n);
  return { ...order, refunded: fromMinor(refunded, order.currency) };
}

/** How many changes are listed in one turn, so that payments hardly wait, and the pause between two looks. */
const TURN = 100;
const PAUSE_MS = 2000;

/** How many turns a request for orders waits for at most. */
const MAX_TURNS = 10;

/** Brings the list of orders up to date again and again, until stopped. */
export function startListing(context: Context): Polling {
  return startPolling(context.log, 'orders', PAUSE_MS, async (stopping) => {
    // One relay is enough: others would only take over the lock from each other.
    while (!stopping.aborted && (await listSome(context, 'skip')) >= TURN);
  });
}

/** Lists what changed a moment ago; of very many changes the rest is listed soon. Throws StoreError. */
export async function refreshNow(context: Context): Promise<void> {
  for (let turns = 1; (await listSome(context, 'wait')) >= TURN && turns < MAX_TURNS; turns++);
}

function listSome({ store, config }: Context, whenBusy: 'wait' | 'skip'): Promise<number> {
  const order: Describe['order'] = (order) =>
    listingOf(
      order,
      config.accounts.find(({ id }) => id === order.account),
    );
  return store.listing.refresh(TURN, { order, operation: termsOfOperation }, whenBusy);
}
