import { type OrderRecord, queryEnvelope } from '../../shared/gateway/query.ts';
import type { Account } from '../config/load.ts';
import { type Context, momentOf } from '../context/context.ts';
import type { Moment } from '../payments/absence-clock.ts';
import type { QueryFault } from '../payments/session.ts';
import { type FailureCause, failureCause, hasAnsweredLately, MAX_UNCLEAR, partsOf } from './content-fault.ts';
import { type NameList, type SortedRecords, sortRecords } from './sort-records.ts';

/**
 * The result of a query for one order. A fault is the order's `own` if the order was alone in its query and the query's
 * content can explain the fault; otherwise the gateway cannot be queried now. `apart`: any query that names this order
 * would fail. The `records` of a query that does not count still prove payments, but do not prove that there are no
 * others.
 */
export type OrderQueryAnswer =
  | { counted: true; records: readonly OrderRecord[] }
  | { counted: false; fault: QueryFault; own: boolean; apart?: boolean; records?: readonly OrderRecord[] };

/** The maximum number of queries for one that failed, including itself: enough to find one order among a hundred. */
const MAX_QUERIES = 20;

/** The callbacks of a query: for its answers, and while it is split. Each may throw StoreError. */
type QueryHandlers = {
  /** Takes the result of a query for some of its orders, by their numbers. `begun` is when that query began. */
  apply(answers: ReadonlyMap<string, OrderQueryAnswer>, begun: Moment): Promise<unknown>;
  /** Keeps the leases of these orders while others are queried first. */
  keep(orderNos: readonly string[]): Promise<unknown>;
  /** No query begins after it is aborted: the remaining orders are applied as not queried. */
  stopping?: AbortSignal | undefined;
};

/**
 * Queries orders of one account (at most 100, §8), or its transactions, in one query. A query whose failure its content can explain is
 * halved until the order at fault is alone. One such split for orders, and one for transactions, runs at a time for each account in this
 * process. Relays on one store may split queries at the same time, never for the same order: leases separate their orders.
 * The content, the account or the gateway may be the cause of a `return_status` that is no success (§7 does not define it), of a 5xx and
 * of a timeout: the content counts as the cause only if the gateway answers another query. Each order is applied as soon as it is
 * answered. Throws the errors of `handlers`.
 */
export function queryOrders(
  context: Context,
  account: Account,
  orderNos: readonly string[],
  handlers: QueryHandlers,
  list: NameList = 'orders',
): Promise<void> {
  const [only, ...others] = orderNos;
  const about = {
    'turnpike.account': account.id,
    'turnpike.orders': orderNos.length,
    'turnpike.order_no': list === 'orders' && others.length === 0 ? only : undefined,
  };
  return context.tracer.work('reconcile', about, () => queryAndHalve(context, account, orderNos, handlers, list));
}

async function queryAndHalve(
  context: Context,
  account: Account,
  orderNos: readonly string[],
  handlers: QueryHandlers,
  list: NameList,
): Promise<void> {
  const begun = momentOf(context);
  if (handlers.stopping?.aborted) return apply(notQueried, orderNos, orderNos, handlers, begun);
  const found = await queryGroup(context, account, orderNos, list);
  const parts = partsOf(orderNos, found.cause, 0, Date.parse(begun.at));
  const search = `${account.id} ${list}`;
  if (parts.length === 0 || context.splitQueries.has(search)) return apply(found, orderNos, orderNos, handlers, begun);
  context.splitQueries.add(search);
  try {
    await queryParts(context, account, { parts, whole: orderNos }, handlers, list);
  } finally {
    context.splitQueries.delete(search);
  }
}

/** Queries the parts of a query that failed, and splits the parts that fail. */
async function queryParts(
  context: Context,
  account: Account,
  { parts, whole }: { parts: readonly (readonly string[])[]; whole: readonly string[] },
  handlers: QueryHandlers,
  list: NameList,
): Promise<void> {
  const groups = [...parts];
  let unclear: Failure[] = [];
  for (let queries = 2; groups.length > 0; queries++) {
    if (handlers.stopping?.aborted) return apply(notQueried, groups.flat(), whole, handlers, momentOf(context));
    const group = groups.shift() ?? [];
    await handlers.keep([...group, ...groups.flat()]);
    const begun = momentOf(context);
    const [last] = unclear;
    const found =
      last && unclear.length + 1 >= MAX_UNCLEAR ? last : await queryGroup(context, account, group, list, true);
    if (found.cause === 'unclear') unclear = [found, ...unclear];
    const more = partsOf(group, found.cause, unclear.length, Date.parse(begun.at));
    if (more.length > 0 && queries + groups.length + more.length <= MAX_QUERIES) groups.unshift(...more);
    else await apply(found, group, whole, handlers, begun);
  }
}

/**
 * The maximum number of orders whose results are applied at once: PostgreSQL writes this many in one batch. More would
 * delay payments.
 */
const AT_ONCE = 50;

/** Applies the result of a query to its orders. */
async function apply(
  found: Found,
  group: readonly string[],
  whole: readonly string[],
  handlers: QueryHandlers,
  begun: Moment,
): Promise<void> {
  for (let at = 0; at < group.length; at += AT_ONCE) {
    const names = group.slice(at, at + AT_ONCE);
    await handlers.apply(new Map(names.map((name) => [name, answerOf(found, name, group, whole)])), begun);
  }
}

/** Why a whole query does not count; `no_list`: the gateway answered without a list. */
type Failure = { fault: QueryFault; cause: FailureCause | 'no_list' };

/** The result of one query. `content` with records: some records belong to orders that were not in the query. */
type Found = Failure | (SortedRecords & { cause?: 'content' });

const refusal: Failure = { fault: 'query_refused', cause: 'unclear' };

const notQueried: Failure = { fault: 'query_unanswered', cause: 'gateway' };

/** The result of a query for one of its orders. One that was refused alone from the start backs off alone. */
function answerOf(found: Found, orderNo: string, group: readonly string[], whole: readonly string[]): OrderQueryAnswer {
  const { cause } = found;
  const apart = cause === 'content' && group.length === 1;
  if ('fault' in found) {
    const { fault } = found;
    const isRefusedAlone = cause === 'unclear' && fault === 'query_refused' && whole.length === 1;
    return { counted: false, fault, own: apart || isRefusedAlone || cause === 'no_list', apart };
  }
  const fault = 'query_unanswered';
  if (found.unreadable.has(orderNo)) return { counted: false, fault, own: true };
  const records = found.records.get(orderNo) ?? [];
  return cause === undefined ? { counted: true, records } : { counted: false, fault, own: apart, apart, records };
}

async function queryGroup(
  context: Context,
  account: Account,
  names: readonly string[],
  list: NameList,
  isPart = false,
): Promise<Found> {
  const { profile, timeout_ms } = context.config.gateway;
  const { list_separator, codes, query_without_list } = profile;
  const message = { [list]: names.join(list_separator) };
  // A timeout may be longer than the time for which an answer shows that the gateway is up.
  const begun = context.monotonic();
  // A part is sent once: it fails because of its content, or is queried again later.
  const called = await context.call('query', account, message, {}, isPart ? timeout_ms : undefined);
  const answeredAt = context.lastAnswers.query.get(account.id);
  if (called.kind !== 'answer') {
    const fault = called.kind === 'refused' ? 'query_refused' : 'query_unanswered';
    return { fault, cause: failureCause(called, answeredAt, begun) };
  }
  const answer = queryEnvelope.parse(called.message);
  if (answer.merchant_id !== account.merchant_id || answer.account_id !== account.account_id) {
    return { fault: 'query_unanswered', cause: 'gateway' };
  }
  if (!codes.return_status.success.includes(answer.return_status ?? '')) {
    return hasAnsweredLately(answeredAt, begun) ? { fault: 'query_refused', cause: 'content' } : refusal;
  }
  context.lastAnswers.query.set(account.id, context.monotonic());
  const listed = answer.orders_list ?? (query_without_list === 'empty' ? [] : undefined);
  if (!listed) {
    context.log.warn({ account: account.id }, 'a query was answered without orders_list, so it does not count');
    return { fault: 'query_unanswered', cause: 'no_list' };
  }
  const sorted = await sortRecords(context, { account: account.id, names, list }, listed);
  if (!sorted) return { fault: 'query_unanswered', cause: 'content' };
  if (sorted.foreign === 0) return sorted;
  context.metrics.foreignRecords(sorted.foreign);
  const of = { account: account.id, count: sorted.foreign };
  context.log.warn(of, 'a query brought records of orders that it did not name, so it proves no absence');
  return { ...sorted, cause: 'content' };
}
