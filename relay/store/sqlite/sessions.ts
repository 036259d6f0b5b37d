import { emptyOrder, type StoredOrder } from '../../payments/order.ts';
import type { Session } from '../../payments/session.ts';
import type { Created, OrderTaken, SessionStore } from '../facets/sessions.ts';
import { inOrder, type OrderCache } from '../order-cache.ts';
import { filledColumn } from '../order-changes.ts';
import { sessionColumns, sessionFrom } from '../rows.ts';
import { dialect } from './dialect.ts';
import type { SqliteDatabase } from './file/database.ts';
import type { SqliteKeys } from './keys.ts';
import { sqliteTerms } from './order-reads.ts';

type SessionMethods = Pick<SessionStore, 'create' | 'get'>;

/** New sessions, and sessions by themselves. */
export function sqliteSessions(db: SqliteDatabase, cache: OrderCache, keys: SqliteKeys): SessionMethods {
  const sql = statements(db);
  const own = sqliteTerms(db);

  /** The order of a session that is the first that is known of it. */
  const newOrder = ({ account, order_no }: Session): StoredOrder | undefined =>
    sql.hold.get(account, order_no) || sql.any.get(account, order_no) ? undefined : emptyOrder(account, order_no);

  return {
    create: (session, answered) =>
      db.write<Created>(() => {
        const known = cache.get(session) ?? newOrder(session);
        const refused = refusal(known ?? sql.hold.get(session.account, session.order_no));
        if (refused) return refused;
        const { id, account, order_no, state, version, revision, created_at, expires_at, terms } = session;
        const values = [id, account, order_no, state.status, version, revision, created_at, expires_at] as const;
        sql.insert.run(...values, filledColumn(terms), JSON.stringify(state));
        own.add(session);
        if (answered) keys.answer(answered);
        db.undoBy(() => cache.drop(session));
        if (known) {
          const sessions = inOrder([...known.sessions, session], (one) => one.created_at);
          cache.put({ ...known, sessions }, db.commit());
        }
        return { kind: 'created' };
      }),

    get: async (id) => {
      const order = cache.ofSession(id);
      const known = order?.sessions.find((session) => session.id === id);
      return order && known
        ? db.durable(known, cache.commitOf(order))
        : (await db.read(sql.session, [id], sessionFrom))[0];
    },
  };
}

function refusal(order: { hold?: unknown } | undefined): OrderTaken | undefined {
  if (order?.hold === 'paid') return { kind: 'order_already_paid' };
  return order?.hold === 'held' ? { kind: 'order_in_progress' } : undefined;
}

function statements(db: SqliteDatabase) {
  return {
    insert: db.prepare(`INSERT INTO sessions
      (id, account, order_no, status, version, revision, created_at, expires_at, filled, state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    session: db.prepare(`SELECT ${sessionColumns} FROM ${dialect.terms.joined} WHERE id = ?`),
    any: db.prepare('SELECT 1 FROM sessions WHERE account = ? AND order_no = ? LIMIT 1'),
    hold: db.prepare('SELECT hold FROM orders WHERE account = ? AND order_no = ?'),
  };
}
