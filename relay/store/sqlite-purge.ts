import type { Database } from './sqlite-database.ts';
import type { Store } from './store.ts';

/** Forgets what is old and over, a few rows at a time. */
export function sqlitePurge(db: Database): Pick<Store, 'purge'> {
  // An order that still waits for a proof keeps all of its sessions: what their attempts tell is needed.
  const sessions = `SELECT id FROM sessions WHERE created_at < ? AND status IN ('approved', 'failed', 'expired')
    AND notified_at IS NULL AND NOT EXISTS (SELECT 1 FROM orders
      WHERE orders.account = sessions.account AND orders.order_no = sessions.order_no AND hold = 'held') LIMIT ?`;
  const operations = `SELECT id FROM operations WHERE created_at < ? AND status <> 'in_flight'
    AND needs_person = 0 LIMIT ?`;
  const sql = {
    sessions: db.prepare(sessions),
    attemptsOf: db.prepare('DELETE FROM attempts WHERE session_id = ?'),
    session: db.prepare('DELETE FROM sessions WHERE id = ?'),
    operations: db.prepare(operations),
    refundsOf: db.prepare('DELETE FROM refunds WHERE operation_id = ?'),
    operation: db.prepare('DELETE FROM operations WHERE id = ?'),
    events: db.prepare(`DELETE FROM events WHERE seq IN
      (SELECT seq FROM events WHERE created_at < ? AND status <> 'pending' LIMIT ?)`),
    notifications: db.prepare(`DELETE FROM notifications WHERE (subject, sha256) IN
      (SELECT subject, sha256 FROM notifications WHERE last_at < ? LIMIT ?)`),
    tries: db.prepare('DELETE FROM tries WHERE (key, n) IN (SELECT key, n FROM tries WHERE at < ? LIMIT ?)'),
  };
  return {
    purge: ({ before, counted_before, limit }) =>
      db.write(() => {
        const old = sql.sessions.all(before, limit).map(({ id }) => String(id));
        for (const id of old) {
          sql.attemptsOf.run(id);
          sql.session.run(id);
        }
        const done = sql.operations.all(before, limit).map(({ id }) => String(id));
        for (const id of done) {
          sql.refundsOf.run(id);
          sql.operation.run(id);
        }
        const counts = [
          old.length,
          done.length,
          Number(sql.events.run(before, limit).changes),
          Number(sql.notifications.run(before, limit).changes),
          Number(sql.tries.run(counted_before, limit).changes),
        ];
        return counts.some((count) => count >= limit);
      }),
  };
}
