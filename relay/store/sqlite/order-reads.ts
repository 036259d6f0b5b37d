import type { Attempt } from '../../payments/attempt.ts';
import { emptyOrder, type StoredOrder } from '../../payments/order.ts';
import type { Session } from '../../payments/session.ts';
import type { OrderCache } from '../order-cache.ts';
import { termsColumn } from '../order-changes.ts';
import { parsed } from '../row.ts';
import { sessionColumns, sessionFrom, withRow } from '../rows.ts';
import { dialect } from './dialect.ts';
import type { SqliteDatabase } from './file/database.ts';

/** Reads orders with their sessions and attempts, from the cache or else from the file. */
export type OrderReads = {
  /** Returns the order, which is cached from then on. */
  load(account: string, orderNo: string): StoredOrder;
  /** The same for a reader of many orders that no other request reads soon. */
  peek(account: string, orderNo: string): StoredOrder;
};

/** Reads the file's orders, and caches those that `load` reads. */
export function orderReads(db: SqliteDatabase, cache: OrderCache): OrderReads {
  const sql = {
    order: db.prepare(`SELECT version, hold, notices, next_query_at, planned_at, data FROM orders
      WHERE account = ? AND order_no = ?`),
    sessions: db.prepare(`SELECT ${sessionColumns} FROM ${dialect.terms.joined} WHERE account = ? AND order_no = ?
      ORDER BY created_at, id`),
    attempts: db.prepare('SELECT data FROM attempts WHERE account = ? AND order_no = ? ORDER BY started_at, id'),
  };

  const peek = (account: string, orderNo: string): StoredOrder => {
    const known = cache.get({ account, order_no: orderNo });
    if (known) return known;
    const row = db.all(sql.order, [account, orderNo], (found) => found)[0];
    const sessions = db.all(sql.sessions, [account, orderNo], sessionFrom);
    const attempts = db.all(sql.attempts, [account, orderNo], ({ data }) => parsed<Attempt>(data));
    return withRow({ ...emptyOrder(account, orderNo), sessions, attempts }, row);
  };

  return {
    peek,
    load(account, orderNo) {
      const order = peek(account, orderNo);
      if (order.sessions.length > 0 && cache.get(order) !== order) cache.put(order, db.commit());
      return order;
    },
  };
}

/**
 * The terms of sessions are in a separate table, so that a session's state is written without them. The shopper's
 * values are stored with the session.
 */
export function sqliteTerms(db: SqliteDatabase): { add(session: Session): void; put(session: Session): void } {
  const insert = db.prepare('INSERT INTO session_terms (session_id, terms) VALUES (?, ?)');
  const update = db.prepare('UPDATE session_terms SET terms = ? WHERE session_id = ?');
  return {
    add: ({ id, terms }) => void insert.run(id, termsColumn(terms)),
    put: ({ id, terms }) => void update.run(termsColumn(terms), id),
  };
}
