import { type NotificationStore, type Notified, selectReported } from '../facets/notifications.ts';
import type { NewEvent } from '../facets/outbox.ts';
import { plannedAhead } from '../leases.ts';
import { notificationFrom, reportedFrom, waitingNotificationFrom } from '../rows.ts';
import { askAll, dueBy, locks, type Plan, run, type Sql, statementsOf } from './plan.ts';

const waitingColumns = 'subject, sha256, account, received_at, notice';

/**
 * The gateway's notifications, the orders that they make due, and the webhooks about them.
 * @param add adds webhooks within a transaction
 */
export function notifications(db: Sql, add: (events: readonly NewEvent[]) => Plan<void>): NotificationStore {
  const sql = statements(db);

  const lease = db.lease({
    name: 'lease-notices',
    table: 'notifications',
    key: ['subject', 'sha256'],
    columns: waitingColumns,
    due: dueBy('notifications', 'due_at', { now: '$2', ahead: '$5', where: `account ${db.dialect.anyOf('$4')}` }),
    set: 'due_at = $3, planned_at = $2',
  });

  return {
    add: async ({ subject, sha256, kind, account, received_at, bytes, fields, waiting }) => {
      const { kept } = await db.times(received_at);
      const { orders = [], verified = false } = waiting?.notice ?? {};
      const notice = waiting ? JSON.stringify(waiting.notice) : null;
      const due = waiting ? kept(waiting.due_at) : null;
      const values = [subject, sha256, kind, account, received_at, bytes, JSON.stringify(fields), notice, due] as const;
      await db.write(function* () {
        yield* run([sql.addNotification, ...values, orders, verified, kept(received_at)]);
        yield* db.forgetOrderOf(subject);
        for (const order_no of orders) yield* db.forgetOrder({ account, order_no });
      });
    },

    listWaiting: async (subjects, limit) =>
      (await db.read(sql.waitingNotices, subjects, limit)).map(waitingNotificationFrom),

    list: async (subjects, limit) => (await db.read(sql.notificationsOf, subjects, limit)).map(notificationFrom),

    listNewest: async (subjects, limit) => {
      const found = await db.readAll(subjects.map((subject) => [sql.newestNotifications, subject, limit]));
      return found.flatMap((rows): Notified[] => {
        const [row] = rows;
        if (!row) return [];
        const newest = rows.map(notificationFrom).reverse();
        return [{ subject: String(row.subject), count: Number(row.of_subject), newest }];
      });
    },

    leaseDue: async ({ now, until, limit }, accounts) => {
      const { kept } = await db.times(now);
      return (await lease(limit, kept(now), kept(until), accounts, plannedAhead(kept(now)))).map(
        waitingNotificationFrom,
      );
    },

    delay: async (notices, dueAt, now) => {
      const { kept } = await db.times(now);
      const delayed = notices.map(({ subject, sha256, notice }) => ({
        ...{ subject, sha256 },
        notice: notice === undefined ? null : JSON.stringify(notice),
      }));
      await db.write(() => run([sql.delayNotices, kept(dueAt), kept(now), { records: delayed }]));
    },

    countReported: async (subjects, since) => (await db.read(sql.toldNotices, subjects, since)).map(reportedFrom),

    end: (subject, ends, { at, since, limit }) =>
      db.write(function* () {
        const all = ends.map(({ sha256 }) => sha256);
        yield* db.lock(locks.subject(subject));
        const [alreadyReported = [], waiting = []] = yield* askAll(
          [sql.toldNotices, [subject], since],
          [sql.stillWaitingNotices, subject, all],
        );
        const open = new Set(waiting.map(({ sha256 }) => String(sha256)));
        const stillOpen = ends.filter(({ sha256 }) => open.has(sha256));
        const { reported, counts } = selectReported(stillOpen, alreadyReported.map(reportedFrom), limit);
        yield* run([sql.endNotices, subject, all]);
        if (reported.length === 0) return counts;
        yield* run([sql.tellNotices, subject, reported.map(({ sha256 }) => sha256), at]);
        yield* add(reported.map(({ event }) => event));
        return counts;
      }),
  };
}

function statements(db: Sql) {
  const { table, anyOf, records, forUpdate } = db.dialect;
  const [own, orders, sessions] = [table('notifications'), table('orders'), table('sessions')];
  // A request that writes the order now has not seen this notification. The version shows that.
  const noticed = `version = version + 1, notices = notices + 1,
        next_query_at = CASE WHEN next_query_at < $12 THEN next_query_at ELSE $12 END, planned_at = $12`;
  const columns = 'subject, received_at, last_at, times, bytes, fields, verified, told_at';
  return statementsOf(db.statement, {
    addNotification: [
      `INSERT INTO ${own} AS n
        (subject, sha256, kind, account, received_at, last_at, times, bytes, fields, notice, due_at, planned_at, verified)
        VALUES ($1, $2, $3, $4, $5, $5, 1, $6, $7, $8, $9, $12, $11)
        ON CONFLICT (subject, sha256) DO UPDATE SET times = n.times + 1, last_at = excluded.last_at`,
      // One statement, because two would lock the orders of two notifications that name each other's orders in opposite
      // order.
      `UPDATE ${orders} SET ${noticed} WHERE (account, order_no) IN (SELECT account, order_no FROM (
        SELECT account, order_no FROM ${sessions} WHERE id = $1
        UNION SELECT account, order_no FROM ${orders} WHERE account = $4 AND order_no ${anyOf('$10')}) AS named)`,
    ],
    waitingNotices: `SELECT ${waitingColumns} FROM ${own} WHERE subject ${anyOf('$1')} AND due_at IS NOT NULL
      ORDER BY received_at, sha256 LIMIT $2`,
    notificationsOf: `SELECT ${columns} FROM ${own} WHERE subject ${anyOf('$1')} ORDER BY received_at, sha256 LIMIT $2`,
    newestNotifications: `SELECT ${columns}, (SELECT count(*) FROM ${own} WHERE subject = $1) AS of_subject FROM ${own}
      WHERE subject = $1 ORDER BY received_at DESC, sha256 DESC LIMIT $2`,
    delayNotices: `UPDATE ${own} AS n SET due_at = $1, planned_at = $2, notice = coalesce(given.notice, n.notice)
      FROM ${records('$3', 'given', 'subject', 'sha256', 'notice')}
      WHERE n.subject = given.subject AND n.sha256 = given.sha256 AND n.due_at IS NOT NULL`,
    toldNotices: `SELECT subject, verified, count(*) AS count FROM ${own}
      WHERE subject ${anyOf('$1')} AND told_at > $2 GROUP BY subject, verified`,
    stillWaitingNotices: `SELECT sha256 FROM ${own} WHERE subject = $1 AND sha256 ${anyOf('$2')}
      AND due_at IS NOT NULL ${forUpdate}`,
    endNotices: `UPDATE ${own} SET notice = NULL, due_at = NULL
      WHERE subject = $1 AND sha256 ${anyOf('$2')} AND due_at IS NOT NULL`,
    tellNotices: `UPDATE ${own} SET told_at = $3 WHERE subject = $1 AND sha256 ${anyOf('$2')}`,
  });
}
