import type { Store } from '../store.ts';
import type { Database } from './database.ts';
import { sessionColumns, sessionFrom } from './rows.ts';

type NotificationMethods = Pick<Store, 'addNotification' | 'leaseNotifiedSessions' | 'lookedAtNotified'>;

/** Notifications of the gateway, and the sessions that wait for a look because of one. */
export function postgresNotifications(db: Database): NotificationMethods {
  return {
    addNotification: async ({ subject, sha256, kind, account, received_at, bytes, fields }) => {
      await db.write([sql.add, subject, sha256, kind, account, received_at, bytes, JSON.stringify(fields)]);
    },
    leaseNotifiedSessions: async ({ now, until, limit }, accounts, quietSince) =>
      (await db.write([sql.lease, now, until, limit, accounts, quietSince])).map(sessionFrom),
    lookedAtNotified: async (ids, { now }) => {
      if (ids.length > 0) await db.write([sql.done, ids, now]);
    },
  };
}

const sql = {
  add: {
    name: 'add-notification',
    // The later of both: relays' clocks differ, and whoever looks now has not seen what came since.
    text: `WITH kept AS (INSERT INTO turnpike.notifications AS n
        (subject, sha256, kind, account, received_at, last_at, times, bytes, fields)
        VALUES ($1, $2, $3, $4, $5, $5, 1, $6, $7)
        ON CONFLICT (subject, sha256) DO UPDATE SET times = n.times + 1, last_at = excluded.last_at)
      UPDATE turnpike.sessions SET notified_at = greatest(notified_at, $5) WHERE id = $1`,
  },
  lease: {
    name: 'lease-notified',
    text: `WITH due AS (SELECT id FROM turnpike.sessions WHERE notified_at IS NOT NULL
        AND (noticed_at IS NULL OR noticed_at <= $5) AND (notice_leased_until IS NULL OR notice_leased_until <= $1)
        AND account = ANY ($4::text[]) ORDER BY notified_at LIMIT $3 FOR UPDATE SKIP LOCKED),
      leased AS (UPDATE turnpike.sessions AS s SET notice_leased_until = $2, noticed_at = $1 FROM due
        WHERE s.id = due.id RETURNING s.*)
      SELECT ${sessionColumns} FROM leased ORDER BY notified_at`,
  },
  done: {
    name: 'looked-at-notified',
    // In order, so that no two of these wait for each other.
    text: `WITH looked AS (SELECT id FROM turnpike.sessions WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE)
      UPDATE turnpike.sessions AS s SET notice_leased_until = NULL,
        notified_at = CASE WHEN notified_at <= $2 THEN NULL ELSE notified_at END FROM looked WHERE s.id = looked.id`,
  },
};
