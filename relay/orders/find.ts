import type { OrderSummary } from '../../shared/api/order.ts';
import { fromMinor } from '../../shared/gateway/amounts.ts';
import { type Context, type Refunded, refundedOfPayments } from '../store/context.ts';
import type { ListedOrder, ListPlace, OrderSearch } from '../store/listing.ts';
import { refreshNow } from './refresh.ts';

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
  const found = await context.store.searchOrders(search);
  const payments = found.orders.flatMap((order) => order.payments ?? []);
  const refunded = await refundedOfPayments(context, search.account, payments);
  return { ...found, orders: found.orders.map((order) => summaryOf(order, refunded)) };
}

function summaryOf({ payments = [], ...order }: ListedOrder, sums: Refunded): OrderSummary {
  const refunded = payments.reduce((sum, id) => sum + (sums.get(id) ?? 0n), 0n);
  return { ...order, refunded: fromMinor(refunded, order.currency) };
}
