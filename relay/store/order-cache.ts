import type { Order } from '../payments/order.ts';
import type { OrderKey } from './store.ts';

/** A shopper pays soon after the form was shown: orders of before are read again. */
const MAX_ORDERS = 2000;

/**
 * The orders that were read or written last, as they stand in the file. Nobody but this process writes the file, so that
 * what stands here need not be read again (`npm run bench -- relay`).
 */
export type OrderCache = {
  get(key: OrderKey): Order | undefined;
  /** Of a session, which its browser asks for: such an order is kept longest. */
  ofSession(id: string): Order | undefined;
  put(order: Order): void;
  drop(key: OrderKey): void;
  clear(): void;
};

/** A cache with nothing in it. Of more orders than it holds it forgets those that were used longest ago. */
export function createOrderCache(limit: number = MAX_ORDERS): OrderCache {
  const orders = new Map<string, Order>();
  const bySession = new Map<string, string>();
  const nameOf = ({ account, order_no }: OrderKey): string => `${account} ${order_no}`;

  const forget = (name: string): void => {
    for (const { id } of orders.get(name)?.sessions ?? []) bySession.delete(id);
    orders.delete(name);
  };
  const used = (name: string | undefined): Order | undefined => {
    const order = name === undefined ? undefined : orders.get(name);
    if (name === undefined || !order) return undefined;
    orders.delete(name);
    orders.set(name, order);
    return order;
  };

  return {
    get: (key) => orders.get(nameOf(key)),
    ofSession: (id) => used(bySession.get(id)),
    put(order) {
      const name = nameOf(order);
      forget(name);
      orders.set(name, order);
      for (const { id } of order.sessions) bySession.set(id, name);
      const [oldest] = orders.size > limit ? orders.keys() : [];
      if (oldest !== undefined) forget(oldest);
    },
    drop: (key) => forget(nameOf(key)),
    clear() {
      orders.clear();
      bySession.clear();
    },
  };
}

/** In the order in which they began, as the store gives them. */
export function inOrder<Entry extends { id: string }>(
  entries: readonly Entry[],
  begun: (entry: Entry) => string,
): readonly Entry[] {
  if (entries.length < 2) return entries;
  const keyOf = (entry: Entry): string => `${begun(entry)} ${entry.id}`;
  return entries.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
