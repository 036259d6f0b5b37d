import type { OrderRecord } from '../../shared/gateway/query.ts';
import { within } from '../base/bounded.ts';
import { pause } from '../base/polling.ts';
import { type KnownPayments, updatePayments } from '../commit/commit.ts';
import type { Account } from '../config/load.ts';
import { rulesOf } from '../config/rules.ts';
import { accountOf, type Context, leaseOf } from '../context/context.ts';
import { historiesOf } from '../context/histories.ts';
import { identifierIn } from '../gateway/outcome.ts';
import type { Moment } from '../payments/absence-clock.ts';
import { isUnsettled, isWatched } from '../payments/attempt.ts';
import { mayHaveRecords, type OrderQuery, type StoredOrder, transactionIdsOf } from '../payments/order.ts';
import { minQueryGap } from '../payments/schedule.ts';
import { clockOffsets, readRecords } from '../payments/settlement/records.ts';
import { settleOrder } from '../payments/settlement/settle-order.ts';
import type { OrderKey } from '../store/facets/orders.ts';
import { endByOwnQuery, notificationsBefore } from './notification-ends.ts';
import { type OrderQueryAnswer, queryOrders } from './query-orders.ts';
import { takeUpCharges } from './renewals.ts';

/** The result of a query about an order: whether it counted, its records, and the order as it is now. */
export type Reconciled = { counted: boolean; records: readonly OrderRecord[]; order: StoredOrder };

/** The maximum time that a request waits for the gateway, in milliseconds. A query that has begun continues. */
export const MAX_WAIT_MS = 10_000;

/** The time between two tries to lease an order that another relay queries. */
const LEASE_PAUSE_MS = 100;

/**
 * Queries one order after this call, and applies the result. Calls that come before the query begins share it. Two queries about one
 * order never overlap, and begin at least two seconds apart. A result after ten seconds does not count for the call. Throws StoreError.
 * @param deadline by `context.monotonic`: until when the request waits
 */
export async function reconcileOrder(
  context: Context,
  key: OrderKey,
  deadline = context.monotonic() + MAX_WAIT_MS,
): Promise<Reconciled> {
  const asking = context.queries.next(
    `${key.account} ${key.order_no}`,
    () => leaseNow(context, key),
    () => queryNow(context, key),
  );
  // After the wait, an error of the store has no receiver.
  asking.catch(() => undefined);
  const records = await within(asking, Math.max(deadline - context.monotonic(), 0));
  const order = await context.store.orders.get(key.account, key.order_no);
  return { counted: records !== undefined, records: records ?? [], order };
}

/**
 * Queries an order that the relay does not know, and applies the later charges with its number. Returns within ten seconds; a later
 * result is still applied. Throws StoreError.
 */
export async function applyCharges(context: Context, account: Account, orderNo: string): Promise<void> {
  const asking = queryOrders(context, account, [orderNo], {
    async apply(answers, { at }) {
      for (const one of answers.values()) {
        if (one.counted) await takeUpCharges(context, { account: account.id, records: one.records, at });
      }
    },
    keep: async () => undefined,
  });
  // After the wait, an error of the store has no receiver.
  asking.catch(() => undefined);
  await within(asking, MAX_WAIT_MS);
}

/** Whether a query can find records of an order. */
export const canReconcile = mayHaveRecords;

/** Whether a query can change the order: a part of it is undecided, or may still be charged. */
export function canQueryChange({ attempts, undecided, hold }: StoredOrder): boolean {
  if (hold === 'paid') return false;
  return undecided !== undefined || attempts.some((one) => isUnsettled(one) || isWatched(one));
}

/** Queries a leased order; undefined if the query does not count. */
async function queryNow(context: Context, key: OrderKey): Promise<readonly OrderRecord[] | undefined> {
  try {
    const account = accountOf(context, key.account);
    const before = await context.store.orders.get(key.account, key.order_no);
    let records: readonly OrderRecord[] | undefined;
    await queryOrders(context, account, [key.order_no], {
      async apply(answers, begun) {
        for (const one of answers.values()) {
          await applyQuery(context, before, one, begun);
          records = one.counted ? one.records : undefined;
        }
      },
      keep: async () => undefined,
    });
    return records;
  } catch (error) {
    // If this fails, too, the lease expires.
    await context.store.orders.release(key, context.now().toISOString()).catch(() => undefined);
    throw error;
  }
}

/** Waits until no other query about the order runs and the last one is long enough ago. False if that takes too long. */
async function leaseNow(context: Context, key: OrderKey): Promise<boolean> {
  const gap = minQueryGap(rulesOf(context.config));
  for (const end = context.monotonic() + MAX_WAIT_MS; context.monotonic() < end; ) {
    const lease = leaseOf(context, 1);
    const quietSince = new Date(Date.parse(lease.now) - gap).toISOString();
    const leased = await context.store.orders.lease(key, lease, quietSince);
    if (leased.kind === 'leased') return true;
    const quiet = Date.parse(leased.until) + gap - Date.parse(lease.now);
    const wait = leased.until > lease.now ? LEASE_PAUSE_MS : Math.min(Math.max(quiet, 1), gap);
    await pause(wait, new AbortController().signal);
  }
  return false;
}

/** Settles the current order by a query, and repeats that until no other write came between. */
async function settle(
  context: Context,
  key: OrderKey,
  query: OrderQuery,
  known: KnownPayments | undefined,
): Promise<StoredOrder> {
  const { order } = await updatePayments(
    context,
    key,
    (before) => paymentIdsOf(before, query),
    (before, histories) => settleOrder(before, { ...query, histories }, context.now(), rulesOf(context.config)),
    () => ({ release: context.now().toISOString() }),
    known,
  );
  return order;
}

/** The payments of an order, known or shown by a query. */
function paymentIdsOf(order: StoredOrder, { records = [] }: Pick<OrderQuery, 'records'>): string[] {
  return [...transactionIdsOf(order), ...records.flatMap(({ transaction_id }) => identifierIn(transaction_id) ?? [])];
}

/** The order after the later charges in its records were applied. Throws StoreError. */
async function withCharges(
  context: Context,
  order: StoredOrder,
  records: readonly OrderRecord[],
  { at }: Moment,
): Promise<StoredOrder> {
  const { account, order_no } = order;
  const isNew = await takeUpCharges(context, { account, records, at }, [order]);
  return isNew ? context.store.orders.get(account, order_no) : order;
}

/** An order before a query, and the result of the query for it. */
type AnsweredOrder = { before: StoredOrder; answer: OrderQueryAnswer };

/**
 * Applies the results of a query to orders of an account at the same time, and reads their data together. Throws the first error after all
 * were applied.
 */
export async function applyQueries(
  context: Context,
  account: string,
  of: readonly AnsweredOrder[],
  begun: Moment,
): Promise<void> {
  const orders = await context.store.orders.getMany(
    account,
    of.map(({ before }) => before.order_no),
  );
  const byNumber = new Map(orders.map((order) => [order.order_no, order]));
  const ids = of.flatMap(({ before, answer: { records = [] } }) =>
    paymentIdsOf(byNumber.get(before.order_no) ?? before, { records }),
  );
  const histories = await historiesOf(context, account, ids);
  const applied = await Promise.allSettled(
    of.map(({ before, answer }) => {
      const order = byNumber.get(before.order_no);
      return applyQuery(context, before, answer, begun, order && { order, histories });
    }),
  );
  for (const one of applied) if (one.status === 'rejected') throw one.reason;
}

/**
 * Applies the result of a query to an order, and releases the order for the next query. Throws StoreError.
 * @param known the order as read after the query, if it was read
 */
export async function applyQuery(
  context: Context,
  before: StoredOrder,
  answer: OrderQueryAnswer,
  begun: Moment,
  known?: KnownPayments,
): Promise<StoredOrder> {
  const begunAt = new Date(begun.at);
  const notifications = answer.counted ? await notificationsBefore(context, before, begunAt) : [];
  const settled = await settle(context, before, { begun, notices: before.notices, ...answer }, known);
  const after = answer.counted ? await withCharges(context, settled, answer.records, begun) : settled;
  const offsets = answer.counted
    ? clockOffsets(after, readRecords(after.order_no, answer.records, rulesOf(context.config)), begunAt)
    : 0;
  if (offsets > 0) {
    context.metrics.recordClockOffset(offsets);
    context.log.warn({ count: offsets }, 'records are dated outside their attempts: check gateway_time_zone');
  }
  const result = answer.counted ? (after.undecided?.reason ?? after.hold) : answer.fault;
  context.log.info({ account: before.account, session: before.sessions.at(-1)?.id, result }, 'order queried');
  if (answer.counted && notifications.length > 0) await endByOwnQuery(context, after, notifications, answer.records);
  return after;
}
