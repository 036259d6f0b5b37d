import type { StoredOrder } from '../payments/order.ts';
import type { OrderKey } from './facets/orders.ts';

/** The maximum number of cached orders. A shopper pays soon after the form was shown; older orders are read again. */
const MAX_ORDERS = 2000;

/**
 * The orders that were read or written last, as in the file. Only this process writes the file, so that cached orders
 * need not be read again (`npm run bench -- relay`).
 */
export type OrderCache = {
  get(key: OrderKey): StoredOrder | undefined;
  /** The order of a session that its browser requests. Such an order stays in the cache longest. */
  ofSession(id: string): StoredOrder | undefined;
  /** Caches an order that the commit with this number, or an earlier one, wrote. */
  put(order: StoredOrder, commit: number): void;
  /** The number of the commit that wrote a cached order; undefined for other orders. */
  commitOf(key: OrderKey): number | undefined;
  drop(key: OrderKey): void;
};

/** Creates an empty cache. Above the limit it drops the orders that were used longest ago. */
export function createOrderCache(limit: number = MAX_ORDERS): OrderCache {
  const orders = new Map<string, { order: StoredOrder; commit: number }>();
  const bySession = new Map<string, string>();
  const nameOf = ({ account, order_no }: OrderKey): string => `${account} ${order_no}`;

  const forget = (name: string): void => {
    for (const { id } of orders.get(name)?.order.sessions ?? []) bySession.delete(id);
    orders.delete(name);
  };
  const used = (name: string | undefined): StoredOrder | undefined => {
    const kept = name === undefined ? undefined : orders.get(name);
    if (name === undefined || !kept) return undefined;
    orders.delete(name);
    orders.set(name, kept);
    return kept.order;
  };

  return {
    get: (key) => orders.get(nameOf(key))?.order,
    commitOf: (key) => orders.get(nameOf(key))?.commit,
    ofSession: (id) => used(bySession.get(id)),
    put(order, commit) {
      const name = nameOf(order);
      forget(name);
      orders.set(name, { order, commit });
      for (const { id } of order.sessions) bySession.set(id, name);
      const [oldest] = orders.size > limit ? orders.keys() : [];
      if (oldest !== undefined) forget(oldest);
    },
    drop: (key) => forget(nameOf(key)),
  };
}

/** Sorts by the begin, as the store does. */
export function inOrder<Entry extends { id: string }>(
  entries: readonly Entry[],
  begun: (entry: Entry) => string,
): readonly Entry[] {
  if (entries.length < 2) return entries;
  const keyOf = (entry: Entry): string => `${begun(entry)} ${entry.id}`;
  return entries.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
