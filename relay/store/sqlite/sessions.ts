import { emptyOrder, type Order } from '../../payments/order.ts';
import type { Session } from '../../payments/session.ts';
import { leasedAhead } from '../ahead.ts';
import { inOrder, type OrderCache } from '../order-cache.ts';
import { sessionFrom } from '../rows.ts';
import type { Created, OrderTaken, Store } from '../store.ts';
import type { SqliteAudit } from './audit.ts';
import { type Database, optionalJson } from './file/database.ts';
import type { SqliteKeys } from './keys.ts';
import { sessionColumns, sessionTables, sqliteTerms } from './order-reads.ts';

type SessionMethods = Pick<Store, 'createSession' | 'session' | 'changeSession' | 'leaseExpirableSessions'>;

/** Sessions by themselves: new ones, open ones that change, and those whose time or whose relay is over. */
export function sqliteSessions(
  db: Database,
  cache: OrderCache,
  { keys, audit }: { keys: SqliteKeys; audit: SqliteAudit },
): SessionMethods {
  const sql = statements(db);
  const own = sqliteTerms(db);

  /** The order of a session that is the first that is known of it. */
  const newOrder = ({ account, order_no }: Session): Order | undefined =>
    sql.hold.get(account, order_no) || sql.any.get(account, order_no) ? undefined : emptyOrder(account, order_no);

  return {
    createSession: (session, answered) =>
      db.write<Created>(() => {
        const known = cache.get(session) ?? newOrder(session);
        const refused = refusal(known ?? sql.hold.get(session.account, session.order_no));
        if (refused) return refused;
        const { id, account, order_no, state, version, revision, created_at, expires_at, terms } = session;
        const values = [id, account, order_no, state.status, version, revision, created_at, expires_at] as const;
        sql.insert.run(...values, optionalJson(terms.filled), JSON.stringify(state));
        own.add(session);
        if (answered) keys.answer(answered);
        db.undoBy(() => cache.drop(session));
        if (known) {
          const sessions = inOrder([...known.sessions, session], (one) => one.created_at);
          cache.put({ ...known, sessions }, db.commit());
        }
        return { kind: 'created' };
      }),

    session: async (id) => {
      const order = cache.ofSession(id);
      const known = order?.sessions.find((session) => session.id === id);
      return order && known
        ? db.durable(known, cache.commitOf(order))
        : (await db.read(sql.session, [id], sessionFrom))[0];
    },

    changeSession: (session, asked) =>
      db.write(() => {
        const { id, version, revision, terms } = session;
        if (sql.change.run(version, revision, optionalJson(terms.filled), id, version - 1).changes !== 1) return false;
        own.put(session);
        audit.add(asked);
        cache.drop(session);
        return true;
      }),

    leaseExpirableSessions: async (work) => {
      const { now, until, limit } = work;
      const terms = [now, leasedAhead(work)] as const;
      // Nearly always there is nothing to do, and a write would keep other writers waiting.
      if (db.all(sql.expirable, [...terms, 1], () => true).length === 0) return [];
      return db.write(() => {
        const sessions = sql.expirable.all(...terms, limit).map(sessionFrom);
        for (const { id } of sessions) sql.lease.run(until, id);
        return sessions;
      });
    },
  };
}

function refusal(order: { hold?: unknown } | undefined): OrderTaken | undefined {
  if (order?.hold === 'paid') return { kind: 'order_already_paid' };
  return order?.hold === 'held' ? { kind: 'order_in_progress' } : undefined;
}

function statements(db: Database) {
  return {
    insert: db.prepare(`INSERT INTO sessions
      (id, account, order_no, status, version, revision, created_at, expires_at, filled, state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    session: db.prepare(`SELECT ${sessionColumns} FROM ${sessionTables} WHERE id = ?`),
    change: db.prepare(`UPDATE sessions SET version = ?, revision = ?, filled = ?, leased_until = NULL
      WHERE id = ? AND version = ?`),
    expirable: db.prepare(`SELECT ${sessionColumns} FROM ${sessionTables} WHERE status = 'open' AND expires_at <= ?1
      AND (leased_until IS NULL OR leased_until <= ?1 OR leased_until > ?2) ORDER BY expires_at LIMIT ?3`),
    lease: db.prepare('UPDATE sessions SET leased_until = ? WHERE id = ?'),
    any: db.prepare('SELECT 1 FROM sessions WHERE account = ? AND order_no = ? LIMIT 1'),
    hold: db.prepare('SELECT hold FROM orders WHERE account = ? AND order_no = ?'),
  };
}
