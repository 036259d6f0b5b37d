import type { StatementSync } from 'node:sqlite';
import type { Session } from '../../payments/session.ts';
import { sessionColumns, sessionFrom } from '../rows.ts';
import type { Created, Lease, OrderTaken, Store } from '../store.ts';
import type { Database } from './database.ts';
import type { SqliteKeys } from './keys.ts';

type SessionMethods = Pick<Store, 'createSession' | 'session' | 'changeSession' | 'leaseExpirableSessions'>;

/** Sessions by themselves: new ones, open ones that change, and those whose time or whose relay is over. */
export function sqliteSessions(db: Database, keys: SqliteKeys): SessionMethods {
  const sql = statements(db);

  const refusal = ({ account, order_no }: Session): OrderTaken | undefined => {
    const hold = sql.hold.get(account, order_no)?.hold;
    if (hold === 'paid') return { kind: 'order_already_paid' };
    return hold === 'held' ? { kind: 'order_in_progress' } : undefined;
  };

  const lease = async (found: StatementSync, terms: string[], { now, until, limit }: Lease): Promise<Session[]> => {
    // Nearly always there is nothing to do, and a write would keep other writers waiting.
    if (db.all(found, [...terms, now, 1], () => true).length === 0) return [];
    return db.write(() => {
      const sessions = found.all(...terms, now, limit).map(sessionFrom);
      for (const { id } of sessions) sql.lease.run(until, id);
      return sessions;
    });
  };

  return {
    createSession: (session, answered) =>
      db.write<Created>(() => {
        const refused = refusal(session);
        if (refused) return refused;
        const { id, account, order_no, state, version, revision, created_at, expires_at, terms } = session;
        const values = [id, account, order_no, state.status, version, revision, created_at, expires_at] as const;
        sql.insert.run(...values, JSON.stringify(terms), JSON.stringify(state));
        if (answered) keys.answer(answered);
        return { kind: 'created' };
      }),

    session: async (id) => db.all(sql.session, [id], sessionFrom)[0],

    changeSession: ({ id, version, revision, terms }) =>
      db.write(() => sql.change.run(version, revision, JSON.stringify(terms), id, version - 1).changes === 1),

    leaseExpirableSessions: (work) => lease(sql.expirable, [work.now], work),
  };
}

/** True for a row that nobody works on. */
const isFree = '(leased_until IS NULL OR leased_until <= ?)';

function statements(db: Database) {
  return {
    insert: db.prepare(`INSERT INTO sessions
      (id, account, order_no, status, version, revision, created_at, expires_at, terms, state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    session: db.prepare(`SELECT ${sessionColumns} FROM sessions WHERE id = ?`),
    change: db.prepare(`UPDATE sessions SET version = ?, revision = ?, terms = ?, leased_until = NULL
      WHERE id = ? AND version = ?`),
    expirable: db.prepare(`SELECT * FROM sessions WHERE status = 'open' AND expires_at <= ?
      AND ${isFree} ORDER BY expires_at LIMIT ?`),
    lease: db.prepare('UPDATE sessions SET leased_until = ? WHERE id = ?'),
    hold: db.prepare('SELECT hold FROM orders WHERE account = ? AND order_no = ?'),
  };
}
