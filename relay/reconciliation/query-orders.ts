import { isObject } from '../../shared/checkout/is-object.ts';
import { type OrderRecord, orderRecord, queryEnvelope } from '../../shared/gateway/query.ts';
import type { Account } from '../config/load.ts';
import type { QueryFault } from '../payments/session.ts';
import type { Context } from '../store/context.ts';
import { isContentFault } from './content-fault.ts';

/**
 * What a query brought about one order. A fault is the order's `own` where it stood alone in its query and the query's
 * content can explain it; any other says that the gateway cannot be asked now.
 */
export type Asked =
  | { counted: true; records: readonly OrderRecord[] }
  | { counted: false; fault: QueryFault; own: boolean };

/** The most queries that one failed query is split into: enough to find several orders at fault among a hundred. */
const MAX_QUERIES = 40;

/** What is done with the answers of one query, and what is done while it is split. Each may throw StoreError. */
type Asking = {
  /** Takes what a query brought about one order. `begunAt` is when that query began. */
  apply(orderNo: string, asked: Asked, begunAt: Date): Promise<unknown>;
  /** Keeps these orders while others are asked about first. */
  keep(orderNos: readonly string[]): Promise<unknown>;
};

/** What the names are that a query lists. */
export type NameList = 'orders' | 'trades';

/** The field of a record that holds such a name. */
const fieldOf = { orders: 'order_no', trades: 'transaction_id' } as const;

/**
 * Asks the gateway about orders of one account (at most 100, §8), or about its transactions, in one query. A query whose
 * failure its content can explain is halved until the order at fault stands alone. Each order is applied as soon as it is
 * answered. Throws what `asking` throws.
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
  for (let queries = 1; groups.length > 0; queries++) {
    const group = groups.shift() ?? [];
    if (queries > 1) await asking.keep([...group, ...groups.flat()]);
    const begunAt = context.now();
    const found = await queryGroup(context, account, group, list);
    if (typeof found !== 'function' && found.own && group.length > 1 && queries < MAX_QUERIES) {
      const middle = Math.ceil(group.length / 2);
      groups.push(group.slice(0, middle), group.slice(middle));
      continue;
    }
    for (const orderNo of group) {
      const asked = typeof found === 'function' ? found(orderNo) : { ...found, own: found.own && group.length === 1 };
      await asking.apply(orderNo, asked, begunAt);
    }
  }
}

type GroupFault = Extract<Asked, { counted: false }>;

async function queryGroup(
  context: Context,
  account: Account,
  names: readonly string[],
  list: NameList,
): Promise<((name: string) => Asked) | GroupFault> {
  const { list_separator, codes } = context.config.gateway.profile;
  const called = await context.call('query', account, { [list]: names.join(list_separator) });
  if (called.kind !== 'answer') {
    const fault = called.kind === 'refused' ? 'query_refused' : 'query_unanswered';
    return { counted: false, fault, own: isContentFault(called, context.answeredAt.get(account.id), context.now()) };
  }
  const answer = queryEnvelope.parse(called.message);
  if (answer.merchant_id !== account.merchant_id || answer.account_id !== account.account_id) {
    return { counted: false, fault: 'query_unanswered', own: false };
  }
  if (!codes.return_status.success.includes(answer.return_status ?? '')) {
    return { counted: false, fault: 'query_refused', own: true };
  }
  context.answeredAt.set(account.id, context.now().getTime());
  return recordsOf(names, answer.orders_list ?? [], fieldOf[list]);
}

/** Reads each record by itself. One that cannot be read hides its own order; one that names no order, all of them. */
function recordsOf(
  names: readonly string[],
  list: readonly unknown[],
  field: (typeof fieldOf)[NameList],
): ((name: string) => Asked) | GroupFault {
  const records = new Map<string, OrderRecord[]>(names.map((name) => [name, []]));
  const unreadable = new Set<string>();
  for (const entry of list) {
    const read = orderRecord.safeParse(entry);
    if (read.success) {
      records.get(read.data[field] ?? '')?.push(read.data);
      continue;
    }
    const named: unknown = isObject(entry) && field in entry ? Reflect.get(entry, field) : undefined;
    if (typeof named !== 'string') return { counted: false, fault: 'query_unanswered', own: true };
    unreadable.add(named);
  }
  return (name) =>
    unreadable.has(name)
      ? { counted: false, fault: 'query_unanswered', own: true }
      : { counted: true, records: records.get(name) ?? [] };
}
