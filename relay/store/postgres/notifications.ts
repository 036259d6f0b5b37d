import { later, plannedAhead } from '../ahead.ts';
import { endingOf } from '../notification.ts';
import { noticeFrom, notificationFrom, reportedFrom } from '../rows.ts';
import type { Store } from '../store.ts';
import { addEventsStep } from './events.ts';
import { lock, locks } from './locks.ts';
import type { Database } from './server/database.ts';

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
export function postgresNotifications(db: Database): NotificationMethods {
  return {
    addNotification: async ({ subject, sha256, kind, account, received_at, bytes, fields, waiting }) => {
      const values = [subject, sha256, kind, account, received_at, bytes, JSON.stringify(fields)];
      const notice = waiting ? JSON.stringify(waiting.notice) : null;
      const { orders = [], verified = false } = waiting?.notice ?? {};
      const ahead = await db.ahead(received_at);
      const due = waiting ? later(waiting.due_at, ahead) : null;
      await db.write([sql.add, ...values, notice, due, orders, verified, later(received_at, ahead)]);
    },

    waitingNotices: async (subjects, limit) => (await db.read(sql.waiting, subjects, limit)).map(noticeFrom),

    notificationsOf: async (subjects, limit) => (await db.read(sql.kept, subjects, limit)).map(notificationFrom),

    notified: async (subjects, limit) => {
      const bySubject = Map.groupBy(await db.read(sql.newest, subjects, limit), ({ subject }) => String(subject));
      return [...bySubject].map(([subject, rows]) => {
        return { subject, count: Number(rows[0]?.of_subject), newest: rows.map(notificationFrom) };
      });
    },

    leaseDueNotices: async (work, accounts) => {
      const ahead = await db.ahead(work.now);
      const [now, until] = [later(work.now, ahead), later(work.until, ahead)];
      return (await db.write([sql.lease, now, accounts, work.limit, until, plannedAhead(now)])).map(noticeFrom);
    },

    delayNotices: async (notices, dueAt, now) => {
      const ahead = await db.ahead(now);
      const named = [notices.map(({ subject }) => subject), notices.map(({ sha256 }) => sha256)];
      const kept = notices.map(({ notice }) => (notice ? JSON.stringify(notice) : ''));
      await db.write([sql.delay, later(dueAt, ahead), ...named, later(now, ahead), kept]);
    },

    reportedNotices: async (subjects, since) => (await db.read(sql.told, subjects, since)).map(reportedFrom),

    endNotices: (subject, ends, { at, since, limit }) =>
      db.transaction(async (run) => {
        const all = ends.map(({ sha256 }) => sha256);
        const [, told = [], waiting = []] = await run(
          [lock, [locks.subject(subject)]],
          [sql.told, [subject], since],
          [sql.stillWaiting, subject, all],
        );
        const open = new Set(waiting.map(({ sha256 }) => String(sha256)));
        const stillOpen = ends.filter(({ sha256 }) => open.has(sha256));
        const { telling, counts } = endingOf(stillOpen, told.map(reportedFrom), limit);
        await run(
          [sql.end, subject, all],
          [sql.tell, subject, telling.map(({ sha256 }) => sha256), at],
          ...(telling.length > 0 ? [addEventsStep(telling.map(({ event }) => event))] : []),
        );
        return counts;
      }),
  };
}

const columns = 'subject, account, received_at, sha256, notice';

const sql = {
  add: {
    name: 'add-notification',
    // Whoever writes the order now has not seen this notification: the version tells.
    text: `WITH kept AS (INSERT INTO turnpike.notifications AS n
        (subject, sha256, kind, account, received_at, last_at, times, bytes, fields, notice, due_at, planned_at, verified)
        VALUES ($1, $2, $3, $4, $5, $5, 1, $6, $7, $8, $9, $12, $11)
        ON CONFLICT (subject, sha256) DO UPDATE SET times = n.times + 1, last_at = excluded.last_at)
      UPDATE turnpike.orders AS o SET version = o.version + 1, notices = o.notices + 1,
        next_query_at = least(o.next_query_at, $12), planned_at = $12
        FROM (SELECT account, order_no FROM turnpike.sessions WHERE id = $1
          UNION SELECT $4, unnest($10::text[])) AS named
        WHERE o.account = named.account AND o.order_no = named.order_no`,
  },
  waiting: {
    name: 'waiting-notices',
    text: `SELECT ${columns} FROM turnpike.notifications WHERE subject = ANY($1::text[]) AND due_at IS NOT NULL
      ORDER BY received_at, sha256 LIMIT $2`,
  },
  kept: {
    name: 'notifications-of',
    text: `SELECT subject, received_at, last_at, times, bytes, fields, verified, told_at FROM turnpike.notifications
      WHERE subject = ANY($1::text[]) ORDER BY received_at, sha256 LIMIT $2`,
  },
  newest: {
    name: 'newest-notifications',
    text: `SELECT n.*, c.of_subject FROM unnest($1::text[]) AS asked (subject),
      LATERAL (SELECT count(*) AS of_subject FROM turnpike.notifications WHERE subject = asked.subject OFFSET 0) AS c,
      LATERAL (SELECT subject, sha256, received_at, last_at, times, bytes, fields, verified, told_at
        FROM turnpike.notifications WHERE subject = asked.subject ORDER BY received_at DESC, sha256 DESC LIMIT $2) AS n
      ORDER BY n.received_at, n.sha256`,
  },
  lease: {
    name: 'lease-notices',
    text: `WITH due AS (SELECT subject, sha256, due_at AS since FROM turnpike.notifications
        WHERE (due_at <= $1 OR due_at > $1 AND planned_at > $5) AND account = ANY($2::text[])
        ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED),
      leased AS (UPDATE turnpike.notifications AS n SET due_at = $4, planned_at = $1 FROM due
        WHERE n.subject = due.subject AND n.sha256 = due.sha256 RETURNING n.*, due.since)
      SELECT ${columns} FROM leased ORDER BY since`,
  },
  delay: {
    name: 'delay-notices',
    text: `UPDATE turnpike.notifications AS n SET due_at = $1, planned_at = $4, notice = coalesce(nullif(of.notice, ''), n.notice)
      FROM unnest($2::text[], $3::text[], $5::text[]) AS of (subject, sha256, notice)
      WHERE n.subject = of.subject AND n.sha256 = of.sha256 AND n.due_at IS NOT NULL`,
  },
  told: {
    name: 'told-notices',
    text: `SELECT subject, verified, count(*) FROM turnpike.notifications
      WHERE subject = ANY($1::text[]) AND told_at > $2 GROUP BY subject, verified`,
  },
  stillWaiting: {
    name: 'still-waiting-notices',
    text: `SELECT sha256 FROM turnpike.notifications
      WHERE subject = $1 AND sha256 = ANY($2::text[]) AND due_at IS NOT NULL FOR UPDATE`,
  },
  end: {
    name: 'end-notices',
    text: `UPDATE turnpike.notifications SET notice = NULL, due_at = NULL
      WHERE subject = $1 AND sha256 = ANY($2::text[]) AND due_at IS NOT NULL`,
  },
  tell: {
    name: 'tell-notices',
    text: 'UPDATE turnpike.notifications SET told_at = $3 WHERE subject = $1 AND sha256 = ANY($2::text[])',
  },
};
