import type { Store } from '../store.ts';
import type { Database } from './server/database.ts';

/** Notifications of the gateway, and the orders that they make due. */
export function postgresNotifications(db: Database): Pick<Store, 'addNotification'> {
  return {
    addNotification: async ({ subject, sha256, kind, account, received_at, bytes, fields }) => {
      await db.write([add, subject, sha256, kind, account, received_at, bytes, JSON.stringify(fields)]);
    },
  };
}

const add = {
  name: 'add-notification',
  // Whoever writes the order now has not seen this notification: the version tells.
  text: `WITH kept AS (INSERT INTO turnpike.notifications AS n
      (subject, sha256, kind, account, received_at, last_at, times, bytes, fields)
      VALUES ($1, $2, $3, $4, $5, $5, 1, $6, $7)
      ON CONFLICT (subject, sha256) DO UPDATE SET times = n.times + 1, last_at = excluded.last_at)
    UPDATE turnpike.orders AS o SET version = o.version + 1, notices = o.notices + 1,
      next_query_at = least(o.next_query_at, $5) FROM turnpike.sessions AS s
      WHERE s.id = $1 AND o.account = s.account AND o.order_no = s.order_no`,
};
