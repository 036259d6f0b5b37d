import type { Scene } from '../world/scene.ts';
import type { Breach } from '../world/world.ts';

const invariant = 'a person can free an order';

/** In the end a person decides about every order that is held: then it takes another payment. */
export async function freeAll(scene: Scene): Promise<Breach[]> {
  const { world, store, relays, orders } = scene;
  const found: Breach[] = [];
  for (const orderNo of orders) {
    const before = await store.order('demo', orderNo);
    const [session] = before.sessions;
    if (before.hold !== 'held' || !session) continue;
    const deciding = relays.request(0, { name: `settle ${session.id}` }, (relay) =>
      relay.settle(session.id, { outcome: 'not_paid', note: 'the end' }),
    );
    await world.clock.advance(world.clock.now() + 1000);
    const decided = await deciding;
    const { hold } = await store.order('demo', orderNo);
    if (decided.kind !== 'answered')
      found.push({ invariant, detail: `${orderNo}: settle is ${JSON.stringify(decided)}` });
    else if (hold !== 'free') found.push({ invariant, detail: `${orderNo} is ${hold} after a person settled it` });
  }
  return found;
}
