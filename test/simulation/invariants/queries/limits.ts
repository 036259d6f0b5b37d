import { itemsOf, outcomeAt, type StoredOperation } from '../../../../relay/payments/operations/operation.ts';
import type { Sending } from '../../world/gateway/gateway.ts';
import { isPayment } from '../../world/gateway/payments.ts';
import { isAboutOrders, isBesideForeign, isSuccess, ordersOf } from '../../world/gateway/queries.ts';
import type { Scene } from '../../world/scene.ts';
import type { QueryLog } from './query-log.ts';

const APART_MS = 2000;

/** The maximum difference between the clocks of several relays. */
const SKEW_MS = 1000;

/** The last query about an order: the begin of the query that it is a part of, and its sender. */
type Last = {
  began: number;
  named: number;
  of: Sending;
  isRunning: boolean;
  /** The number of orders in the query that this one is a part of. */
  whole: number;
  /** The number of queries in a row that did not count, and the number of the relays' failures until then. */
  failures: number;
  failuresBefore: number;
  disturbed: number;
  /** The number of queries in a row that came sooner than the order's failures allow. */
  early: number;
  /** Any of its orders may have caused its failure. */
  mustSplit: boolean;
  /** The time of its answer, and the number of immediate refusals in a row while nothing else was answered. */
  heardAt: number;
  refusals: number;
};

/** The maximum number of queries for a failed one: it may be given up before each order was queried alone. */
const MAX_SPLIT = 10;

/** After this many failures the next query must wait for at least some seconds. */
const MANY_FAILURES = 4;
const MAX_WAIT_MS = 60_000;

/**
 * How long an order is queried because of a notification: for a day if queries do not count, with an hour between the
 * last two, and until idle relays notice, whose next query of an order may be a day away.
 */
const NOTIFIED_MS = 50 * 3_600_000;

/** The maximum time for which an order is leased to the parts of a query. */
const LEASE_MS = 60_000;

/** How long an answer shows that the gateway is up. */
const UP_MS = 60_000;

/** The parts of a refused query follow it sooner than the end of any pause of its account. */
const AT_ONCE_MS = 900;

/** A refused query and one about a part of it: a gateway that refuses both refuses every query. */
const MAX_REFUSALS = 2;

/**
 * At most one query of an order is in flight, and at most one begins in two seconds. The parts of a failed query are
 * part of it, and so is a repetition within its time.
 */
export function watchLimits(scene: Scene, log: QueryLog): void {
  const { world, gateway, relays, sessions, notifications } = scene;
  const lastOf = new Map<string, Last>();
  /** The orders with a sent message. The store has no row of any other order, and cannot lease it. */
  const sentOf = new Set<string>();
  const answeredAt = new Map<string, number>();
  const refusedOf = new Map<string, number>();
  /**
   * Each relay's last query about an order, until one counts: two relays may split queries with this order at the same
   * time.
   */
  const ownOf = new Map<string, Pick<Last, 'began' | 'named' | 'whole' | 'heardAt'>>();
  /**
   * The end of a query of an order that began while a clock was wrong, or the begin of one beside it because of a late
   * write.
   */
  const freedAt = new Map<string, number>();
  /**
   * The time at which the outcome of an operation on a payment of each order last became known: its record is queried
   * at once.
   */
  const operatedAt = new Map<string, number>();
  scene.onFinished.push((operation) => {
    for (const { transaction_id } of isAskedAfter(operation) ? itemsOf(operation) : []) {
      const paid = gateway.books.transactions.find(({ id }) => id === transaction_id);
      if (paid) operatedAt.set(paid.order_no, world.clock.now());
    }
  });
  /** Since when each relay queries the orders that it leased together: these queries follow each other at once. */
  const leasedOf = new Map<string, { since: number; endedAt?: number }>();
  const noteLease = (sending: Sending): void => {
    const { since, endedAt } = leasedOf.get(askerOf(sending)) ?? {};
    const isNext = since !== undefined && endedAt === sending.at;
    if (!sending.isAgain) leasedOf.set(askerOf(sending), { since: isNext ? since : sending.at });
  };
  const isCounted = (order: string, { received }: Sending): boolean =>
    log.of(order).some(({ ended, counts }) => counts && ended === received?.moment);
  const isUp = (sending: Sending): boolean =>
    world.clock.now() - (answeredAt.get(kindOf(sending)) ?? Number.NEGATIVE_INFINITY) < UP_MS;
  const apart = APART_MS - (relays.count > 1 ? SKEW_MS : 0);
  // A notification makes its order due at once, also that of an unreported session.
  const notifiedOf = (order: string): string[] => {
    const paid = gateway.books.transactions.map(({ session: id = '', order_no }) => ({ id, order_no }));
    const own = [...sessions, ...paid].filter(({ order_no }) => order_no === order);
    return [...new Set(own.map(({ id }) => id))];
  };
  const notifiedAt = (order: string): number =>
    Math.max(...notifiedOf(order).map((id) => notifications.lastAt.get(id) ?? 0), 0);
  // Each notification has its own schedule besides the order's, and all double their pauses. Between two doublings
  // each may come early twice.
  const isByNotification = (order: string, at: number, { early, of }: Last): boolean => {
    const notified = notifiedAt(order);
    const texts = new Set(notifiedOf(order).flatMap((id) => [...(notifications.texts.get(id) ?? [])]));
    return at - notified <= NOTIFIED_MS && (early < 2 * (texts.size + 1) || of.at - SKEW_MS <= (notified + at) / 2);
  };
  // A relay to which the gateway refuses one query after another queries no further part of any.
  const noteRefusal = (sending: Sending, isUnclear: boolean): void => {
    const asker = askerOf(sending);
    const refused = isUnclear ? (refusedOf.get(asker) ?? 0) + 1 : 0;
    refusedOf.set(asker, refused);
    if (refused < MAX_REFUSALS) return;
    for (const last of lastOf.values()) if (askerOf(last.of) === asker) last.mustSplit = false;
  };
  const check = (order: string, sending: Sending, named: number): void => {
    const { at, owner } = sending;
    const last = lastOf.get(order);
    // A lease or plan from the time of a wrong clock counts as past, so the order is queried sooner. If clocks
    // disagree, relays lease one order at the same time, and the query that ends first frees it.
    const isByClocks =
      last !== undefined && (relays.clocks.wereWrong(last.began - LEASE_MS) || (freedAt.get(order) ?? 0) >= last.began);
    // A slow store leases by the time of the request; if that is long ago, the effect is that of a wrong clock.
    const isByOldTime = last !== undefined && relays.trouble.slowAt >= last.began;
    // A late commit frees an order that was leased meanwhile.
    const isFreedLate = last !== undefined && relays.trouble.lateAt >= last.began;
    // Such a commit may free an order that waits for another query of its relay: a second query follows, and then the
    // first.
    const since = owner.request ? at : (leasedOf.get(askerOf(sending))?.since ?? at);
    const isFreedWaiting = since < at && relays.trouble.lateAt >= since;
    // A part of the running query may follow the query of the relay that leased the order then.
    if ((isFreedLate || isFreedWaiting) && last?.isRunning) freedAt.set(order, at);
    // A query that is repeated within its time has failed once.
    if (last && sending.isAgain) {
      lastOf.set(order, { ...last, of: sending, isRunning: true, failures: last.failuresBefore });
      return;
    }
    if (last?.isRunning && !last.of.owner.life.dead && !isByClocks && !isFreedLate && !isFreedWaiting) {
      world.breach('query limits', `${order} is asked about while it already is`);
    }
    const isPart = last !== undefined && last.of.owner.life === owner.life && named < last.named;
    if (last && at - last.began < apart && !isPart && !isByClocks && !isByOldTime && !isFreedWaiting) {
      world.breach('query limits', `${order} is asked about ${at - last.began} ms after it was`);
    }
    const disturbed = relays.disturbances();
    const isSame = last !== undefined && !isPart && last.disturbed === disturbed;
    if (isSame && last.mustSplit && last.of.owner.life === owner.life && named >= last.named) {
      world.breach('one order spoils no other', `${order} is asked about among ${named} after such a query failed`);
    }
    const wait = Math.min(MAX_WAIT_MS, 1000 * 2 ** ((last?.failures ?? 0) - 1)) - 1500;
    const isEarly =
      isSame &&
      last.failures >= MANY_FAILURES &&
      !owner.request &&
      !isByClocks &&
      at - last.of.at < wait &&
      Math.max(notifiedAt(order), operatedAt.get(order) ?? 0) < last.of.at;
    if (isEarly && !isByNotification(order, at, last)) {
      world.breach('queries back off', `${order} is asked about again after ${last.failures} failures`);
    }
    const refusals = isPart && at - last.heardAt < AT_ONCE_MS ? last.refusals : 0;
    if (refusals >= MAX_REFUSALS && !owner.request) {
      world.breach('queries back off', `${order} is asked about at once after ${refusals} refusals`);
    }
    const own = ownOf.get(ownKey(order, sending));
    const isOwnPart = last !== undefined && own !== undefined && named < own.named && own.heardAt >= last.began;
    const { began, whole } = isPart ? last : isOwnPart ? own : { began: at, whole: named };
    ownOf.set(ownKey(order, sending), { began, named, whole, heardAt: at });
    // A query that fails and is split has failed once.
    const before = isPart ? last.failuresBefore : (last?.failures ?? 0);
    const failures = disturbed === last?.disturbed ? before : 0;
    lastOf.set(order, {
      ...{ began, named, whole, of: sending, isRunning: true, disturbed, mustSplit: false },
      early: isEarly ? (last?.early ?? 0) + 1 : 0,
      ...{ failures, failuresBefore: failures, heardAt: at, refusals },
    });
  };
  // A deleted order begins again.
  scene.onWritten.push(({ version }, { order_no }) => {
    if (version === 0) lastOf.delete(order_no);
  });
  gateway.watch({
    sent(sending) {
      if (isPayment(sending.name)) sentOf.add(String(sending.message.order_no));
      if (!isAboutOrders(sending)) return;
      const orders = ordersOf(gateway.books, sending.message);
      if (!sending.owner.request) noteLease(sending);
      for (const order of orders) if (sentOf.has(order)) check(order, sending, orders.length);
    },
    received(sending) {
      const answer = sending.received?.answer;
      const isRefused = answer?.kind === 'answer' && !isSuccess(answer);
      const isUnclear = isRefused && !isUp(sending);
      const isAsked = sending.name === 'query' || sending.name === 'refund_search';
      const isWithoutList = answer?.kind === 'unusable' && answer.fault === 'no_list';
      if (isAsked && (isSuccess(answer) || isWithoutList)) answeredAt.set(kindOf(sending), world.clock.now());
      if (!isAboutOrders(sending)) return;
      const leased = leasedOf.get(askerOf(sending));
      if (leased && !sending.owner.request) leased.endedAt = world.clock.now();
      const isForeign = isSuccess(answer) && isBesideForeign(answer);
      const counts = isSuccess(answer) && !isForeign;
      const isByClocks = relays.count > 1 && relays.clocks.wereWrong(sending.at);
      for (const order of ordersOf(gateway.books, sending.message)) {
        if (isByClocks) freedAt.set(order, world.clock.now());
        const own = ownOf.get(ownKey(order, sending));
        if (own && !counts) ownOf.set(ownKey(order, sending), { ...own, heardAt: world.clock.now() });
        else ownOf.delete(ownKey(order, sending));
        const last = lastOf.get(order);
        // If clocks disagree and two relays query at the same time, the one whose query counts ends the back-off of
        // both.
        if (last && last.of !== sending && isCounted(order, sending))
          lastOf.set(order, { ...last, failures: 0, failuresBefore: 0 });
        if (last?.of !== sending) continue;
        const isContent = isForeign || mayBeContent(sending) || (isRefused && !isUnclear);
        const mustSplit = isContent && last.named > 1 && last.whole <= MAX_SPLIT;
        const failures = isCounted(order, sending) ? 0 : mustSplit ? last.failures : last.failures + 1;
        const refusals = isUnclear ? last.refusals + 1 : 0;
        const answered = { heardAt: world.clock.now(), refusals, ...(counts ? { named: 1 } : {}) };
        lastOf.set(order, { ...last, isRunning: false, mustSplit, failures, ...answered });
      }
      const isServerError = answer?.kind === 'unusable' && answer.fault === 'http_status';
      noteRefusal(sending, isUnclear || (isServerError && !isUp(sending)));
    },
  });
}

/** True for an operation after whose end a record of its payment may differ. */
function isAskedAfter(operation: StoredOperation): boolean {
  const { name, state } = operation;
  const hasFailed = itemsOf(operation).some((_, at) => outcomeAt(state, at) === 'failed');
  return name === 'review' || name === 'cancel' || (name === 'refund' && hasFailed);
}

/** A relay and the account of its query. */
function askerOf({ owner, message }: Sending): string {
  return `${owner.life.name} ${message.merchant_id}`;
}

function ownKey(order: string, { owner }: Sending): string {
  return `${owner.life.name} ${order}`;
}

/** Queries and searches have separate answers. */
function kindOf(sending: Sending): string {
  return `${askerOf(sending)} ${sending.name}`;
}

function mayBeContent({ received }: Sending): boolean {
  if (received?.answer.kind === 'refused') return received.answer.status === 400;
  return received?.answer.kind === 'unusable' && ['answer_too_large', 'wrong_shape'].includes(received.answer.fault);
}
