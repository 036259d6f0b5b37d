import { isObject } from '../../shared/checkout/is-object.ts';
import { type OrderRecord, orderRecord } from '../../shared/gateway/query.ts';
import type { Context } from '../context/context.ts';

/** The kind of the names in a query. */
export type NameList = 'orders' | 'trades';

/** The field of a record that holds such a name. */
const fieldOf = { orders: 'order_no', trades: 'transaction_id' } as const;

/** The account and the names of a query. */
type About = { account: string; names: readonly string[]; list: NameList };

/** The records of each name, and the names with an unreadable record. `foreign` counts the records of orders that were not in the query. */
export type SortedRecords = {
  records: ReadonlyMap<string, readonly OrderRecord[]>;
  unreadable: ReadonlySet<string>;
  foreign: number;
};

/**
 * Rule 1. Reads each record of an answer and assigns it to one of the names in the query. A record belongs to the order that it names
 * exactly, otherwise to the one order of the query whose number differs only in letter case or outer blanks: the record gets that
 * order's number. A later charge of a contract is assigned to the order that began the contract, and keeps its own number. A record
 * that says that there is none is left out. Throws StoreError.
 * @returns undefined if an unreadable record has no name: it may belong to any order of the query
 */
export async function sortRecords(
  context: Context,
  about: About,
  list: readonly unknown[],
): Promise<SortedRecords | undefined> {
  const field = fieldOf[about.list];
  const { not_found } = context.config.gateway.profile.codes.query_result;
  const records = new Map<string, OrderRecord[]>(about.names.map((name) => [name, []]));
  const unreadable = new Set<string>();
  const others: OrderRecord[] = [];
  let foreign = 0;
  for (const entry of list) {
    if (not_found.includes(textIn(entry, 'query_result') ?? '')) continue;
    const read = orderRecord.safeParse(entry);
    const named = read.success ? (read.data[field] ?? '') : textIn(entry, field);
    if (named === undefined) return undefined;
    const owner = await ownerOf(context, about, named);
    if (read.success && owner !== undefined) records.get(owner)?.push({ ...read.data, [field]: owner });
    else if (read.success) others.push(read.data);
    else if (owner !== undefined) unreadable.add(owner);
    else foreign += 1;
  }
  // A query by transactions proves the absence of no order.
  if (about.list === 'trades') return { records, unreadable, foreign: 0 };
  if (others.length > 0) {
    const contracts = await contractsOf(context, about);
    for (const one of others) {
      const charged = contracts.get(one.subscription_result?.recurring_id ?? '');
      if (charged === undefined) foreign += 1;
      else records.get(charged)?.push(one);
    }
  }
  return { records, unreadable, foreign };
}

function textIn(entry: unknown, field: string): string | undefined {
  const value: unknown = isObject(entry) ? Reflect.get(entry, field) : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** The name that a record belongs to; undefined if it belongs to another one, or may belong to several. */
async function ownerOf(
  { store }: Context,
  { account, names, list }: About,
  named: string,
): Promise<string | undefined> {
  if (names.includes(named)) return named;
  if (list === 'trades') return undefined;
  const [one, ...more] = names.filter((name) => plainForm(name) === plainForm(named));
  if (one === undefined || more.length > 0) return undefined;
  const { sessions, version } = await store.orders.get(account, named);
  return sessions.length === 0 && version === 0 ? one : undefined;
}

function plainForm(orderNo: string): string {
  return orderNo.trim().toLowerCase();
}

/** The contracts of the payments of these orders, each with its order. Their later charges may have orders of their own. */
async function contractsOf({ store }: Context, { account, names }: About): Promise<ReadonlyMap<string, string>> {
  const orders = await Promise.all(names.map((name) => store.orders.get(account, name)));
  return new Map(
    orders.flatMap(({ order_no, payments }) =>
      payments.flatMap(({ recurring_id }) => (recurring_id === undefined ? [] : [[recurring_id, order_no] as const])),
    ),
  );
}
