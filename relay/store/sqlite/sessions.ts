import { emptyOrder } from '../../payments/order.ts';
import { inOrder, type OrderCache } from '../order-cache.ts';
import type { SessionParts } from '../sql/sessions.ts';
import type { SqliteSql } from './driver.ts';
import type { SqliteDatabase } from './file/database.ts';

/** Cached sessions, with their orders. */
export function sessionsAtHand(
  db: SqliteDatabase,
  sql: SqliteSql,
  cache: OrderCache,
): Pick<SessionParts, 'known' | 'added'> {
  const order = db.prepare('SELECT 1 FROM orders WHERE account = ? AND order_no = ?');
  const other = db.prepare('SELECT 1 FROM sessions WHERE account = ? AND order_no = ? AND id <> ? LIMIT 1');
  return {
    known: async (id) => {
      const order = cache.ofSession(id);
      const known = order?.sessions.find((session) => session.id === id);
      return order && known && db.durable(known, cache.commitOf(order));
    },
    added: (session) =>
      sql.part(() => {
        const { id, account, order_no } = session;
        const isNew = (): boolean => !order.get(account, order_no) && !other.get(account, order_no, id);
        const known = cache.get(session) ?? (isNew() ? emptyOrder(account, order_no) : undefined);
        db.undoBy(() => cache.drop(session));
        if (!known) return;
        const sessions = inOrder([...known.sessions, session], ({ created_at }) => created_at);
        cache.put({ ...known, sessions }, db.commit());
      }),
  };
}
