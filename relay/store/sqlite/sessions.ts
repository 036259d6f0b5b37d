import type { StatementSync } from 'node:sqlite';
import { type Attempt, nextLookAt, type Session } from '../../payments/session.ts';
import type { Created, Lease, OrderHold, OrderTaken, Paying, Started, Store } from '../store.ts';
import { type Database, optionalJson, parsed } from './database.ts';
import type { SqliteEvents } from './events.ts';
import type { SqliteKeys } from './keys.ts';
import type { SqliteQuotas } from './quotas.ts';
import { sessionColumns, sessionFrom, termsText } from './session-row.ts';

type SessionMethods = Pick<
  Store,
  | 'createSession'
  | 'session'
  | 'attemptsOfOrder'
  | 'startAttempt'
  | 'startPayment'
  | 'settle'
  | 'update'
  | 'leaseDueSessions'
  | 'leaseStrandedSessions'
  | 'leaseExpirableSessions'
>;

/** Sessions, their attempts, and who holds each order. */
export function sqliteSessions(
  db: Database,
  keys: SqliteKeys,
  events: SqliteEvents,
  quotas: SqliteQuotas,
): SessionMethods {
  const sql = statements(db);

  const refusal = ({ account, order_no }: Session): OrderTaken | undefined => {
    const hold = sql.hold.get(account, order_no)?.hold;
    if (hold === 'paid') return { kind: 'order_already_paid' };
    return hold === 'held' ? { kind: 'order_in_progress' } : undefined;
  };
  const insertSession = (session: Session, startedAt: string | null): void => {
    sql.insertSession.run(
      session.id,
      session.account,
      session.order_no,
      session.state.status,
      session.version,
      session.revision,
      session.created_at,
      session.expires_at,
      startedAt,
      termsText(session.terms),
      JSON.stringify(session.state),
    );
  };
  const updateSession = (session: Session, startedAt: string | null = null): boolean =>
    sql.updateSession.run(
      session.state.status,
      session.version,
      session.revision,
      session.expires_at,
      startedAt,
      nextLookAt(session) ?? null,
      session.state.status === 'unknown' ? session.state.search.since : null,
      session.state.status === 'unknown' && session.state.search.needs_attention ? 1 : 0,
      termsText(session.terms),
      JSON.stringify(session.state),
      optionalJson(session.watch),
      session.id,
      session.version - 1,
    ).changes === 1;
  const setHold = (session: Session, hold: OrderHold): void => {
    sql.setHold.run(session.account, session.order_no, hold);
  };
  const insertAttempt = (attempt: Attempt): void => {
    const { id, session_id, account, order_no, started_at } = attempt;
    sql.insertAttempt.run(id, session_id, account, order_no, started_at, JSON.stringify(attempt));
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
        insertSession(session, null);
        if (answered) keys.answer(answered);
        return { kind: 'created' };
      }),

    session: async (id) => db.all(sql.session, [id], sessionFrom)[0],

    attemptsOfOrder: async (account, orderNo) =>
      db.all(sql.attempts, [account, orderNo], (row) => parsed<Attempt>(row.data)),

    startAttempt: (session, attempt, limits) =>
      db.write<Started>(() => {
        const refused = refusal(session) ?? quotas.take(limits, attempt.started_at);
        if (refused) return refused;
        if (!updateSession(session, attempt.started_at)) return { kind: 'changed' };
        setHold(session, 'held');
        insertAttempt(attempt);
        return { kind: 'started' };
      }),

    startPayment: (session, attempt, limits, key) =>
      db.write<Paying>(() => {
        const refused = refusal(session) ?? quotas.take(limits, attempt.started_at);
        if (refused) return refused;
        if (key && !keys.lead(key, session.id)) return { kind: 'key_lost' };
        insertSession(session, attempt.started_at);
        setHold(session, 'held');
        insertAttempt(attempt);
        return { kind: 'created' };
      }),

    settle: (session, attempt, hold, told) =>
      db.write(() => {
        if (!updateSession(session)) return false;
        const paid = attempt.state.status === 'approved' ? (attempt.transaction_id ?? null) : null;
        sql.updateAttempt.run(JSON.stringify(attempt), paid, attempt.id);
        if (hold !== 'unchanged') setHold(session, hold);
        events.add(told);
        return true;
      }),

    update: (session, told) =>
      db.write(() => {
        if (!updateSession(session)) return false;
        events.add(told);
        return true;
      }),

    leaseDueSessions: (work, accounts) => lease(sql.due, [work.now, JSON.stringify(accounts)], work),
    leaseStrandedSessions: (work, before) => lease(sql.stranded, [before], work),
    leaseExpirableSessions: (work) => lease(sql.expirable, [work.now], work),
  };
}

/** True for a row that nobody works on. */
const isFree = '(leased_until IS NULL OR leased_until <= ?)';

function statements(db: Database) {
  return {
    insertSession: db.prepare(`INSERT INTO sessions
      (id, account, order_no, status, version, revision, created_at, expires_at, started_at, terms, state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    updateSession:
      db.prepare(`UPDATE sessions SET status = ?, version = ?, revision = ?, expires_at = ?, started_at = ?,
      next_look_at = ?, unknown_since = ?, needs_attention = ?, leased_until = NULL, terms = ?, state = ?, watch = ?
      WHERE id = ? AND version = ?`),
    session: db.prepare(`SELECT ${sessionColumns} FROM sessions WHERE id = ?`),
    due: db.prepare(`SELECT * FROM sessions WHERE next_look_at <= ?
      AND account IN (SELECT value FROM json_each(?)) AND ${isFree} ORDER BY next_look_at LIMIT ?`),
    stranded: db.prepare(`SELECT * FROM sessions WHERE status = 'processing' AND started_at <= ?
      AND ${isFree} ORDER BY started_at LIMIT ?`),
    expirable: db.prepare(`SELECT * FROM sessions WHERE status = 'open' AND expires_at <= ?
      AND ${isFree} ORDER BY expires_at LIMIT ?`),
    lease: db.prepare('UPDATE sessions SET leased_until = ? WHERE id = ?'),
    insertAttempt: db.prepare(`INSERT INTO attempts (id, session_id, account, order_no, started_at, data)
      VALUES (?, ?, ?, ?, ?, ?)`),
    updateAttempt: db.prepare('UPDATE attempts SET data = ?, paid_transaction_id = ? WHERE id = ?'),
    attempts: db.prepare('SELECT data FROM attempts WHERE account = ? AND order_no = ? ORDER BY started_at, id'),
    hold: db.prepare('SELECT hold FROM orders WHERE account = ? AND order_no = ?'),
    setHold: db.prepare(`INSERT INTO orders (account, order_no, hold) VALUES (?, ?, ?)
      ON CONFLICT (account, order_no) DO UPDATE SET hold = excluded.hold WHERE orders.hold <> 'paid'`),
  };
}
