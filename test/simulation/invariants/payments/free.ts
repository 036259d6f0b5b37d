import { isDeepStrictEqual } from 'node:util';
import { canAbandon } from '../../../../relay/payments/session-steps.ts';
import { answered } from '../../world/answered.ts';
import { storedOrder } from '../../world/orders.ts';
import type { Scene } from '../../world/scene.ts';
import type { Breach } from '../../world/world.ts';

const invariant = 'a person can free an order';

/** So often a person decides about one order: a record may appear after they did. */
const MAX_DECISIONS = 5;

/**
 * In the end every order that is held is decided: the shopper gives up what is pending where they may, or a person
 * settles it. Then it takes another payment, and still does once the gateway is asked again and shows nothing new.
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
      // No query of a gateway that leaves out empty lists need ever count: then a person settles.
      if (decided.code === 'gateway_unreachable') return free(orderNo, decisions, true);
      // Its time may have run out meanwhile.
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
