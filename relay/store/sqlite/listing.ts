import type { StatementSync } from 'node:sqlite';
import {
  afterPrefix,
  type Candidate,
  candidateFrom,
  changeOfTerms,
  findOrders,
  type Listing,
  type ListPlace,
  type ListReads,
  operationWalks,
  termsIn,
} from '../listing.ts';
import { operationFrom } from '../rows.ts';
import type { Store } from '../store.ts';
import type { Database, Row } from './file/database.ts';
import type { OrderReads } from './order-reads.ts';

type ListMethods = Pick<
  Store,
  'refreshList' | 'searchOrders' | 'ordersOf' | 'oldestOrders' | 'operationsOf' | 'listOperations'
>;

/** The list of orders, and the operations of each. */
export function sqliteListing(db: Database, orders: OrderReads): ListMethods {
  const sql = statements(db);

  const unlist = (account: string, orderNo: string): void => {
    const before = sql.listed.get(account, orderNo);
    if (!before) return;
    for (const term of termsIn(String(before.terms))) {
      sql.dropTerm.run(account, term, Number(before.created_at), Number(before.id));
    }
    sql.unlist.run(Number(before.id));
  };

  const list = (account: string, orderNo: string, { created_at, summary, terms }: Listing): void => {
    const before = sql.listed.get(account, orderNo);
    // A page goes on where another one ended: an order keeps its place.
    const at = before ? Number(before.created_at) : Date.parse(created_at);
    const { text, added, dropped } = changeOfTerms(terms, before && String(before.terms));
    const told = JSON.stringify({ ...summary, created_at: new Date(at).toISOString() });
    const id = before ? Number(before.id) : Number(sql.list.run(account, orderNo, at, text, told).lastInsertRowid);
    if (before) sql.relist.run(text, told, id);
    for (const term of dropped) sql.dropTerm.run(account, term, at, id);
    for (const term of added) sql.addTerm.run(account, term, at, id);
  };

  const found = (statement: StatementSync, values: readonly (string | number)[]): Candidate[] =>
    db.all(statement, values, candidateFrom);

  const reads: ListReads = {
    walk: async (account: string, term: string, { created_at, id }: ListPlace, from: number, limit: number) =>
      found(sql.walk, [account, term, from, created_at, id, limit]),
    startingWith: async (account, prefix, limit) => {
      const range = [account, prefix, afterPrefix(prefix)];
      // Terms alone first: of a short prefix nearly all orders are found, and none of them is of use.
      const hasMore = db.all(sql.startsBeyond, [...range, limit], () => true).length > 0;
      return hasMore ? undefined : found(sql.startingWith, range);
    },
  };

  return {
    refreshList: async (limit, describe) => {
      // Nearly always nothing waits, and a write would keep other writers waiting.
      if (db.all(sql.unlisted, [1], () => true).length === 0) return 0;
      return db.write(() => {
        const waiting = sql.unlisted.all(limit);
        const changed = new Map(waiting.map((row) => [`${row.account} ${row.order_no}`, row]));
        for (const { account, order_no } of changed.values()) {
          if (order_no === null) continue;
          const listing = describe.order(orders.peek(String(account), String(order_no)));
          if (listing) list(String(account), String(order_no), listing);
          else unlist(String(account), String(order_no));
        }
        for (const { account, operation_id } of waiting) {
          const [operation] = operation_id === null ? [] : sql.operation.all(String(operation_id)).map(operationFrom);
          for (const term of operation ? describe.operation(operation) : []) {
            sql.addOperation.run(String(account), term, String(operation_id));
          }
        }
        sql.done.run(Number(waiting.at(-1)?.seq ?? 0));
        return waiting.length;
      });
    },

    searchOrders: async (search) => db.durable(await findOrders(reads, search)),

    ordersOf: async (account, orderNos) => db.durable(orderNos.map((orderNo) => orders.peek(account, orderNo))),

    oldestOrders: async (account, term, limit) =>
      db.read(sql.oldest, [account, term, limit], ({ order_no }) => String(order_no)),

    operationsOf: async (account, terms, limit) =>
      db.read(sql.operationsOf, [account, JSON.stringify(terms), limit], operationFrom),

    listOperations: async (search) => {
      const { account, waiting, limit } = search;
      const { names, statuses, created_at, id } = operationWalks(search);
      if (waiting) {
        const filter = [JSON.stringify(names), JSON.stringify(statuses)];
        return db.read(sql.waiting, [account, created_at, id, ...filter, limit], operationFrom);
      }
      const found = names.flatMap((name) =>
        statuses.flatMap((status) =>
          db.all(sql.walkOperations, [account, name, status, created_at, id, limit], (row) => row),
        ),
      );
      const page = found.toSorted(newestFirst).slice(0, limit);
      return db.read(sql.operationsById, [JSON.stringify(page.map((row) => String(row.id)))], operationFrom);
    },
  };
}

const placeOf = ({ created_at, id }: Row): string => `${created_at} ${id}`;
const newestFirst = (one: Row, other: Row): number => (placeOf(one) < placeOf(other) ? 1 : -1);

function statements(db: Database) {
  const columns = 'l.id, l.created_at, l.terms, l.summary';
  return {
    unlisted: db.prepare(
      'SELECT seq, account, order_no, operation_id FROM unlisted WHERE seq > 0 ORDER BY seq LIMIT ?',
    ),
    done: db.prepare('DELETE FROM unlisted WHERE seq <= ?'),
    listed: db.prepare('SELECT id, created_at, terms FROM listed_orders WHERE account = ? AND order_no = ?'),
    list: db.prepare(`INSERT INTO listed_orders (account, order_no, created_at, terms, summary)
      VALUES (?, ?, ?, ?, ?)`),
    relist: db.prepare('UPDATE listed_orders SET terms = ?, summary = ? WHERE id = ?'),
    unlist: db.prepare('DELETE FROM listed_orders WHERE id = ?'),
    addTerm: db.prepare('INSERT OR IGNORE INTO order_terms (account, term, created_at, order_id) VALUES (?, ?, ?, ?)'),
    dropTerm: db.prepare(`DELETE FROM order_terms
      WHERE account = ? AND term = ? AND created_at = ? AND order_id = ?`),
    walk: db.prepare(`SELECT ${columns} FROM order_terms AS t CROSS JOIN listed_orders AS l ON l.id = t.order_id
      WHERE t.account = ? AND t.term = ? AND t.created_at >= ? AND (t.created_at, t.order_id) < (?, ?)
      ORDER BY t.created_at DESC, t.order_id DESC LIMIT ?`),
    oldest: db.prepare(`SELECT l.order_no FROM order_terms AS t CROSS JOIN listed_orders AS l ON l.id = t.order_id
      WHERE t.account = ? AND t.term = ? ORDER BY t.created_at, t.order_id LIMIT ?`),
    startingWith: db.prepare(`SELECT ${columns} FROM order_terms AS t CROSS JOIN listed_orders AS l ON l.id = t.order_id
      WHERE t.account = ? AND t.term >= ? AND t.term < ?`),
    startsBeyond: db.prepare('SELECT 1 FROM order_terms WHERE account = ? AND term >= ? AND term < ? LIMIT 1 OFFSET ?'),
    operation: db.prepare('SELECT data FROM operations WHERE id = ?'),
    addOperation: db.prepare('INSERT OR IGNORE INTO operation_terms (account, term, operation_id) VALUES (?, ?, ?)'),
    operationsOf: db.prepare(`SELECT data FROM operations WHERE id IN (SELECT operation_id FROM operation_terms
      WHERE account = ? AND term IN (SELECT value FROM json_each(?))) ORDER BY created_at DESC LIMIT ?`),
    walkOperations: db.prepare(`SELECT created_at, id FROM operations WHERE account = ? AND name = ? AND status = ?
      AND (created_at, id) < (?, ?) ORDER BY created_at DESC, id DESC LIMIT ?`),
    operationsById: db.prepare(`SELECT data FROM operations WHERE id IN (SELECT value FROM json_each(?))
      ORDER BY created_at DESC, id DESC`),
    waiting: db.prepare(`SELECT data FROM operations WHERE account = ? AND needs_person = 1 AND next_look_at IS NULL
      AND (created_at, id) < (?, ?) AND name IN (SELECT value FROM json_each(?))
      AND status IN (SELECT value FROM json_each(?)) ORDER BY created_at DESC, id DESC LIMIT ?`),
  };
}
