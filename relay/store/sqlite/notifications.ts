import type { OrderCache } from '../order-cache.ts';
import type { Store } from '../store.ts';
import type { Database } from './file/database.ts';

/** Notifications of the gateway, and the orders that they make due. */
export function sqliteNotifications(db: Database, cache: OrderCache): Pick<Store, 'addNotification'> {
  const sql = {
    keep: db.prepare(`INSERT INTO notifications
      (subject, sha256, kind, account, received_at, last_at, times, bytes, fields) VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?)
      ON CONFLICT DO UPDATE SET times = times + 1, last_at = excluded.last_at`),
    // Whoever writes the order now has not seen this notification: the version tells.
    notice: db.prepare(`UPDATE orders SET version = version + 1, notices = notices + 1,
      next_query_at = min(coalesce(next_query_at, ?1), ?1)
      WHERE (account, order_no) IN (SELECT account, order_no FROM sessions WHERE id = ?2)`),
  };
  return {
    addNotification: ({ subject, sha256, kind, account, received_at, bytes, fields }) =>
      db.write(() => {
        const values = [subject, sha256, kind, account, received_at, received_at, bytes, JSON.stringify(fields)];
        sql.keep.run(...values);
        sql.notice.run(received_at, subject);
        const noticed = cache.ofSession(subject);
        if (noticed) cache.drop(noticed);
      }),
  };
}
