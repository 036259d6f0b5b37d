import type { Sending } from '../world/gateway/gateway.ts';
import { ordersOf } from '../world/gateway/queries.ts';
import type { Scene } from '../world/scene.ts';

const APART_MS = 2000;

/** Clocks of several relays may be this far apart. */
const SKEW_MS = 1000;

/** The last query about an order: when the query began that it is a part of, and who asks. */
type Last = { began: number; named: number; of: Sending; isRunning: boolean };

/**
 * At most one query of an order is in flight, and at most one begins in two seconds. The parts of a query that failed are
 * part of it.
 */
export function watchLimits({ world, gateway, relays }: Scene): void {
  const lastOf = new Map<string, Last>();
  const apart = APART_MS - (relays.count > 1 ? SKEW_MS : 0);
  const check = (order: string, sending: Sending, named: number): void => {
    const { at, owner } = sending;
    const last = lastOf.get(order);
    if (last?.isRunning && !last.of.owner.life.dead) {
      world.breach('query limits', `${order} is asked about while it already is`);
    }
    const isPart = last !== undefined && last.of.owner.life === owner.life && named < last.named;
    if (last && at - last.began < apart && !isPart) {
      world.breach('query limits', `${order} is asked about ${at - last.began} ms after it was`);
    }
    lastOf.set(order, { began: isPart ? last.began : at, named, of: sending, isRunning: true });
  };
  gateway.watch({
    sent(sending) {
      if (sending.name !== 'query') return;
      const orders = ordersOf(gateway.books, sending.message);
      for (const order of orders) check(order, sending, orders.length);
    },
    heard(sending) {
      if (sending.name !== 'query') return;
      const counts = sending.heard?.called.kind === 'answer';
      for (const order of ordersOf(gateway.books, sending.message)) {
        const last = lastOf.get(order);
        if (last?.of === sending) lastOf.set(order, { ...last, isRunning: false, ...(counts ? { named: 1 } : {}) });
      }
    },
  });
}
