import type { Attempt, Session } from '../checkout/session.ts';
import { type Database, parsed, type Row } from './sqlite-database.ts';
import type { SqliteEvents } from './sqlite-events.ts';
import type { SqliteKeys } from './sqlite-keys.ts';
import type { Created, OrderHold, Paying, Started, Store } from './store.ts';

type SessionMethods = Pick<
  Store,
  | 'createSession'
  | 'session'
  | 'attemptsOfOrder'
  | 'startAttempt'
  | 'startPayment'
  | 'settle'
  | 'update'
  | 'dueSessions'
  | 'strandedSessions'
  | 'expirableSessions'
>;

/** Sessions, their attempts, and who holds each order. */
export function sqliteSessions(db: Database, keys: SqliteKeys, events: SqliteEvents): SessionMethods {
  const sql = statements(db);

  const refusal = ({ account, order_no }: Session): Exclude<Created, 'created'> | undefined => {
    const hold = sql.hold.get(account, order_no)?.hold;
    if (hold === 'paid') return 'order_already_paid';
    return hold === 'held' ? 'order_in_progress' : undefined;
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
      JSON.stringify(session.terms),
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
      nextLook(session),
      JSON.stringify(session.terms),
      JSON.stringify(session.state),
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

  return {
    createSession: async (session, answered) =>
      db.write<Created>(() => {
        const refused = refusal(session);
        if (refused) return refused;
        insertSession(session, null);
        if (answered) keys.answer(answered);
        return 'created';
      }),

    session: async (id) => db.all(sql.session, [id], sessionFrom)[0],

    attemptsOfOrder: async (account, orderNo) =>
      db.all(sql.attempts, [account, orderNo], (row) => parsed<Attempt>(row.data)),

    startAttempt: async (session, attempt) =>
      db.write<Started>(() => {
        const refused = refusal(session);
        if (refused) return refused;
        if (!updateSession(session, attempt.started_at)) return 'changed';
        setHold(session, 'held');
        insertAttempt(attempt);
        return 'started';
      }),

    startPayment: async (session, attempt, key) =>
      db.write<Paying>(() => {
        const refused = refusal(session);
        if (refused) return refused;
        if (key && !keys.lead(key, session.id)) return 'key_lost';
        insertSession(session, attempt.started_at);
        setHold(session, 'held');
        insertAttempt(attempt);
        return 'created';
      }),

    settle: async (session, attempt, hold, told) =>
      db.write(() => {
        if (!updateSession(session)) return false;
        const paid = attempt.state.status === 'approved' ? (attempt.transaction_id ?? null) : null;
        sql.updateAttempt.run(JSON.stringify(attempt), paid, attempt.id);
        if (hold !== 'unchanged') setHold(session, hold);
        events.add(told);
        return true;
      }),

    update: async (session, told) =>
      db.write(() => {
        if (!updateSession(session)) return false;
        events.add(told);
        return true;
      }),

    dueSessions: async (now, accounts, limit) => db.all(sql.due, [now, JSON.stringify(accounts), limit], sessionFrom),
    strandedSessions: async (before, limit) => db.all(sql.stranded, [before, limit], sessionFrom),
    expirableSessions: async (now, limit) => db.all(sql.expirable, [now, limit], sessionFrom),
  };
}

function statements(db: Database) {
  return {
    insertSession: db.prepare(`INSERT INTO sessions
      (id, account, order_no, status, version, revision, created_at, expires_at, started_at, terms, state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    updateSession:
      db.prepare(`UPDATE sessions SET status = ?, version = ?, revision = ?, expires_at = ?, started_at = ?,
      next_look_at = ?, terms = ?, state = ? WHERE id = ? AND version = ?`),
    session: db.prepare('SELECT * FROM sessions WHERE id = ?'),
    due: db.prepare(`SELECT * FROM sessions WHERE next_look_at <= ?
      AND account IN (SELECT value FROM json_each(?)) ORDER BY next_look_at LIMIT ?`),
    stranded: db.prepare(`SELECT * FROM sessions WHERE status = 'processing' AND started_at <= ?
      ORDER BY started_at LIMIT ?`),
    expirable: db.prepare(`SELECT * FROM sessions WHERE status = 'open' AND expires_at <= ?
      ORDER BY expires_at LIMIT ?`),
    insertAttempt: db.prepare(`INSERT INTO attempts (id, session_id, account, order_no, started_at, data)
      VALUES (?, ?, ?, ?, ?, ?)`),
    updateAttempt: db.prepare('UPDATE attempts SET data = ?, paid_transaction_id = ? WHERE id = ?'),
    attempts: db.prepare('SELECT data FROM attempts WHERE account = ? AND order_no = ? ORDER BY started_at, id'),
    hold: db.prepare('SELECT hold FROM orders WHERE account = ? AND order_no = ?'),
    setHold: db.prepare(`INSERT INTO orders (account, order_no, hold) VALUES (?, ?, ?)
      ON CONFLICT (account, order_no) DO UPDATE SET hold = excluded.hold WHERE orders.hold <> 'paid'`),
  };
}

function nextLook({ state }: Session): string | null {
  if (state.status === 'unknown') return state.search.next_look_at;
  return state.status === 'redirected' ? state.next_look_at : null;
}

function sessionFrom(row: Row): Session {
  return {
    id: String(row.id),
    account: String(row.account),
    order_no: String(row.order_no),
    created_at: String(row.created_at),
    expires_at: String(row.expires_at),
    revision: Number(row.revision),
    version: Number(row.version),
    terms: parsed(row.terms),
    state: parsed(row.state),
  };
}
