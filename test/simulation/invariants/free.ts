import { canAbandon } from '../../../relay/payments/person.ts';
import type { Scene } from '../world/scene.ts';
import type { Breach } from '../world/world.ts';

const invariant = 'a person can free an order';

/**
 * In the end somebody decides about every order that is held: the shopper gives up what is pending where they may, or a person
 * settles it, who knows of every record by then. Then it takes another payment, and still does once the gateway is asked again.
 */
export async function freeAll(scene: Scene): Promise<Breach[]> {
  const { world, store, relays, orders } = scene;
  const found: Breach[] = [];
  const reconcile = async (orderNo: string): Promise<void> => {
    const asking = relays.request(0, { name: `reconcile ${orderNo}` }, (relay) => relay.reconcile(orderNo));
    await world.clock.advance(world.clock.now() + 5000);
    await asking;
  };
  for (const orderNo of orders) {
    if ((await store.order('demo', orderNo)).hold !== 'held') continue;
    await reconcile(orderNo);
    const before = await store.order('demo', orderNo);
    const [session] = before.sessions;
    if (before.hold !== 'held' || !session) continue;
    const way = canAbandon(before) ? 'abandon' : 'settle';
    const deciding = relays.request(0, { name: `${way} ${session.id}` }, (relay) =>
      way === 'abandon'
        ? relay.abandon(session.id)
        : relay.settle(session.id, { outcome: 'not_paid', note: 'the end' }),
    );
    await world.clock.advance(world.clock.now() + 5000);
    const decided = await deciding;
    if (decided.kind !== 'answered') {
      found.push({ invariant, detail: `${orderNo}: ${way} is ${JSON.stringify(decided)}` });
      continue;
    }
    await reconcile(orderNo);
    const { hold } = await store.order('demo', orderNo);
    if (hold !== 'free') found.push({ invariant, detail: `${orderNo} is ${hold} after ${way}` });
  }
  return found;
}
