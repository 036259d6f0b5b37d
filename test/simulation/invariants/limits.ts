import { ordersOf } from '../world/gateway/queries.ts';
import type { Scene } from '../world/scene.ts';

const APART_MS = 2000;

/** Clocks of several relays may be this far apart. */
const SKEW_MS = 1000;

type Last = { at: number; named: number; isRunning: boolean };

/**
 * At most one query of an order is in flight, and at most one begins in two seconds. The halves of a query that was
 * answered in no way that counts are part of it.
 */
export function watchLimits({ world, gateway, relays }: Scene): void {
  const lastOf = new Map<string, Last>();
  const apart = APART_MS - (relays.count > 1 ? SKEW_MS : 0);
  gateway.watch({
    sent({ name, message, at }) {
      if (name !== 'query') return;
      const orders = ordersOf(gateway.books, message);
      for (const order of orders) {
        const last = lastOf.get(order);
        const isHalf = last !== undefined && !last.isRunning && orders.length < last.named;
        if (last && at - last.at < apart && !isHalf) {
          world.breach('query limits', `${order} is asked about ${at - last.at} ms after it was`);
        }
        lastOf.set(order, { at, named: orders.length, isRunning: true });
      }
    },
    heard({ name, message, heard }) {
      if (name !== 'query') return;
      for (const order of ordersOf(gateway.books, message)) {
        const last = lastOf.get(order);
        if (last)
          lastOf.set(order, { ...last, isRunning: false, named: heard?.called.kind === 'answer' ? 1 : last.named });
      }
    },
  });
}
