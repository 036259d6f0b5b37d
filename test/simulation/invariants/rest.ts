import { type OrderState, orderState } from '../relay.ts';
import type { Transaction } from '../world/gateway/books.ts';
import type { Scene } from '../world/scene.ts';
import type { Breach } from '../world/world.ts';

const DAY_MS = 86_400_000;

/** A poller that is late by more has forgotten what it was to do. */
const LATE_MS = DAY_MS;

/**
 * What must hold once nothing happens any more: every charge is in the store and was told, every webhook was delivered in its
 * order, every request answered, and no order is held that nobody asks about.
 */
export async function atRest(scene: Scene): Promise<Breach[]> {
  const { relays } = scene;
  const found: Breach[] = relays
    .running()
    .map((name) => ({ invariant: 'requests are answered', detail: `${name} is not` }));
  for (const order of scene.orders) {
    const sessions = scene.sessions.filter(({ order_no }) => order_no === order).map(({ id }) => id);
    const state = await orderState(scene.store, order, sessions, new Date(scene.world.clock.now()));
    found.push(
      ...chargesOf(scene, order, state),
      ...holdsOf(scene, order, state),
      ...missing(scene, order, state, sessions),
    );
    for (const { session } of state.sessions) found.push(...(await webhooksOf(scene, session.id)));
  }
  return found;
}

/** Every charge that a notification announced or a query showed, and every one of our own, was found and told. */
function chargesOf({ gateway, shop, settled }: Scene, order: string, { sessions }: OrderState): Breach[] {
  const stored = new Set(sessions.flatMap(({ answer }) => [answer.transaction_id ?? '', ...(answer.paid_twice ?? [])]));
  return gateway.books.transactions
    .filter((one) => one.order_no === order && one.status === 'approved' && mustBeFound(one) && !settled.has(order))
    .flatMap(({ id }): Breach[] => {
      const invariant = 'every charge is told';
      if (!stored.has(id)) return [{ invariant, detail: `${id} of ${order} is charged, and not in the store` }];
      return shop.knowsOf(id) ? [] : [{ invariant, detail: `${id} of ${order} is charged, and no webhook told it` }];
    });
}

/** Other channels' payments are the shop's own business, where they are not told to us. */
function mustBeFound({ session }: Transaction): boolean {
  return session !== undefined;
}

function holdsOf({ world, gateway }: Scene, order: string, { sessions }: OrderState): Breach[] {
  const invariant = 'no order is stuck';
  return sessions.flatMap(({ session, answer, nextLook }): Breach[] => {
    const { id, state } = session;
    if (state.status === 'processing') return [{ invariant, detail: `${id} of ${order} is still processing` }];
    if (state.status !== 'unknown' && state.status !== 'redirected') return [];
    const needsPerson = answer.unknown?.needs_attention === true;
    const late = nextLook === undefined ? Number.POSITIVE_INFINITY : world.clock.now() - Date.parse(nextLook);
    if (late <= LATE_MS || (needsPerson && nextLook === undefined)) return [];
    const spoiled = gateway.spoiled.get(order)?.how ?? 'nothing';
    return [
      { invariant, detail: `${id} of ${order} is ${state.status}, next query at ${nextLook}, spoiled: ${spoiled}` },
    ];
  });
}

function missing(scene: Scene, order: string, { sessions }: OrderState, made: readonly string[]): Breach[] {
  // What is old is forgotten.
  if (scene.world.clock.now() - scene.started > 35 * DAY_MS) return [];
  return made
    .filter((id) => sessions.every(({ session }) => session.id !== id))
    .map((id) => ({ invariant: 'nothing answered is missing', detail: `session ${id} of ${order}` }));
}

async function webhooksOf({ store, shop }: Scene, subject: string): Promise<Breach[]> {
  const invariant = 'webhooks in order';
  const events = (await store.listEvents({ account: 'demo', subject, limit: 1000 })).reverse();
  const undelivered = events.find(({ delivery }) => delivery.status !== 'delivered');
  if (undelivered)
    return [{ invariant, detail: `${undelivered.type} of ${subject} is ${undelivered.delivery.status}` }];
  const heard = shop.heard.filter((webhook) => webhook.subject === subject).map(({ id }) => id);
  const written = events.map(({ id }) => id).filter((id) => heard.includes(id));
  const told = heard.filter((id) => written.includes(id));
  return written.join() === told.join()
    ? []
    : [{ invariant, detail: `${subject}: ${told.join()}, not ${written.join()}` }];
}
