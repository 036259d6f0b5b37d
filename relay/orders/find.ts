import type { Context } from '../store/context.ts';
import type { FoundOrders, OrderSearch } from '../store/listing.ts';
import { refreshNow } from './refresh.ts';

/** A page of an account's orders, with those that changed a moment ago. Throws StoreError. */
export async function findOrders(context: Context, search: OrderSearch): Promise<FoundOrders> {
  await refreshNow(context);
  return context.store.searchOrders(search);
}
