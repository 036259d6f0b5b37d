import { knownOfForms, mayHaveHappened, sqliteForm } from '../forms/transaction-forms.ts';
import type { Database } from './file/database.ts';

/**
 * An order of one of these accounts (?2); no query about it runs at ?1, and none began since ?4; ?3 is the latest end of a lease, ?6 the latest
 * moment of a query.
 */
const isFree = `account IN (SELECT value FROM json_each(?2))
  AND (leased_until IS NULL OR leased_until <= ?1 OR leased_until > ?3)
  AND (queried_at IS NULL OR queried_at <= ?4 OR queried_at > ?6)`;

/** The statements about orders, their sessions, attempts and transactions. */
export function orderStatements(db: Database) {
  return {
    paidBy: db.prepare('SELECT order_no FROM transactions WHERE account = ? AND transaction_id = ?'),
    ofForms: db.prepare(
      knownOfForms('?1', (text) => `${text} IN (?2, ?3)`, sqliteForm, mayHaveHappened('counts = 1'), {
        using: (index) => ` INDEXED BY ${index}`,
      }),
    ),
    keyOf: db.prepare('SELECT account, order_no FROM sessions WHERE id = ?'),
    version: db.prepare('SELECT version FROM orders WHERE account = ? AND order_no = ?'),
    sessionVersion: db.prepare('SELECT version FROM sessions WHERE id = ?'),
    putOrder: db.prepare(`INSERT INTO orders (account, order_no, version, hold, next_query_at, planned_at, data)
      VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (account, order_no) DO UPDATE SET version = excluded.version,
      hold = excluded.hold, next_query_at = excluded.next_query_at, planned_at = excluded.planned_at, data = excluded.data
      WHERE version = excluded.version - 1`),
    putTransaction: db.prepare(`INSERT INTO transactions (account, transaction_id, order_no, amount, currency)
      VALUES (?, ?, ?, ?, ?) ON CONFLICT (account, transaction_id) DO UPDATE
      SET amount = excluded.amount, currency = excluded.currency WHERE order_no = excluded.order_no`),
    dropTransaction: db.prepare('DELETE FROM transactions WHERE account = ? AND transaction_id = ? AND order_no = ?'),
    insertSession: db.prepare(`INSERT INTO sessions
      (id, account, order_no, status, version, revision, created_at, expires_at, filled, state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    updateSession: db.prepare(`UPDATE sessions SET status = ?, version = ?, revision = ?, expires_at = ?,
      unknown_since = ?, needs_attention = ?, leased_until = NULL, filled = ?, state = ?, settled = ?
      WHERE id = ? AND version = ?`),
    insertAttempt: db.prepare(`INSERT INTO attempts (id, session_id, account, order_no, started_at, data)
      VALUES (?, ?, ?, ?, ?, ?)`),
    updateAttempt: db.prepare(
      'UPDATE attempts SET data = ? WHERE account = ? AND order_no = ? AND started_at = ? AND id = ?',
    ),
    due: db.prepare(`SELECT account, order_no FROM orders INDEXED BY orders_due WHERE next_query_at <= ?1 AND ${isFree}
      ORDER BY next_query_at LIMIT ?7`),
    ahead: db.prepare(`SELECT account, order_no FROM orders INDEXED BY orders_planned WHERE next_query_at > ?1
      AND planned_at > ?5 AND ${isFree} ORDER BY planned_at LIMIT ?7`),
    leaseOf: db.prepare('SELECT leased_until, queried_at FROM orders WHERE account = ? AND order_no = ?'),
    lease: db.prepare('UPDATE orders SET leased_until = ?, queried_at = ? WHERE account = ? AND order_no = ?'),
    keep: db.prepare(`UPDATE orders SET leased_until = ? WHERE account = ? AND order_no = ?
      AND leased_until IS NOT NULL`),
    asked: db.prepare(`UPDATE orders SET leased_until = NULL, queried_at = max(coalesce(queried_at, ''), ?)
      WHERE account = ? AND order_no = ?`),
  };
}
