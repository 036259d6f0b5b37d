import type { OrderRecord } from '../../shared/gateway/query.ts';
import { wakeDelivery } from '../commit/commit.ts';
import { notificationReceived } from '../commit/new-event.ts';
import { rulesOf } from '../config/rules.ts';
import type { Context } from '../context/context.ts';
import { firstSeenInFuture, isInFuture, notInFuture } from '../payments/absence-clock.ts';
import type { StoredOrder } from '../payments/order.ts';
import { repeatAfter } from '../payments/settlement/notifications.ts';
import { readRecords } from '../payments/settlement/records.ts';
import { ownTransactions, repeatsCharges, repeatsOutcome } from '../payments/settlement/repeated-notification.ts';
import {
  createLimiter,
  type NotificationContent,
  type NotificationEnd,
  type WaitingNotification,
} from '../store/facets/notifications.ts';

const HOUR_MS = 3_600_000;

/** The maximum number of verified notifications of one notify_url that are reported in an hour, and of others. */
const MAX_REPORTED_PER_HOUR = 60;

/** The maximum number of records in one webhook. */
const MAX_RECORDS = 100;

/** The maximum number of an order's notifications that one query ends; the poller ends the others. */
const MAX_AT_ONCE = 500;

/**
 * The waiting notifications of an order that came before a query about it began. Notifications with a future time came before it, too:
 * a clock that was ahead wrote them. Throws StoreError.
 */
export async function notificationsBefore(
  { store, now }: Context,
  order: StoredOrder,
  begunAt: Date,
): Promise<WaitingNotification[]> {
  if (order.notices === 0) return [];
  const subjects = order.sessions.map(({ id }) => id);
  const waiting = await store.notifications.listWaiting(subjects, MAX_AT_ONCE);
  return waiting.filter(({ received_at }) => {
    const received = Date.parse(received_at);
    return received <= begunAt.getTime() || isInFuture(received, now());
  });
}

/** Whether these records show every order and transaction that a notification names. */
export function isShownIn(records: readonly OrderRecord[]): (waiting: WaitingNotification) => boolean {
  const names = new Set(records.flatMap(({ order_no, transaction_id }) => [order_no, transaction_id]));
  return ({ notice: { orders, trades } }) => [...orders, ...trades].every((name) => names.has(name));
}

/** Whether a notification names only this order, its transactions, and transactions in these records. */
function isAnsweredBy(order: StoredOrder, records: readonly OrderRecord[]): (waiting: WaitingNotification) => boolean {
  const own = ownTransactions(order);
  for (const { transaction_id } of records) if (transaction_id) own.add(transaction_id);
  return ({ notice: { orders, trades } }) =>
    orders.every((name) => name === order.order_no) && trades.every((name) => own.has(name));
}

/** The notifications that the limit of this hour permits, after the earlier ones of `waiting`. Throws StoreError. */
export async function withinLimit(
  { store, now }: Context,
  notifications: readonly WaitingNotification[],
  waiting: readonly WaitingNotification[] = [],
): Promise<ReadonlySet<WaitingNotification>> {
  if (notifications.length === 0) return new Set();
  const bySubject = Map.groupBy(notifications, ({ subject }) => subject);
  const told = await store.notifications.countReported(
    [...bySubject.keys()],
    new Date(now().getTime() - HOUR_MS).toISOString(),
  );
  const toldOf = Map.groupBy(told, ({ subject }) => subject);
  const within = [...bySubject].flatMap(([subject, of]) => {
    const known = new Set(of.map(({ sha256 }) => sha256));
    const others = waiting.filter((one) => one.subject === subject && !known.has(one.sha256));
    const hasRoom = createLimiter(toldOf.get(subject) ?? [], MAX_REPORTED_PER_HOUR);
    const inTurn = [...others, ...of].toSorted((a, b) => Date.parse(a.received_at) - Date.parse(b.received_at));
    const fitting = new Set(inTurn.filter(({ notice }) => hasRoom(notice)));
    return of.filter((one) => fitting.has(one));
  });
  return new Set(within);
}

/** The waiting notifications of the same subjects. Earlier ones use up the limit of later ones. Throws StoreError. */
export async function waitingBeside(
  { store }: Context,
  notifications: readonly WaitingNotification[],
): Promise<WaitingNotification[]> {
  const subjects = [...new Set(notifications.map(({ subject }) => subject))];
  return (await Promise.all(subjects.map((subject) => store.notifications.listWaiting([subject], MAX_AT_ONCE)))).flat();
}

/**
 * Ends the notifications of an order if its own query shows what they name, or if no repeated query follows. The poller queries the other
 * orders and transactions that they name. The remaining notifications wait. Throws StoreError.
 * @param order the order after the query
 */
export async function endByOwnQuery(
  context: Context,
  order: StoredOrder,
  notifications: readonly WaitingNotification[],
  records: readonly OrderRecord[],
): Promise<void> {
  const [isOwn, isShown] = [isAnsweredBy(order, records), isShownIn(records)];
  const ended = notifications.filter((one) => isOwn(one) && (isShown(one) || order.repeats === undefined));
  const others = notifications.filter((one) => !isOwn(one));
  await endNotifications(
    context,
    ended.map((waiting) => ({ waiting, order, records })),
  );
  if (others.length === 0) return;
  const now = context.now().toISOString();
  await context.store.notifications.delay(others, now, now);
  context.wakeUps.notices.wake();
}

/** A notification, the order of its session if that is kept, and the records of the names in it. */
type AnsweredNotification = {
  waiting: WaitingNotification;
  order: StoredOrder | undefined;
  records: readonly OrderRecord[];
};

/**
 * Reports notifications to the shops, except those that only repeat a known outcome. Throws StoreError.
 * @param limit the maximum number of verified notifications of one notify_url in an hour, and of others
 */
export async function endNotifications(
  context: Context,
  answered: readonly AnsweredNotification[],
  limit = MAX_REPORTED_PER_HOUR,
): Promise<void> {
  const { store, metrics, log, now } = context;
  for (const [subject, of] of Map.groupBy(answered, ({ waiting }) => waiting.subject)) {
    const at = now();
    const ends = await Promise.all(
      of.map(async (one): Promise<NotificationEnd> => {
        const { sha256, notice } = one.waiting;
        return { sha256, verified: notice.verified, ...(await eventOf(context, one)) };
      }),
    );
    const terms = { at: at.toISOString(), since: new Date(at.getTime() - HOUR_MS).toISOString() };
    const { told, limited, known } = await store.notifications.end(subject, ends, { ...terms, limit });
    metrics.notificationReported('told', told);
    metrics.notificationReported('limited', limited);
    metrics.notificationReported('known', known);
    if (limited > 0) log.warn({ session: subject, count: limited }, 'too many notifications; some are not reported');
    wakeDelivery(
      context,
      ends.flatMap(({ event }) => event ?? []),
    );
  }
}

async function eventOf(
  context: Context,
  { waiting, order, records }: AnsweredNotification,
): Promise<Pick<NotificationEnd, 'event'>> {
  const { subject, notice, received_at } = waiting;
  const rules = rulesOf(context.config);
  const isKnown =
    order !== undefined &&
    (repeatsOutcome(order, subject, notice, readRecords(order.order_no, records, rules), received_at) ||
      repeatsCharges(order, await chargedOrders(context, order, notice), notice, records, received_at));
  const [event] = isKnown ? [] : notificationReceived(context, waiting, recordsNamed(waiting, records));
  return event ? { event } : {};
}

/** The other orders that were paid by the later charges that a notification names. */
async function chargedOrders(
  { store }: Context,
  { account, order_no, charges = [] }: StoredOrder,
  { orders, trades }: NotificationContent,
): Promise<StoredOrder[]> {
  const named = charges.filter((one) => trades.includes(one.transaction_id) || orders.includes(one.order_no));
  const numbers = new Set(named.map((one) => one.order_no));
  numbers.delete(order_no);
  return numbers.size === 0 ? [] : store.orders.getMany(account, [...numbers]);
}

/** The records in the webhook: those of the transactions that the notification names, or all if there are none. */
function recordsNamed(
  { notice: { trades } }: WaitingNotification,
  records: readonly OrderRecord[],
): readonly OrderRecord[] {
  const named = records.filter(({ transaction_id }) => trades.some((name) => name === transaction_id));
  return (named.length > 0 ? named : records).slice(0, MAX_RECORDS);
}

/** When a failed query is repeated, in milliseconds; undefined at the end of the time. */
export function retryAt({ config, now }: Context, waiting: WaitingNotification): number | undefined {
  const { first_ms, give_up_ms } = config.resolve;
  const age = now().getTime() - receivedAt(waiting, now());
  return age < give_up_ms ? now().getTime() + Math.min(Math.max(age, first_ms), HOUR_MS) : undefined;
}

/** When a query is repeated that did not show the payments, in milliseconds; undefined after the last repetition. */
export function repeatAt({ now }: Context, waiting: WaitingNotification): number | undefined {
  return repeatAfter(receivedAt(waiting, now()), now().getTime());
}

/** When a notification came, in milliseconds. A clock that was ahead then makes it wait no longer. */
function receivedAt({ received_at, notice }: WaitingNotification, now: Date): number {
  return notInFuture(Date.parse(received_at), notice.ahead, now);
}

/** The notification with the time when its future `received_at` was first seen, if a clock was ahead. */
export function noted({ notice, ...waiting }: WaitingNotification, now: Date): WaitingNotification {
  const { ahead: seen, ...rest } = notice;
  const ahead = firstSeenInFuture([waiting.received_at], seen, now);
  return { ...waiting, notice: ahead === undefined ? rest : { ...rest, ahead } };
}
