import { isInFuture } from './absence-clock.ts';
import { type Attempt, inFlightSince, isWatchedAt, watchedSince } from './attempt.ts';
import { alarmOf } from './ledger/standing.ts';
import type { OrderPayment, PaymentRules, StoredOrder } from './order.ts';
import { sinceOf } from './order-clock.ts';
import type { Session } from './session.ts';
import { needsPersonAtOnce } from './settlement/match.ts';
import type { Decision } from './transitions.ts';

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The shortest time between two queries about one order. */
const MIN_QUERY_GAP_MS = 2 * SECOND_MS;

/** How long after the shopper's return the order is queried for a payment by this method, in milliseconds. */
export function returnMs({ method }: Pick<Attempt, 'method'>, { resolve, returnMs }: PaymentRules): number {
  return returnMs[method] ?? resolve.return_ms;
}

/** The decision with the time of the order's next query. */
export function withNextQuery(decision: Decision, now: Date, rules: PaymentRules): Decision {
  const { next_query_at: _, planned_at: __, ...order } = decision.order;
  const next_query_at = nextQueryAt(order, now, rules);
  const planned = next_query_at === undefined ? {} : { next_query_at, planned_at: now.toISOString() };
  return { ...decision, order: { ...order, ...planned } };
}

/**
 * Rule 6. Plans a query if a clock that is ahead would end the watch of the order's attempts: a day later, or when the clock is right
 * again.
 * @param steady the time as far as no clock was set ahead
 */
export function stillWatched(order: StoredOrder, now: Date, steady: Date, rules: PaymentRules): StoredOrder {
  if (order.next_query_at !== undefined || !isInFuture(now.getTime(), steady)) return order;
  if (nextQueryAt(order, steady, rules) === undefined) return order;
  const next_query_at = new Date(now.getTime() + DAY_MS).toISOString();
  return { ...order, next_query_at, planned_at: now.toISOString() };
}

/**
 * Rule 6. The time of the next query about an order (ISO 8601); undefined if nothing of the order is undecided or watched. The older an
 * attempt or a record is, the rarer are its queries. Queries that are not urgent are planned at the same moments for many orders, so
 * that orders share them.
 */
export function nextQueryAt(
  order: Omit<StoredOrder, 'next_query_at'>,
  now: Date,
  rules: PaymentRules,
): string | undefined {
  const [sending] = order.attempts.filter(({ state }) => state.status === 'in_flight');
  // Its answer comes soon, or its relay has stopped.
  if (sending) {
    const started = Math.min(Date.parse(inFlightSince(sending)), now.getTime());
    return new Date(started + rules.orphanedMs).toISOString();
  }
  const moments = [
    ...order.attempts.flatMap((attempt) => {
      const session = order.sessions.find(({ id }) => id === attempt.session_id);
      return attemptMoment(order, attempt, session, now, rules) ?? [];
    }),
    ...(order.undecided ? [afterHold(order, order.undecided, now, rules)] : []),
    ...order.payments.flatMap((payment) => paidMoments(order, payment, now, rules)),
    ...(order.notices > order.noticed ? [now.getTime()] : []),
    ...(order.repeats ? [repeatedAt(order.repeats, now)] : []),
  ];
  if (moments.length === 0) return undefined;
  const at = Math.max(Math.min(...moments), soonest(order, now, rules));
  return new Date(at).toISOString();
}

/** The shortest time between two queries about one order, in milliseconds; less if the operator polls faster. */
export function minQueryGap({ resolve }: PaymentRules): number {
  return Math.min(MIN_QUERY_GAP_MS, resolve.max_ms);
}

/** Orders that are paid within this time are confirmed by one query. */
const TOGETHER_MS = 5 * SECOND_MS;

/**
 * The times of the next queries about a payment: until its record is known; then after `paid_days`; more rarely while a person or an
 * operation is awaited. Many payments have the same times, so that they share queries.
 */
function paidMoments(
  order: Omit<StoredOrder, 'next_query_at'>,
  payment: OrderPayment,
  now: Date,
  rules: PaymentRules,
): number[] {
  const { proof, awaited, date } = payment;
  if (proof === 'person') return [backedOff(now, sinceOf(date, order, now), rules.resolve.max_ms, DAY_MS, rules)];
  const { first_ms, max_ms, absent_ms, confirm_ms } = rules.resolve;
  const paid = sinceOf(date, order, now);
  const later = daysAfter(order, paid, now, rules);
  if (awaited && confirm_ms > 0) {
    const since = sinceOf(awaited.since, order, now);
    const first = alignedUp(since + confirm_ms, Math.min(TOGETHER_MS, confirm_ms));
    if (now.getTime() < first) return [first];
    return [
      Math.min(
        backedOff(now, since, first_ms, max_ms, rules),
        Math.max(since + Math.max(absent_ms, confirm_ms), now.getTime()),
      ),
    ];
  }
  const isNeeded = alarmOf(payment) !== undefined || payment.undecided === true || lacksRecord(payment, order);
  return isNeeded ? [backedOff(now, paid, max_ms, DAY_MS, rules), ...later] : later;
}

/** The maximum number of failed queries about a payment of an earlier version: the last ones are a day apart. */
const MAX_FAILED = 20;

/** True for a payment that an earlier version stored without its record, if the query about it failed. */
function lacksRecord({ ready, record }: OrderPayment, { queries }: Pick<StoredOrder, 'queries'>): boolean {
  return ready === undefined && record === undefined && queries.failures > 0 && queries.failures < MAX_FAILED;
}

/** How long a payment is queried after one of the days, if no query counts. */
const OVERDUE_MS = 7 * DAY_MS;

/** The next day of `paid_days`, and the last missed one. */
function daysAfter({ queries }: Pick<StoredOrder, 'queries'>, paid: number, now: Date, rules: PaymentRules): number[] {
  const counted = queries.last?.counted ? queries.last.at : queries.counted;
  const last = counted === undefined ? 0 : Date.parse(counted);
  const days = rules.resolve.paid_days.map((day) => alignedUp(paid + day * DAY_MS, HOUR_MS / 4));
  const next = days.find((moment) => moment > now.getTime());
  const past = days.findLast((moment) => moment <= now.getTime() && moment > last);
  const isOverdue = past !== undefined && now.getTime() - past < OVERDUE_MS;
  return [
    ...(next === undefined ? [] : [next]),
    ...(isOverdue
      ? [queries.failures > 0 ? backedOff(now, past, rules.resolve.max_ms, DAY_MS, rules) : now.getTime()]
      : []),
  ];
}

/** The first moment that is a multiple of `grid` and not before this one. */
function alignedUp(moment: number, grid: number): number {
  return Math.ceil(moment / grid) * grid;
}

/** The earliest time of the next query: after the shortest gap, and later if the last queries did not count. */
function soonest({ queries }: Omit<StoredOrder, 'next_query_at'>, now: Date, rules: PaymentRules): number {
  const { first_ms, max_ms } = rules.resolve;
  const asked = queries.last ? Date.parse(queries.last.at) : 0;
  const last = isInFuture(asked, now) ? 0 : asked + minQueryGap(rules);
  if (queries.failures === 0) return last;
  return Math.max(last, now.getTime() + Math.min(max_ms, first_ms * 2 ** Math.min(queries.failures - 1, 30)));
}

function attemptMoment(
  order: Omit<StoredOrder, 'next_query_at'>,
  attempt: Attempt,
  session: Session | undefined,
  now: Date,
  rules: PaymentRules,
): number | undefined {
  const { state, started_at } = attempt;
  const { first_ms, max_ms, give_up_ms } = rules.resolve;
  const expires = Date.parse(session?.expires_at ?? started_at);
  /** At the session's end at the latest, which may change its state. */
  const untilEnd = (moment: number): number => (expires > now.getTime() ? Math.min(moment, expires) : moment);
  switch (state.status) {
    case 'in_flight':
    case 'not_sent':
      return undefined;
    case 'redirected':
      if (state.returned_at !== undefined)
        return afterReturn(order, attempt, Date.parse(state.returned_at), now, rules);
      if (expires > now.getTime())
        return untilEnd(backedOff(now, sinceOf(started_at, order, now), max_ms, HOUR_MS, rules));
      return backedOff(now, expires, first_ms, max_ms, rules);
    case 'pending':
      return untilEnd(backedOff(now, sinceOf(state.since, order, now), first_ms, HOUR_MS, rules));
    case 'unknown': {
      const since = sinceOf(state.since ?? started_at, order, now);
      const givesUp = since + give_up_ms;
      if (givesUp <= now.getTime() || isForPerson(order)) return now.getTime() + DAY_MS;
      return Math.min(backedOff(now, since, first_ms, max_ms, rules), givesUp);
    }
    case 'approved':
    case 'declined':
    case 'not_paid':
    case 'refused':
      if (!isWatchedAt(attempt, now)) return undefined;
      return backedOff(now, sinceOf(watchedSince(attempt), order, now), max_ms, DAY_MS, rules);
  }
}

function isForPerson({ undecided }: Omit<StoredOrder, 'next_query_at'>): boolean {
  return undecided !== undefined && needsPersonAtOnce(undecided.reason);
}

/** The time of the next query about a record that holds the order: more and more rarely, and daily once a person is needed. */
function afterHold(
  order: Pick<StoredOrder, 'queries'>,
  { reason, ...hold }: NonNullable<StoredOrder['undecided']>,
  now: Date,
  rules: PaymentRules,
): number {
  const { first_ms, give_up_ms } = rules.resolve;
  const since = sinceOf(hold.since, order, now);
  const isGivenUp = reason !== 'pending' && now.getTime() - since >= give_up_ms;
  if (isGivenUp || needsPersonAtOnce(reason)) return now.getTime() + DAY_MS;
  return backedOff(now, since, first_ms, HOUR_MS, rules);
}

/** The time of the next repeated query: now if a clock that was ahead planned it. */
function repeatedAt({ since, next_at }: NonNullable<StoredOrder['repeats']>, now: Date): number {
  return isInFuture(Date.parse(since), now) ? now.getTime() : Date.parse(next_at);
}

/**
 * The time of the next query after the shopper's return: at 0, 2, 5, 10, 20 seconds and so on, and at the end of the time. If the clock
 * was set back since the return, the return counts as the begin of the first query after it, as far as queries measured that.
 */
function afterReturn(
  { queries }: Omit<StoredOrder, 'next_query_at'>,
  attempt: Attempt,
  returnedAt: number,
  now: Date,
  rules: PaymentRules,
): number {
  const overMs = returnMs(attempt, rules);
  const moments = [0, 2 * SECOND_MS];
  for (let ms = 5 * SECOND_MS; ms < overMs; ms *= 2) moments.push(ms);
  const returned = isInFuture(returnedAt, now) ? now.getTime() - (attempt.clear?.waited_ms ?? 0) : returnedAt;
  const last = queries.last ? Date.parse(queries.last.at) : 0;
  const next = [...moments.filter((ms) => ms < overMs), overMs].find((ms) => returned + ms > last);
  return next === undefined ? now.getTime() + minQueryGap(rules) : returned + next;
}

/** A time about as far in the future as `since` is in the past, but at least `min` and at most `max` milliseconds. */
function backedOff(now: Date, since: number, min: number, max: number, { resolve }: PaymentRules): number {
  const age = now.getTime() - since;
  const wait = Math.min(Math.max(age, min), Math.max(max, min));
  const at = now.getTime() + wait;
  if (wait < resolve.max_ms) return at;
  const apart = Math.ceil((wait < HOUR_MS ? resolve.max_ms : HOUR_MS) / 4);
  return at - (at % apart);
}
