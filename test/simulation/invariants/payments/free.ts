import { isDeepStrictEqual } from 'node:util';
import { canAbandon } from '../../../../relay/payments/session-steps.ts';
import { answered } from '../../world/answered.ts';
import { storedOrder } from '../../world/orders.ts';
import type { Scene } from '../../world/scene.ts';
import type { Breach } from '../../world/world.ts';

const invariant = 'a person can free an order';

/** How often a person decides about one order: a record may appear after a decision. */
const MAX_DECISIONS = 5;

/**
 * At the end every held order is decided: the shopper abandons a pending payment if that is possible, or a person
 * settles it. The order then accepts another payment, also after a query that shows nothing new.
 */
export async function freeAll(scene: Scene): Promise<Breach[]> {
  const { world, store, relays, apiFor, orders } = scene;
  const reconcile = async (orderNo: string): Promise<void> => {
    const http = apiFor(orderNo).reconcile(orderNo);
    await answered(world, relays.request(0, { name: `reconcile ${orderNo}` }, http));
  };
  const free = async (orderNo: string, decisions = 1, isUnanswered = false): Promise<Breach[]> => {
    const before = await storedOrder(store, orderNo);
    const [session] = before.sessions;
    if (before.hold !== 'held' || !session) return [];
    const way = canAbandon(before) && !isUnanswered ? 'abandon' : 'settle';
    const api = apiFor(orderNo);
    const notPaid = { outcome: 'not_paid', note: 'the end' } as const;
    const http = way === 'abandon' ? api.abandon(session.id) : api.settle(session.id, notPaid, `the end ${decisions}`);
    const decided = await answered(world, relays.request(0, { name: `${way} ${session.id}` }, http));
    if (way === 'abandon' && decided.kind === 'problem') {
      // If a gateway leaves out empty lists, perhaps no query ever counts: then a person settles.
      if (decided.code === 'gateway_unreachable') return free(orderNo, decisions, true);
      // Its time may be over meanwhile.
      const isLate = decided.code === 'cannot_abandon' && !canAbandon(await storedOrder(store, orderNo));
      if (isLate) return free(orderNo, decisions);
    }
    if (decided.kind !== 'answered') {
      const what = decided.kind === 'problem' ? decided.code : decided.kind;
      return [{ invariant, detail: `${orderNo}: ${way} is ${what}` }];
    }
    await reconcile(orderNo);
    const { hold, undecided } = await storedOrder(store, orderNo);
    if (hold === 'free') return [];
    const isNew = undecided !== undefined && !isDeepStrictEqual(undecided.records, before.undecided?.records);
    if (hold === 'held' && isNew && decisions < MAX_DECISIONS) return free(orderNo, decisions + 1);
    return [{ invariant, detail: `${orderNo} is ${hold} after ${way}` }];
  };
  const found: Breach[] = [];
  for (const orderNo of orders) {
    if ((await storedOrder(store, orderNo)).hold !== 'held') continue;
    await reconcile(orderNo);
    found.push(...(await free(orderNo)));
  }
  return found;
}
