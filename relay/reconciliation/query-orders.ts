import { isObject } from '../../shared/checkout/is-object.ts';
import { type OrderRecord, orderRecord, queryEnvelope } from '../../shared/gateway/query.ts';
import type { Account } from '../config/load.ts';
import type { QueryFault } from '../payments/session.ts';
import type { Moment } from '../payments/waited.ts';
import { type Context, momentOf } from '../store/context.ts';
import { isContentFault, isUp } from './content-fault.ts';

/**
 * What a query brought about one order. A fault is the order's `own` where it stood alone in its query and the query's
 * content can explain it; any other says that the gateway cannot be asked now.
 */
export type Asked =
  | { counted: true; records: readonly OrderRecord[] }
  | { counted: false; fault: QueryFault; own: boolean };

/** The most queries that one failed query is split into: enough to find several orders at fault among a hundred. */
const MAX_QUERIES = 40;

/** A gateway that refuses a query, and then two orders of it by themselves, is taken to refuse every query now. */
const MAX_REFUSALS = 3;

/** What is done with the answers of one query, and what is done while it is split. Each may throw StoreError. */
type Asking = {
  /** Takes what a query brought about one order. `begun` is when that query began. */
  apply(orderNo: string, asked: Asked, begun: Moment): Promise<unknown>;
  /** Keeps these orders while others are asked about first. */
  keep(orderNos: readonly string[]): Promise<unknown>;
};

/** What the names are that a query lists. */
export type NameList = 'orders' | 'trades';

/** The field of a record that holds such a name. */
const fieldOf = { orders: 'order_no', trades: 'transaction_id' } as const;

/**
 * Asks the gateway about orders of one account (at most 100, §8), or about its transactions, in one query. A query whose
 * failure its content can explain is halved until the order at fault stands alone. A `return_status` that is no success (what
 * it means is not shown, §7) may be for the content or for the account: it counts as the content's only if the gateway answers
 * something else. Each order is applied as soon as it is answered. Throws what `asking` throws.
 */
export function queryOrders(
  context: Context,
  account: Account,
  orderNos: readonly string[],
  asking: Asking,
  list: NameList = 'orders',
): Promise<void> {
  const [only, ...others] = orderNos;
  const about = {
    'turnpike.account': account.id,
    'turnpike.orders': orderNos.length,
    'turnpike.order_no': list === 'orders' && others.length === 0 ? only : undefined,
  };
  return context.tracer.work('reconcile', about, () => queryAndHalve(context, account, orderNos, asking, list));
}

async function queryAndHalve(
  context: Context,
  account: Account,
  orderNos: readonly string[],
  asking: Asking,
  list: NameList,
): Promise<void> {
  const groups = [orderNos];
  let refusals = 0;
  for (let queries = 1; groups.length > 0; queries++) {
    const group = groups.shift() ?? [];
    if (queries > 1) await asking.keep([...group, ...groups.flat()]);
    const begun = momentOf(context);
    const found = refusals < MAX_REFUSALS ? await queryGroup(context, account, group, list) : refusal;
    if (found === refusal) refusals += 1;
    const parts = typeof found === 'function' ? [] : partsOf(group, found, refusals, new Date(begun.at));
    if (parts.length > 0 && queries + groups.length + parts.length <= MAX_QUERIES) {
      groups.push(...parts);
      continue;
    }
    for (const orderNo of group) {
      const asked = typeof found === 'function' ? found(orderNo) : failed(found, group, orderNos);
      await asking.apply(orderNo, asked, begun);
    }
  }
}

/**
 * Why a whole query does not count. What it asks for can explain it (`content`) or cannot (`gateway`); `unclear` where only the
 * gateway knows, and it answered no other query of the account lately.
 */
type Failure = { fault: QueryFault; cause: 'content' | 'gateway' | 'unclear' };

const refusal: Failure = { fault: 'query_refused', cause: 'unclear' };

/** What a failed query brought about each of its orders. One that was asked about alone from the start backs off alone. */
function failed({ fault, cause }: Failure, group: readonly string[], whole: readonly string[]): Asked {
  const isOwn = cause === 'content' || (cause === 'unclear' && whole.length === 1);
  return { counted: false, fault, own: isOwn && group.length === 1 };
}

/** The queries that a failed one is split into, at a moment; none where that is of no use. */
function partsOf(group: readonly string[], { cause }: Failure, refusals: number, at: Date): readonly string[][] {
  if (group.length === 1) return [];
  if (cause === 'content') {
    const middle = Math.ceil(group.length / 2);
    return [group.slice(0, middle), group.slice(middle)];
  }
  if (cause === 'gateway' || refusals > 1) return [];
  // Two by themselves, others each time: if the gateway answers about one, what it refuses is another's fault.
  const one = at.getTime() % group.length;
  const two = (one + Math.ceil(group.length / 2)) % group.length;
  const rest = group.filter((_, n) => n !== one && n !== two);
  return [...[one, two].map((n) => group.slice(n, n + 1)), ...(rest.length > 0 ? [rest] : [])];
}

async function queryGroup(
  context: Context,
  account: Account,
  names: readonly string[],
  list: NameList,
): Promise<((name: string) => Asked) | Failure> {
  const { list_separator, codes } = context.config.gateway.profile;
  const called = await context.call('query', account, { [list]: names.join(list_separator) });
  const answeredAt = context.answeredAt.query.get(account.id);
  if (called.kind !== 'answer') {
    const fault = called.kind === 'refused' ? 'query_refused' : 'query_unanswered';
    return { fault, cause: isContentFault(called, answeredAt, context.now()) ? 'content' : 'gateway' };
  }
  const answer = queryEnvelope.parse(called.message);
  if (answer.merchant_id !== account.merchant_id || answer.account_id !== account.account_id) {
    return { fault: 'query_unanswered', cause: 'gateway' };
  }
  if (!codes.return_status.success.includes(answer.return_status ?? '')) {
    return isUp(answeredAt, context.now()) ? { fault: 'query_refused', cause: 'content' } : refusal;
  }
  context.answeredAt.query.set(account.id, context.now().getTime());
  return recordsOf(names, answer.orders_list ?? [], fieldOf[list]);
}

/** Reads each record by itself. One that cannot be read hides its own order; one that names no order, all of them. */
function recordsOf(
  names: readonly string[],
  list: readonly unknown[],
  field: (typeof fieldOf)[NameList],
): ((name: string) => Asked) | Failure {
  const records = new Map<string, OrderRecord[]>(names.map((name) => [name, []]));
  const unreadable = new Set<string>();
  for (const entry of list) {
    const read = orderRecord.safeParse(entry);
    if (read.success) {
      records.get(read.data[field] ?? '')?.push(read.data);
      continue;
    }
    const named: unknown = isObject(entry) && field in entry ? Reflect.get(entry, field) : undefined;
    if (typeof named !== 'string') return { fault: 'query_unanswered', cause: 'content' };
    unreadable.add(named);
  }
  return (name) =>
    unreadable.has(name)
      ? { counted: false, fault: 'query_unanswered', own: true }
      : { counted: true, records: records.get(name) ?? [] };
}
