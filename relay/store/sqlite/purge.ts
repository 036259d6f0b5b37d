import type { OrderCache } from '../order-cache.ts';
import { refundedFrom } from '../rows.ts';
import type { Store } from '../store.ts';
import type { Database } from './file/database.ts';
import type { SqliteQuotas } from './quotas/quotas.ts';

/** Forgets what is old and over, a few rows at a time. What refunds took of their payments is remembered. */
export function sqlitePurge(db: Database, cache: OrderCache, quotas: SqliteQuotas): Pick<Store, 'purge'> {
  // An order that is still asked about, or held, keeps all of its sessions: what their attempts tell is needed.
  const sessions = `SELECT id, account, order_no FROM sessions
    WHERE created_at < ? AND status IN ('approved', 'failed', 'expired') AND needs_attention = 0
    AND NOT EXISTS (SELECT 1 FROM orders WHERE orders.account = sessions.account AND orders.order_no = sessions.order_no
      AND (hold = 'held' OR next_query_at IS NOT NULL)) LIMIT ?`;
  // The refunds of a payment are forgotten together: of some alone, more would seem to be left than is.
  const operations = `SELECT id FROM operations WHERE created_at < ?1 AND status <> 'in_flight' AND needs_person = 0
    AND next_look_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM refunds AS own
      JOIN refunds AS other ON other.account = own.account AND other.transaction_id = own.transaction_id
      JOIN operations AS its ON its.id = other.operation_id WHERE own.operation_id = operations.id
        AND (its.created_at >= ?1 OR its.status = 'in_flight' OR its.needs_person = 1
          OR its.next_look_at IS NOT NULL)) LIMIT ?2`;
  const events = `SELECT seq FROM events WHERE created_at < ? AND status <> 'pending' LIMIT ?`;
  const refunded =
    db.prepare(`SELECT account, transaction_id, sum(amount) AS sum, min(original) AS original, min(currency) AS currency
    FROM refunds WHERE operation_id = ? AND counts = 1 GROUP BY account, transaction_id`);
  refunded.setReadBigInts(true);
  const sql = {
    refunded,
    remember: db.prepare(`INSERT INTO refunded_payments (account, transaction_id, currency, sum, original)
      VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
      SET sum = sum + excluded.sum, original = min(original, excluded.original)`),
    sessions: db.prepare(sessions),
    attemptsOf: db.prepare('DELETE FROM attempts WHERE account = ? AND order_no = ? AND session_id = ?'),
    termsOf: db.prepare('DELETE FROM session_terms WHERE session_id = ?'),
    session: db.prepare('DELETE FROM sessions WHERE id = ?'),
    // A free order without sessions is one that nothing is known of.
    order: db.prepare(`DELETE FROM orders WHERE account = ?1 AND order_no = ?2 AND hold = 'free'
      AND NOT EXISTS (SELECT 1 FROM sessions WHERE account = ?1 AND order_no = ?2)`),
    operations: db.prepare(operations),
    refundsOf: db.prepare('DELETE FROM refunds WHERE operation_id = ?'),
    operation: db.prepare('DELETE FROM operations WHERE id = ?'),
    events: db.prepare(`DELETE FROM events WHERE seq IN (${events})`),
    audit: db.prepare('DELETE FROM audit WHERE seq IN (SELECT seq FROM audit WHERE at < ? LIMIT ?)'),
    reconciliations: db.prepare('DELETE FROM reconciliations WHERE reported_at < ?'),
    notifications: db.prepare(`DELETE FROM notifications WHERE (subject, sha256) IN
      (SELECT subject, sha256 FROM notifications WHERE last_at < ? LIMIT ?)`),
  };
  const remember = (operationId: string): void => {
    for (const row of sql.refunded.all(operationId)) {
      const { transaction_id, currency, sum, original } = refundedFrom(row);
      sql.remember.run(String(row.account), transaction_id, currency, sum, original);
    }
  };
  return {
    purge: ({ before, counted_before, limit }) =>
      db.write(() => {
        const done = sql.operations.all(before, limit).map(({ id }) => String(id));
        for (const id of done) {
          remember(id);
          sql.refundsOf.run(id);
          sql.operation.run(id);
        }
        const old = sql.sessions.all(before, limit).map((row) => [row.id, row.account, row.order_no].map(String));
        for (const [id = '', account = '', order_no = ''] of old) {
          sql.attemptsOf.run(account, order_no, id);
          sql.termsOf.run(id);
          sql.session.run(id);
          sql.order.run(account, order_no);
          cache.drop({ account, order_no });
        }
        const counts = [
          old.length,
          done.length,
          Number(sql.events.run(before, limit).changes),
          Number(sql.notifications.run(before, limit).changes),
          Number(sql.audit.run(before, limit).changes),
          quotas.forget(counted_before, limit),
        ];
        sql.reconciliations.run(before);
        return counts.some((count) => count >= limit);
      }),
  };
}
