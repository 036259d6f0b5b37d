import { plannedAhead } from '../ahead.ts';
import { endingOf, type Notified } from '../notification.ts';
import type { OrderCache } from '../order-cache.ts';
import { noticeFrom, notificationFrom, type Row, reportedFrom } from '../rows.ts';
import type { Store } from '../store.ts';
import type { SqliteEvents } from './events.ts';
import type { Database } from './file/database.ts';

type NotificationMethods = Pick<
  Store,
  | 'addNotification'
  | 'waitingNotices'
  | 'leaseDueNotices'
  | 'delayNotices'
  | 'reportedNotices'
  | 'endNotices'
  | 'notificationsOf'
  | 'notified'
>;

/** Notifications of the gateway, the orders that they make due, and what their shops are told of them. */
export function sqliteNotifications(db: Database, cache: OrderCache, events: SqliteEvents): NotificationMethods {
  const sql = statements(db);
  return {
    addNotification: ({ subject, sha256, kind, account, received_at, bytes, fields, waiting }) =>
      db.write(() => {
        const values = [subject, sha256, kind, account, received_at, received_at, bytes, JSON.stringify(fields)];
        const notice = waiting ? JSON.stringify(waiting.notice) : null;
        sql.keep.run(...values, notice, waiting?.due_at ?? null, received_at, waiting?.notice.verified ? 1 : 0);
        sql.notice.run(received_at, subject);
        const noticed = cache.ofSession(subject);
        if (noticed) cache.drop(noticed);
        for (const order_no of waiting?.notice.orders ?? []) {
          sql.named.run(received_at, account, order_no, subject);
          cache.drop({ account, order_no });
        }
      }),

    waitingNotices: (subjects, limit) => db.read(sql.waiting, [JSON.stringify(subjects), limit], noticeFrom),

    notificationsOf: (subjects, limit) => db.read(sql.kept, [JSON.stringify(subjects), limit], notificationFrom),

    notified: async (subjects, limit) =>
      db.durable(
        subjects.flatMap((subject): Notified[] => {
          const newest = db.all(sql.newest, [subject, limit], notificationFrom).reverse();
          const [count = 0] = newest.length < limit ? [newest.length] : db.all(sql.count, [subject], countFrom);
          return count === 0 ? [] : [{ subject, count, newest }];
        }),
      ),

    leaseDueNotices: async ({ now, until, limit }, accounts) => {
      const terms = [now, JSON.stringify(accounts), plannedAhead(now)] as const;
      // Nearly always none is due, and a write would keep other writers waiting.
      if ([sql.due, sql.ahead].every((found) => db.all(found, [...terms, 1], () => true).length === 0)) return [];
      return db.write(() => {
        const found = [sql.ahead, sql.due].flatMap((some) => some.all(...terms, limit).map(noticeFrom));
        const due = found.slice(0, limit);
        for (const { subject, sha256 } of due) sql.delay.run(until, now, null, subject, sha256);
        return due;
      });
    },

    delayNotices: (notices, dueAt, now) =>
      db.write(() => {
        for (const { subject, sha256, notice } of notices)
          sql.delay.run(dueAt, now, notice ? JSON.stringify(notice) : null, subject, sha256);
      }),

    reportedNotices: (subjects, since) => db.read(sql.told, [JSON.stringify(subjects), since], reportedFrom),

    endNotices: (subject, ends, { at, since, limit }) =>
      db.write(() => {
        const told = sql.told.all(JSON.stringify([subject]), since).map(reportedFrom);
        const open = ends.filter(({ sha256 }) => sql.end.run(subject, sha256).changes > 0);
        const { telling, counts } = endingOf(open, told, limit);
        for (const { sha256, event } of telling) {
          sql.tell.run(at, subject, sha256);
          events.add([event]);
        }
        return counts;
      }),
  };
}

const countFrom = ({ count }: Row): number => Number(count);

function statements(db: Database) {
  return {
    keep: db.prepare(`INSERT INTO notifications
      (subject, sha256, kind, account, received_at, last_at, times, bytes, fields, notice, due_at, planned_at, verified)
      VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET times = times + 1, last_at = excluded.last_at`),
    // Whoever writes the order now has not seen this notification: the version tells.
    notice: db.prepare(`UPDATE orders SET version = version + 1, notices = notices + 1,
      next_query_at = min(coalesce(next_query_at, ?1), ?1), planned_at = ?1
      WHERE (account, order_no) IN (SELECT account, order_no FROM sessions WHERE id = ?2)`),
    named: db.prepare(`UPDATE orders SET version = version + 1, notices = notices + 1,
      next_query_at = min(coalesce(next_query_at, ?1), ?1), planned_at = ?1 WHERE account = ?2 AND order_no = ?3
      AND NOT EXISTS (SELECT 1 FROM sessions WHERE id = ?4 AND order_no = ?3)`),
    waiting: db.prepare(`SELECT subject, account, received_at, sha256, notice FROM notifications
      WHERE subject IN (SELECT value FROM json_each(?)) AND due_at IS NOT NULL ORDER BY received_at, sha256 LIMIT ?`),
    kept: db.prepare(`SELECT subject, received_at, last_at, times, bytes, fields, verified, told_at FROM notifications
      WHERE subject IN (SELECT value FROM json_each(?)) ORDER BY received_at, sha256 LIMIT ?`),
    newest: db.prepare(`SELECT subject, received_at, last_at, times, bytes, fields, verified, told_at FROM notifications
      WHERE subject = ? ORDER BY received_at DESC, sha256 DESC LIMIT ?`),
    count: db.prepare('SELECT count(*) AS count FROM notifications WHERE subject = ?'),
    due: db.prepare(`SELECT subject, account, received_at, sha256, notice FROM notifications
      WHERE due_at <= ?1 AND account IN (SELECT value FROM json_each(?2)) ORDER BY due_at LIMIT ?4`),
    ahead:
      db.prepare(`SELECT subject, account, received_at, sha256, notice FROM notifications INDEXED BY notifications_planned
      WHERE due_at > ?1 AND planned_at > ?3 AND account IN (SELECT value FROM json_each(?2)) ORDER BY planned_at LIMIT ?4`),
    delay: db.prepare(`UPDATE notifications SET due_at = ?, planned_at = ?, notice = coalesce(?, notice)
      WHERE subject = ? AND sha256 = ? AND due_at IS NOT NULL`),
    told: db.prepare(`SELECT subject, verified, count(*) AS count FROM notifications
      WHERE subject IN (SELECT value FROM json_each(?)) AND told_at > ? GROUP BY subject, verified`),
    end: db.prepare(`UPDATE notifications SET notice = NULL, due_at = NULL
      WHERE subject = ? AND sha256 = ? AND due_at IS NOT NULL`),
    tell: db.prepare('UPDATE notifications SET told_at = ? WHERE subject = ? AND sha256 = ?'),
  };
}
