import { provedPayments, type StoredOrder } from '../../../relay/payments/order.ts';
import { isWaiting, needsPerson, type Session } from '../../../relay/payments/session.ts';
import type { EventType } from '../../../shared/api/webhook.ts';
import { type OrderState, orderState } from '../relay.ts';
import { RETENTION_DAYS } from '../world/config.ts';
import { paymentStatus, type Transaction } from '../world/gateway/books.ts';
import type { Scene } from '../world/scene.ts';
import type { Breach } from '../world/world.ts';
import { isHeldByClock } from './held-by-clock.ts';
import { standingsOf } from './payments/ready.ts';

const DAY_MS = 86_400_000;

/** A poller that is later than this has lost its work. */
const LATE_MS = DAY_MS;

/**
 * The breaches at the end of a history: a charge that is not stored and reported, a webhook that is not delivered in
 * order, a request without an answer, or a held order without a next query.
 */
export async function finalBreaches(scene: Scene): Promise<Breach[]> {
  const { relays } = scene;
  const found: Breach[] = relays
    .running()
    .map((name) => ({ invariant: 'requests are answered', detail: `${name} is not` }));
  for (const order of scene.orders) {
    const sessions = scene.sessions.filter(({ order_no }) => order_no === order).map(({ id }) => id);
    const state = await orderState(scene.store, order, new Date(scene.world.clock.now()));
    found.push(
      ...chargesOf(scene, order, state),
      ...holdsOf(scene, order, state),
      ...alarmsOf(scene, order, state),
      ...(await standingsOf(scene, order, state)),
      ...missing(scene, order, state, sessions),
    );
    for (const { session } of state.sessions) found.push(...(await webhooksOf(scene, session)));
    found.push(...(await waitingOf(scene, sessions)));
  }
  return found;
}

/**
 * The charges that a notification announced, a query showed or an attempt caused, and that are not stored and reported.
 */
function chargesOf(scene: Scene, orderNo: string, { order, sessions }: OrderState): Breach[] {
  const stored = new Set([
    ...order.payments.map(({ transaction_id }) => transaction_id),
    ...sessions.flatMap(({ answer }) => [answer.transaction_id ?? '', ...(answer.paid_twice ?? [])]),
  ]);
  const proved = new Set(provedPayments(order).map(({ transaction_id }) => transaction_id));
  // Old data is deleted.
  const isRecent = sessions.length > 0 && scene.world.clock.now() - scene.started < 35 * DAY_MS;
  return scene.gateway.books.transactions
    .filter((one) => one.order_no === orderNo && one.status === 'approved')
    .filter((one) => mustBeFound(scene, one, order) || (isRecent && proved.has(one.id)))
    .flatMap((one): Breach[] => {
      const { id } = one;
      const invariant = 'every charge is reported';
      if (!stored.has(id)) return [{ invariant, detail: `${id} of ${orderNo} is charged, and not in the store` }];
      return scene.shop.knowsOf(id) || isGivenUpLongAgo(scene, one, order.account)
        ? []
        : [{ invariant, detail: `${id} of ${orderNo} is charged, and no webhook reported it` }];
    });
}

/**
 * Whether the relay must have found a charge. It need not find:
 * - a payment of another channel, because the relay does not query it
 * - a payment that a person decided about, if no other transaction pays the order
 * - a later charge of a contract, because it does not pay the order
 * - a record without a transaction_id, because it proves nothing
 * - a payment whose attempt is not queried any more, because a signed answer declined it or another transaction paid it: a
 *   notification must report that charge, at most an hour before the gateway lists it
 */
function mustBeFound(scene: Scene, one: Transaction, order: StoredOrder): boolean {
  const { decided, approvedByPerson } = scene;
  const { payments, undecided } = order;
  const isPaidBesides =
    approvedByPerson.has(one.id) || provedPayments(order).some(({ transaction_id: id }) => id !== one.id);
  const isDecided = decided
    .get(one.order_no)
    ?.some(({ transaction_id: id, payment_status: status }) => id === one.id && status === paymentStatus.approved);
  if (one.session === undefined || one.laterOf !== undefined || one.nameless || one.standing === 'reversed')
    return false;
  if (isDecided && !isPaidBesides) return false;
  if (isForgotten(scene, one, order)) return false;
  if (isHeldByClock(scene, order) && undecided?.records.some((seen) => seen.transaction_id === one.id)) return false;
  const isPaid = payments.some(({ attempt_id, transaction_id: id }) => attempt_id === one.attempt && id !== one.id);
  return one.shown || (one.announced && (one.listedSoon || one.declined || !isPaid)) || (!one.declined && !isPaid);
}

/**
 * A webhook that was given up is deleted once it is old, and the order still shows the charge. A webhook as old as
 * deleted data is given up if its account is missing.
 */
function isGivenUpLongAgo(scene: Scene, one: Transaction, account: string): boolean {
  if (wasGoneSoLong(scene, one, account)) return true;
  return scene.shop.wasGone() && scene.world.clock.now() - shownAt(one) > 35 * DAY_MS;
}

/** Whether the account was missing from the configuration until the charge was as old as deleted data. */
function wasGoneSoLong({ settings }: Scene, one: Transaction, account: string): boolean {
  return settings.wasGone(account, shownAt(one) + (RETENTION_DAYS - 1) * DAY_MS);
}

const shownAt = ({ visibleAt, changedAt = visibleAt }: Transaction): number => Math.max(visibleAt, changedAt);

/**
 * True for an old charge whose attempt is deleted, in addition to later payments, or whose order is deleted because its
 * account was missing from the configuration for the retention time.
 */
function isForgotten(scene: Scene, one: Transaction, { account, attempts, payments }: StoredOrder): boolean {
  const { attempt, read } = one;
  if (attempts.some(({ id }) => id === attempt)) return false;
  const [first] = attempts;
  if (first) return read < Date.parse(first.started_at) - DAY_MS;
  if (payments.length === 0) return wasGoneSoLong(scene, one, account);
  // By now, later ones are deleted, too.
  return payments.every(({ date }) => read < Date.parse(date) - RETENTION_DAYS * DAY_MS);
}

/** Held orders that are neither queried nor need a person. */
function holdsOf({ world, gateway }: Scene, orderNo: string, { order, sessions }: OrderState): Breach[] {
  const invariant = 'no order is stuck';
  const { hold, next_query_at } = order;
  const processing = sessions.find(({ session }) => session.state.status === 'processing');
  if (processing) return [{ invariant, detail: `${processing.session.id} of ${orderNo} is still processing` }];
  const inFlight = order.attempts.find(({ state }) => state.status === 'in_flight');
  if (inFlight) return [{ invariant, detail: `${inFlight.id} of ${orderNo} is still in flight` }];
  const settled = order.undecided?.records.find(({ payment_status }) => payment_status === paymentStatus.declined);
  if (hold === 'held' && settled)
    return [{ invariant, detail: `${orderNo} is held by ${settled.transaction_id}, whose code means declined` }];
  const waiting = sessions.filter(({ session }) => isWaiting(session));
  if (hold !== 'held' && waiting.length === 0) return [];
  const late = next_query_at === undefined ? Number.POSITIVE_INFINITY : world.clock.now() - Date.parse(next_query_at);
  if (late <= LATE_MS) return [];
  const states = waiting.map(({ session }) => `${session.id} ${session.state.status}`).join();
  const spoiled = gateway.spoiled.get(orderNo)?.how ?? 'nothing';
  return [
    { invariant, detail: `${orderNo} is ${hold}: ${states}, next query at ${next_query_at}, spoiled: ${spoiled}` },
  ];
}

/** Whether webhooks of this type report no state of their session. */
const isBeside = (type: string): boolean =>
  type === 'session.paid_twice' || type === 'notification.received' || /^(payment|subscription)\./.test(type);

/** How long a session may be unknown without an alarm. */
const GIVE_UP_MS = DAY_MS;

/** Held orders that are not reported: by a session that waits, and by an alarm once that takes too long. */
function alarmsOf({ shop, world, relays, started }: Scene, orderNo: string, { order, sessions }: OrderState): Breach[] {
  if (order.hold !== 'held' || sessions.length === 0) return [];
  const now = world.clock.now() - LATE_MS;
  const telling = sessions
    .map(({ session }) => session)
    .filter((one) => needsPerson(one) || isStillPatient(one, now, relays.clocks));
  const isHeard = (session: Session): boolean => {
    const all = shop.received.filter(({ subject, type }) => subject === session.id && !isBeside(type));
    // A webhook that was given up arrives after later ones.
    const latest = all.findLast(({ id }) => !shop.late.has(id));
    return all.some((told) => {
      if (told !== latest && !shop.late.has(told.id)) return false;
      if (told.data.status !== session.state.status) return false;
      return !needsPerson(session) || JSON.stringify(told.data).includes('"needs_attention":true');
    });
  };
  if (telling.some(isHeard)) return [];
  // A webhook that was given up is deleted once it is old, and the list of cases still shows the session.
  if (world.clock.now() - started > 35 * DAY_MS && telling.some(needsPerson)) return [];
  const states = sessions.map(({ session }) => `${session.id} ${session.state.status}`).join();
  return [{ invariant: 'a held order is reported', detail: `${orderNo} is held, and not reported: ${states}` }];
}

function isStillPatient({ state, expires_at }: Session, now: number, clocks: Scene['relays']['clocks']): boolean {
  switch (state.status) {
    case 'redirected':
    case 'pending':
      return now < Date.parse(expires_at);
    case 'unknown':
      return now < begunBy(Date.parse(state.search.since), now, clocks) + GIVE_UP_MS;
    default:
      return false;
  }
}

/**
 * The begin of a wait that a clock wrote which was ahead: at the latest the time at which the clocks were right again.
 */
function begunBy(since: number, now: number, { rightSince }: Scene['relays']['clocks']): number {
  return since > now + LATE_MS ? (rightSince() ?? now) : since;
}

function missing(scene: Scene, order: string, { sessions }: OrderState, made: readonly string[]): Breach[] {
  // Old data is deleted.
  if (scene.world.clock.now() - scene.started > 35 * DAY_MS) return [];
  return made
    .filter((id) => sessions.every(({ session }) => session.id !== id))
    .map((id) => ({ invariant: 'nothing answered is missing', detail: `session ${id} of ${order}` }));
}

/** Notifications that were neither reported nor dropped within a day, plus the hour between two queries about them. */
async function waitingOf({ store, world }: Scene, sessions: readonly string[]): Promise<Breach[]> {
  const before = new Date(world.clock.now() - DAY_MS - LATE_MS).toISOString();
  const waiting = (await store.notifications.listWaiting(sessions, 1000)).filter(
    ({ received_at }) => received_at < before,
  );
  return waiting.map(({ subject, received_at }) => ({
    invariant: 'notifications end',
    detail: `one of ${subject} still waits since ${received_at}`,
  }));
}

/** The last webhook of a session in each state. An open session may have none, or `session.redirected`. */
const lastTold: Readonly<Record<Session['state']['status'], readonly (EventType | undefined)[]>> = {
  open: [undefined, 'session.declined', 'session.redirected'],
  processing: [],
  redirected: ['session.redirected'],
  pending: ['session.pending'],
  unknown: ['session.unknown'],
  approved: ['session.approved'],
  failed: ['session.failed'],
  expired: ['session.expired'],
};

async function webhooksOf(
  { store, shop, world, started, settings }: Scene,
  { id: subject, account, state: { status } }: Session,
): Promise<Breach[]> {
  const invariant = 'webhooks in order';
  const events = (await store.outbox.list({ account, subject, limit: 1000 })).reverse();
  const last = events.findLast(({ type }) => !isBeside(type))?.type;
  // Old data is deleted.
  if (!lastTold[status].includes(last) && world.clock.now() - started < 35 * DAY_MS) {
    world.breach('every change is reported', `${subject} is ${status}, and its last webhook is ${last}`);
  }
  const endpoints = settings.accounts().find(({ id }) => id === account)?.webhooks ?? [];
  const lacking = events.find(({ deliveries }) => deliveries.length !== endpoints.length);
  // An event of an account that was left out goes to one endpoint.
  if (lacking && !settings.wasGone(account))
    return [{ invariant, detail: `${lacking.type} of ${subject} lacks an endpoint` }];
  const undelivered = events.find(({ id, delivery: { status } }) => {
    if (endpoints.length === 0) return status !== 'kept';
    return status !== 'delivered' && !(status === 'acknowledged' && shop.late.has(id));
  });
  if (undelivered)
    return [{ invariant, detail: `${undelivered.type} of ${subject} is ${undelivered.delivery.status}` }];
  // A webhook that was given up arrives late, or the shop's people read it.
  const received = shop.received.map(({ id, subject: of }) => (of === subject && !shop.late.has(id) ? id : ''));
  const written = events.map(({ id }) => id).filter((id) => received.includes(id));
  const told = received.filter((id) => written.includes(id));
  if (written.join() !== told.join())
    return [{ invariant, detail: `${subject}: ${told.join()}, not ${written.join()}` }];
  const toBook = events.filter(({ deliveries }) => deliveries.some(({ endpoint }) => endpoint === 'books'));
  const [due, accepted] = [toBook.map(({ id }) => id).filter((id) => !shop.late.has(id)), [...shop.receivedBySecond]];
  const inOrder = accepted.filter((id) => due.includes(id));
  return due.join() === inOrder.join()
    ? []
    : [{ invariant, detail: `the second endpoint received ${inOrder.join()} of ${subject}, not ${due.join()}` }];
}
