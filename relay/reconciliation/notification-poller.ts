import type { OrderRecord } from '../../shared/gateway/query.ts';
import { logFailure, type Polling, startPolling } from '../base/polling.ts';
import { accountOf, type Context, leaseOf } from '../context/context.ts';
import type { StoredOrder } from '../payments/order.ts';
import type { WaitingNotification } from '../store/facets/notifications.ts';
import {
  endNotifications,
  isShownIn,
  noted,
  repeatAt,
  retryAt,
  waitingBeside,
  withinLimit,
} from './notification-ends.ts';
import { type OrderQueryAnswer, queryOrders } from './query-orders.ts';
import { canReconcile, type Reconciled, reconcileOrder } from './reconcile.ts';
import { takeUpCharges } from './renewals.ts';
import type { NameList } from './sort-records.ts';

/** The maximum number of names in one query (§8), and of notifications that are leased at once. */
const BATCH = 100;

/** Between two polls that nothing wakes. */
const PAUSE_MS = 5000;

/** Polls for due notifications until stopped. `stop` waits for the running poll. */
export function startNotificationPoller(context: Context): Polling {
  const poll = (stopping: AbortSignal): Promise<void> => pollNotifications(context, stopping);
  return startPolling(context.log, 'notices', PAUSE_MS, poll, context.wakeUps.notices);
}

/**
 * Queries the orders and transactions that due notifications name, a hundred in a query, and reports the notifications to the shops.
 * Orders of the relay have their own queries, which come first. Failed queries repeat for a day, unshown payments for an hour: after that
 * the shop gets the notification without records. Notifications over the limit of the hour end without a query. Throws StoreError.
 */
async function pollNotifications(context: Context, stopping?: AbortSignal): Promise<void> {
  const accounts = context.config.accounts.map(({ id }) => id);
  for (;;) {
    const due = await context.store.notifications.leaseDue(leaseOf(context, BATCH), accounts);
    const groups = [...Map.groupBy(due, ({ account }) => account)];
    const asking = groups.map(([account, notifications]) =>
      handleDue(context, account, notifications, stopping).catch((error: unknown) =>
        logFailure(context.log, 'notices', error),
      ),
    );
    await Promise.all(asking);
    if (due.length < BATCH || stopping?.aborted) return;
  }
}

/** A due notification, the order of its session if that is kept, and the orders that it is about. */
type Due = { waiting: WaitingNotification; order: StoredOrder | undefined; names: readonly string[] };

async function handleDue(
  context: Context,
  account: string,
  leased: readonly WaitingNotification[],
  stopping?: AbortSignal,
): Promise<void> {
  const notifications = await refuseOverLimit(context, leased);
  const at = context.now().toISOString();
  const due = await dueOf(context, notifications);
  const delayed = await withOwnQueryToCome(
    context,
    account,
    due.flatMap(({ names }) => names),
  );
  const isDelayed = ({ names }: Due): boolean => names.some((name) => delayed.has(name));
  const ready = due.filter((one) => !isDelayed(one));
  const answers = await queryNamed(context, account, notifications, ready, stopping);
  const shown = [...answers.byOrder.values(), ...answers.byTrade.values()].filter(({ counted }) => counted);
  const known = due.flatMap(({ order }) => order ?? []);
  await takeUpCharges(context, { account, records: shown.flatMap(recordsIn), at }, known);
  await planOrEnd(context, due, answers, isDelayed);
}

/** Ends the notifications over the limit of this hour without a query, and returns the others. Throws StoreError. */
async function refuseOverLimit(
  context: Context,
  leased: readonly WaitingNotification[],
): Promise<readonly WaitingNotification[]> {
  const within = await withinLimit(context, leased, await waitingBeside(context, leased));
  const over = leased.filter((waiting) => !within.has(waiting));
  await endNotifications(
    context,
    over.map((waiting) => ({ waiting, order: undefined, records: [] })),
    0,
  );
  return [...within];
}

/** The results of queries for the names in notifications, by order number and by transaction_id. */
type NamedAnswers = Record<'byOrder' | 'byTrade', ReadonlyMap<string, OrderQueryAnswer>>;

/** Queries the orders that notifications name, then the transactions that these queries did not show. Throws StoreError. */
async function queryNamed(
  context: Context,
  account: string,
  notifications: readonly WaitingNotification[],
  ready: readonly Due[],
  stopping?: AbortSignal,
): Promise<NamedAnswers> {
  const own = await reconcileOwn(context, ready);
  const others = ready.flatMap(({ names }) => names).filter((name) => !own.has(name));
  const byOrder = await queryNames(context, account, notifications, others, 'orders', stopping);
  for (const [name, { counted, records }] of own) {
    byOrder.set(name, counted ? { counted, records } : { counted, fault: 'query_unanswered', own: false });
  }
  const seen = new Set([...byOrder.values()].flatMap(recordsIn).map(({ transaction_id }) => transaction_id));
  const unseen = ready.flatMap(({ waiting }) => waiting.notice.trades).filter((name) => !seen.has(name));
  const byTrade = await queryNames(context, account, notifications, unseen, 'trades', stopping);
  await settleShown(context, account, ready, byTrade);
  return { byOrder, byTrade };
}

/** Plans the next query for failed queries and unshown names, and ends the other notifications. Throws StoreError. */
async function planOrEnd(
  context: Context,
  due: readonly Due[],
  { byOrder, byTrade }: NamedAnswers,
  isDelayed: (one: Due) => boolean,
): Promise<void> {
  // Events of these orders may have reported the records.
  const orders = await ordersOf(
    context,
    due.map(({ waiting }) => waiting),
  );
  const answered = due.map((one) => {
    const { waiting, names } = one;
    const all = [...names.map((name) => byOrder.get(name)), ...waiting.notice.trades.map((name) => byTrade.get(name))];
    const found = all.filter((answer) => answer !== undefined);
    const isUnanswered = isDelayed(one) || found.some((answer) => !answer.counted && !answer.own);
    const records = found.flatMap(recordsIn);
    const again = isUnanswered
      ? retryAt(context, waiting)
      : isShownIn(records)(waiting)
        ? undefined
        : repeatAt(context, waiting);
    return { waiting, order: orders.get(waiting.subject), again, records };
  });
  await endNotifications(
    context,
    answered.filter(({ again }) => again === undefined),
  );
  for (const { again, waiting } of answered) {
    if (again === undefined) continue;
    const now = context.now();
    await context.store.notifications.delay([noted(waiting, now)], new Date(again).toISOString(), now.toISOString());
  }
}

/** The kept orders of the notifications' sessions, by session id. */
async function ordersOf(
  { store }: Context,
  notifications: readonly WaitingNotification[],
): Promise<ReadonlyMap<string, StoredOrder | undefined>> {
  const orders = new Map<string, StoredOrder | undefined>();
  for (const { subject } of notifications) {
    if (!orders.has(subject)) orders.set(subject, await store.orders.ofSession(subject));
  }
  return orders;
}

async function dueOf(context: Context, notifications: readonly WaitingNotification[]): Promise<Due[]> {
  const orders = await ordersOf(context, notifications);
  return notifications.map((waiting) => {
    const order = orders.get(waiting.subject);
    const { notice } = waiting;
    const isAboutOwn = notice.orders.length === 0 && order !== undefined;
    return { waiting, order, names: isAboutOwn ? [order.order_no] : notice.orders };
  });
}

/** The known orders among these that no counted query has followed since their notifications. */
async function withOwnQueryToCome(
  { store }: Context,
  account: string,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const name of new Set(names)) {
    const { sessions, payments, notices, noticed } = await store.orders.get(account, name);
    if ((sessions.length > 0 || payments.length > 0) && notices > noticed) found.add(name);
  }
  return found;
}

/** Queries the orders of the notifications' sessions, if the notifications name them, and applies the results. */
async function reconcileOwn(context: Context, due: readonly Due[]): Promise<ReadonlyMap<string, Reconciled>> {
  const own = new Map(
    due.flatMap(({ order, names }) => (order && names.includes(order.order_no) ? [[order.order_no, order]] : [])),
  );
  const asking = [...own].map(async ([name, order]) => [name, await reconcileOrder(context, order)] as const);
  return new Map(await Promise.all(asking));
}

/**
 * Queries the known orders whose transactions these records show: a query by transaction_id settles no order. They are the orders that
 * the records name, and those of the notified sessions: a gateway may write an order number differently.
 */
async function settleShown(
  context: Context,
  account: string,
  due: readonly Due[],
  byTrade: ReadonlyMap<string, OrderQueryAnswer>,
): Promise<void> {
  const named = [...byTrade.values()].flatMap(recordsIn).flatMap(({ order_no }) => order_no ?? []);
  const notified = due
    .filter(({ waiting }) => waiting.notice.trades.some((trade) => byTrade.get(trade)?.records?.length))
    .flatMap(({ order }) => order?.order_no ?? []);
  const names = [...new Set([...named, ...notified])];
  const orders = await Promise.all(names.map((name) => context.store.orders.get(account, name)));
  await Promise.all(orders.filter(canReconcile).map((order) => reconcileOrder(context, order)));
}

/** The results of queries for these names; none for a name that was not queried. */
async function queryNames(
  context: Context,
  accountId: string,
  notifications: readonly WaitingNotification[],
  names: readonly string[],
  list: NameList,
  stopping: AbortSignal | undefined,
): Promise<Map<string, OrderQueryAnswer>> {
  const account = accountOf(context, accountId);
  const found = new Map<string, OrderQueryAnswer>();
  const left = [...new Set(names)];
  while (left.length > 0) {
    await queryOrders(
      context,
      account,
      left.splice(0, BATCH),
      {
        async apply(answers) {
          for (const [name, one] of answers) found.set(name, one);
        },
        keep: () => {
          const { now, until } = leaseOf(context, BATCH);
          return context.store.notifications.delay(notifications, until, now);
        },
        stopping,
      },
      list,
    );
  }
  return found;
}

function recordsIn(answer: OrderQueryAnswer): readonly OrderRecord[] {
  return answer.records ?? [];
}
