import type { Store } from '../store.ts';
import type { Database } from './database.ts';
import { sessionFrom } from './session-row.ts';

type NotificationMethods = Pick<Store, 'addNotification' | 'leaseNotifiedSessions' | 'lookedAtNotified'>;

/** Notifications of the gateway, and the sessions that wait for a look because of one. */
export function sqliteNotifications(db: Database): NotificationMethods {
  const sql = {
    keep: db.prepare(`INSERT INTO notifications
      (subject, sha256, kind, account, received_at, last_at, times, bytes, fields) VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?)
      ON CONFLICT DO UPDATE SET times = times + 1, last_at = excluded.last_at`),
    // Never earlier than it was: relays' clocks differ, and whoever looks now has not seen what came since.
    wait: db.prepare('UPDATE sessions SET notified_at = max(coalesce(notified_at, ?1), ?1) WHERE id = ?2'),
    waiting: db.prepare(`SELECT * FROM sessions WHERE notified_at IS NOT NULL
      AND (noticed_at IS NULL OR noticed_at <= ?) AND (notice_leased_until IS NULL OR notice_leased_until <= ?)
      AND account IN (SELECT value FROM json_each(?)) ORDER BY notified_at LIMIT ?`),
    lease: db.prepare('UPDATE sessions SET notice_leased_until = ?, noticed_at = ? WHERE id = ?'),
    done: db.prepare(`UPDATE sessions SET notice_leased_until = NULL,
      notified_at = CASE WHEN notified_at <= ? THEN NULL ELSE notified_at END WHERE id = ?`),
  };
  return {
    addNotification: ({ subject, sha256, kind, account, received_at, bytes, fields }) =>
      db.write(() => {
        const values = [subject, sha256, kind, account, received_at, received_at, bytes, JSON.stringify(fields)];
        sql.keep.run(...values);
        sql.wait.run(received_at, subject);
      }),

    leaseNotifiedSessions: async ({ now, until, limit }, accounts, quietSince) => {
      const terms = [quietSince, now, JSON.stringify(accounts)] as const;
      // Nearly always nobody waits, and a write would keep other writers waiting.
      if (db.all(sql.waiting, [...terms, 1], () => true).length === 0) return [];
      return db.write(() => {
        const sessions = sql.waiting.all(...terms, limit).map(sessionFrom);
        for (const { id } of sessions) sql.lease.run(until, now, id);
        return sessions;
      });
    },

    lookedAtNotified: (ids, { now }) => db.write(() => ids.forEach((id) => void sql.done.run(now, id))),
  };
}
