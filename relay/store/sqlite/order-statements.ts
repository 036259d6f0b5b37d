import { knownOfForms, mayHaveHappened } from '../forms/transaction-forms.ts';
import { dialect } from './dialect.ts';
import type { SqliteDatabase } from './file/database.ts';

/** The statements about orders, their sessions, attempts and transactions. */
export function orderStatements(db: SqliteDatabase) {
  const { table } = dialect;
  return {
    paidBy: db.prepare('SELECT order_no FROM transactions WHERE account = ? AND transaction_id = ?'),
    ofForms: db.prepare(
      knownOfForms('?1', (text) => `${text} IN (?2, ?3)`, dialect.form, mayHaveHappened('counts = 1', table), table),
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
    asked: db.prepare(`UPDATE orders SET leased_until = NULL, queried_at = max(coalesce(queried_at, ''), ?)
      WHERE account = ? AND order_no = ?`),
  };
}
