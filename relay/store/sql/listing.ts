import { type StoredOrder, transactionIdsOf } from '../../payments/order.ts';
import {
  afterPrefix,
  candidateFrom,
  changeOfTerms,
  type Describe,
  findOrders,
  type KeptHistory,
  type ListedOrder,
  type Listing,
  type ListingStore,
  type ListReads,
} from '../facets/listing.ts';
import type { OrderKey } from '../facets/orders.ts';
import type { Row } from '../row.ts';
import { operationFrom } from '../rows.ts';
import { paymentHistory, readHistory } from './payments/history.ts';
import { type ListedPayments, listedPayments } from './payments/listed.ts';
import { ask, type Plan, run, type Sql, statementsOf } from './plan.ts';

/** The parts of the list that differ between the databases. */
export type ListParts = {
  /** Waits until no other relay updates the list, or returns false at once (`skip`). */
  lockList(whenBusy: 'wait' | 'skip'): Plan<boolean>;
  /** The orders with these keys, which no other request reads soon. */
  readOrders(keys: readonly OrderKey[]): Plan<readonly StoredOrder[]>;
};

/** An order to list, and a term by which an order is no longer found. */
type Listed = OrderKey & { created_at: number; terms: string; summary: string };
type Added = OrderKey & { added: string };
type Dropped = { account: string; term: string; created_at: number; order_id: string };

/** The history of payments without operations. */
const noHistory: KeptHistory = { operations: [], refunds: [], taken: new Map() };

/** The maximum number of terms with one beginning that are sorted: this many are read within milliseconds. */
const MAX_SORTED = 20_000;

/** The number of turns whose changes are searched for further changes of the same orders. */
const LOOK_AHEAD = 5;

/** The list of orders, and the operations of each order. */
export function listing(db: Sql, parts: ListParts): ListingStore {
  const sql = statements(db);
  const history = paymentHistory(db);
  const keepPayments = listedPayments(db);

  const reads: ListReads = {
    walk: async (account, term, { order, after, end, limit }) => {
      const walk = order === 'newest' ? sql.walkOrders : sql.walkOldestOrders;
      return (await db.read(walk, account, term, end, after.created_at, after.id, limit)).map(candidateFrom);
    },
    startingWith: async (account, prefix, limit) => {
      const range = [account, prefix, afterPrefix(prefix)] as const;
      // Terms alone first: nearly all orders match a short prefix, and none of them is useful.
      if (await db.finds(sql.moreOrdersStartingWith, ...range, limit)) return undefined;
      return (await db.read(sql.ordersStartingWith, ...range, limit)).map(candidateFrom);
    },
  };

  /** The histories of the payments of these orders, by account. */
  function* historiesIn(orders: readonly StoredOrder[]): Plan<ReadonlyMap<string, KeptHistory>> {
    const histories = new Map<string, KeptHistory>();
    for (const [account, own] of Map.groupBy(orders, (order) => order.account)) {
      const ids = own.flatMap(transactionIdsOf);
      if (ids.length > 0) histories.set(account, yield* readHistory(history, account, ids));
    }
    return histories;
  }

  /** Lists the orders in these rows in their present state. */
  function* listOrders(waiting: readonly Row[], describe: Describe): Plan<void> {
    const named = waiting.flatMap(({ account, order_no }) =>
      typeof order_no === 'string' ? [{ account: String(account), order_no }] : [],
    );
    const keys = [...new Map(named.map((key) => [`${key.account} ${key.order_no}`, key])).values()];
    if (keys.length === 0) return;
    const orders = yield* parts.readOrders(keys);
    const histories = yield* historiesIn(orders);
    const listed = yield* ask(sql.listedOrders, { records: keys });
    const before = new Map(listed.map((row) => [`${row.account} ${row.order_no}`, row]));
    const [now, added, dropped, gone]: [Listed[], Added[], Dropped[], string[]] = [[], [], [], []];
    const payments: ListedPayments[] = [];
    for (const [i, key] of keys.entries()) {
      const order = orders[i];
      const known = before.get(`${key.account} ${key.order_no}`);
      const listing = order && describe.order(order, histories.get(key.account) ?? noHistory);
      const change = changeOfListing(key, listing, known);
      payments.push({ key, counted: listing?.payments ?? [] });
      dropped.push(...change.dropped);
      if (change.listed) now.push(change.listed);
      else if (known && !listing) gone.push(String(known.id));
      if (change.added.length > 0) added.push({ ...key, added: JSON.stringify(change.added) });
    }
    yield* keepPayments(
      keys.filter((key) => before.has(`${key.account} ${key.order_no}`)),
      payments,
    );
    // Most changes of an order change no term.
    yield* run(
      ...(dropped.length > 0 ? [[sql.dropOrderTerms, { records: dropped }] as const] : []),
      ...(gone.length > 0 ? [[sql.unlistOrders, gone] as const] : []),
      ...(now.length > 0 ? [[sql.listOrders, { records: now }] as const] : []),
      ...(added.length > 0 ? [[sql.addOrderTerms, { records: added }] as const] : []),
    );
  }

  function* listOperations(waiting: readonly Row[], describe: Describe): Plan<void> {
    const ids = waiting.flatMap(({ operation_id }) => (typeof operation_id === 'string' ? [operation_id] : []));
    if (ids.length === 0) return;
    const terms = (yield* ask(sql.operationsById, ids))
      .map(operationFrom)
      .flatMap((operation) =>
        describe
          .operation(operation)
          .map((term) => ({ account: operation.account, term: term.toWellFormed(), operation_id: operation.id })),
      );
    yield* run([sql.addOperationTerms, { records: terms }]);
  }

  return {
    refresh: async (limit, describe, whenBusy = 'wait') => {
      // In nearly all cases nothing waits.
      if (!(await db.finds(sql.listWaits))) return 0;
      // Work that a crash undoes waits again.
      return db.writeLossy(function* (): Plan<number> {
        // One relay at a time, because an order that was read earlier must not be written later.
        if (!(yield* parts.lockList(whenBusy))) return 0;
        yield* db.byIndex();
        const waiting = yield* ask(sql.takeUnlisted, limit, limit * LOOK_AHEAD);
        yield* listOrders(waiting, describe);
        yield* listOperations(waiting, describe);
        return waiting.length;
      });
    },

    search: (search) => findOrders(reads, search),

    oldest: async (account, term, limit, before = Number.MAX_SAFE_INTEGER) =>
      (await db.read(sql.oldestOrders, account, term, before, limit)).map(({ order_no }) => String(order_no)),

    newestStartingWith: async (account, prefix, limit) => {
      const range = [account, prefix, afterPrefix(prefix)] as const;
      // Few orders have several terms with one beginning.
      const rows = await db.read(sql.newestStartingWith, ...range, MAX_SORTED, 2 * limit + 1);
      const found = new Map(
        rows.map(({ id, summary }): [string, ListedOrder] => [String(id), JSON.parse(String(summary))]),
      );
      return { orders: [...found.values()].slice(0, limit), isCut: rows.length > 2 * limit || found.size > limit };
    },

    termsStartingWith: async (account, prefix, limit) => {
      const found: string[] = [];
      for (let last = prefix; found.length < limit; ) {
        const [row] = await db.read(sql.nextTerm, account, last, afterPrefix(prefix));
        if (!row) break;
        last = String(row.term);
        found.push(last);
      }
      return found;
    },

    count: async (accounts, term, before) => {
      const [[row] = []] = await db.peek([[sql.countOrders, accounts, term, before]]);
      return Number(row?.n ?? 0);
    },

    operationsOf: async (account, terms, limit) =>
      (await db.read(sql.operationsOf, account, terms, limit)).map(operationFrom),
  };
}

function changeOfListing(
  key: OrderKey,
  listing: Listing | undefined,
  known: Row | undefined,
): { listed?: Listed; added: string[]; dropped: Dropped[] } {
  // A page begins at the end of the previous one, so an order keeps its place.
  const at = known ? Number(known.created_at) : Date.parse(listing?.created_at ?? '');
  const terms = listing?.terms.map((term) => term.toWellFormed()) ?? [];
  const { text, added, dropped } = changeOfTerms(terms, known && String(known.terms));
  const order_id = String(known?.id);
  const drops = dropped.map((term) => ({ account: key.account, term, created_at: at, order_id }));
  if (!listing || (known && text === known.terms)) return { added, dropped: drops };
  const listed: ListedOrder = { order_no: key.order_no, created_at: new Date(at).toISOString() };
  const summary = JSON.stringify(listed);
  return { listed: { ...key, created_at: at, terms: text, summary }, added, dropped: drops };
}

function statements(db: Sql) {
  const { table, anyOf, anyNumberOf, each, records, elements, isAmong, insertMissing } = db.dialect;
  const [operations, unlisted] = [table('operations'), table('unlisted')];
  const [listed, orderTerms, operationTerms] = [table('listed_orders'), table('order_terms'), table('operation_terms')];
  const columns = 'l.id, l.created_at, l.terms, l.summary';
  const found = `${orderTerms} AS t ${each('listed_orders', 'l', 'l.id = t.order_id')}`;
  const under = 't.account = $1 AND t.term = $2';
  return statementsOf(db.statement, {
    listWaits: `SELECT 1 AS found FROM ${unlisted} WHERE seq > 0 ORDER BY seq LIMIT 1`,
    // The state of an order that is being paid changes several times a second: its later changes are taken together
    // with the first one.
    takeUnlisted: `WITH waiting AS MATERIALIZED (SELECT seq, account, order_no FROM ${unlisted} WHERE seq > 0 ORDER BY seq LIMIT $2),
        first AS MATERIALIZED (SELECT seq, account, order_no FROM waiting ORDER BY seq LIMIT $1)
      DELETE FROM ${unlisted} WHERE seq IN (SELECT seq FROM waiting WHERE seq <= (SELECT max(seq) FROM first)
        OR (account, order_no) IN (SELECT account, order_no FROM first WHERE order_no IS NOT NULL))
      RETURNING account, order_no, operation_id`,
    listedOrders: `SELECT l.id, l.account, l.order_no, l.created_at, l.terms FROM ${records('$1', 'given', 'account', 'order_no')}
      ${each('listed_orders', 'l', 'l.account = given.account AND l.order_no = given.order_no')}`,
    dropOrderTerms: `DELETE FROM ${orderTerms}
      WHERE ${isAmong('$1', 'account', 'term', 'created_at bigint', 'order_id bigint')}`,
    unlistOrders: `DELETE FROM ${listed} WHERE id ${anyNumberOf('$1')}`,
    listOrders: `INSERT INTO ${listed} (account, order_no, created_at, terms, summary)
      SELECT account, order_no, CAST(created_at AS bigint), terms, summary
        FROM ${records('$1', 'given', 'account', 'order_no', 'created_at', 'terms', 'summary')} WHERE true
      ON CONFLICT (account, order_no) DO UPDATE SET terms = excluded.terms, summary = excluded.summary`,
    addOrderTerms: insertMissing(
      orderTerms,
      'account, term, created_at, order_id',
      `SELECT l.account, term.value, l.created_at, l.id FROM ${records('$1', 'given', 'account', 'order_no', 'added')}
        ${each('listed_orders', 'l', 'l.account = given.account AND l.order_no = given.order_no')}
        CROSS JOIN ${elements('given.added', 'term')}`,
    ),
    walkOrders: `SELECT ${columns} FROM ${found} WHERE ${under} AND t.created_at >= $3 AND (t.created_at, t.order_id) < ($4, $5)
      ORDER BY t.account DESC, t.term DESC, t.created_at DESC, t.order_id DESC LIMIT $6`,
    walkOldestOrders: `SELECT ${columns} FROM ${found} WHERE ${under} AND t.created_at < $3 AND (t.created_at, t.order_id) > ($4, $5)
      ORDER BY t.account, t.term, t.created_at, t.order_id LIMIT $6`,
    oldestOrders: `SELECT l.order_no FROM ${found} WHERE ${under} AND t.created_at < $3
      ORDER BY t.account, t.term, t.created_at, t.order_id LIMIT $4`,
    countOrders: `SELECT count(*) AS n FROM ${orderTerms} WHERE account ${anyOf('$1')} AND term = $2 AND created_at < $3`,
    ordersStartingWith: `SELECT ${columns} FROM ${found} WHERE t.account = $1 AND t.term >= $2 AND t.term < $3
      ORDER BY t.account, t.term LIMIT $4`,
    moreOrdersStartingWith: `SELECT 1 AS found FROM ${orderTerms} WHERE account = $1 AND term >= $2 AND term < $3
      ORDER BY account, term LIMIT 1 OFFSET $4`,
    newestStartingWith: `SELECT l.id, l.summary FROM (SELECT created_at, order_id FROM (SELECT created_at, order_id FROM ${orderTerms}
        WHERE account = $1 AND term >= $2 AND term < $3 ORDER BY account, term LIMIT $4) AS known
        ORDER BY created_at DESC, order_id DESC LIMIT $5) AS taken
      ${each('listed_orders', 'l', 'l.id = taken.order_id')} ORDER BY taken.created_at DESC, taken.order_id DESC`,
    nextTerm: `SELECT term FROM ${orderTerms} WHERE account = $1 AND term > $2 AND term < $3 ORDER BY account, term LIMIT 1`,
    operationsById: `SELECT data FROM ${operations} WHERE id ${anyOf('$1')}`,
    addOperationTerms: insertMissing(
      operationTerms,
      'account, term, operation_id',
      `SELECT account, term, operation_id FROM ${records('$1', 'given', 'account', 'term', 'operation_id')}`,
    ),
    operationsOf: `SELECT data FROM ${operations} WHERE id IN (SELECT operation_id FROM ${operationTerms}
      WHERE account = $1 AND term ${anyOf('$2')}) ORDER BY created_at DESC LIMIT $3`,
  });
}
