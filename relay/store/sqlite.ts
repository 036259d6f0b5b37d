import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLOutputValue, type StatementSync } from 'node:sqlite';
import type { Attempt, Session } from '../checkout/session.ts';
import { StoreError } from '../errors.ts';
import { migrations } from './migrations.ts';
import type { Created, OrderHold, Started, Store } from './store.ts';

type Row = Record<string, SQLOutputValue>;

/** Opens (and where needed makes or migrates) the SQLite store at a path, or `:memory:`. Throws StoreError. */
export function openSqlite(path: string): Store {
  return guarded(() => {
    if (path !== ':memory:') makePrivate(path);
    const db = new DatabaseSync(path, { timeout: 5000 });
    // FULL: a commit that was answered is on disk, whatever happens to the machine.
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;');
    migrate(db);
    return createStore(db);
  });
}

/** Shoppers' names and addresses are in it; the files beside it get the same rights. */
function makePrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
}

function createStore(db: DatabaseSync): Store {
  const sql = statements(db);

  const write = async <Result>(change: () => Result): Promise<Result> => guarded(() => transaction(db, change));
  const sessions = async (statement: StatementSync, ...values: (string | number)[]): Promise<Session[]> =>
    guarded(() => statement.all(...values).map(sessionFrom));
  const holdOf = (account: string, orderNo: string): OrderHold => {
    const hold = sql.hold.get(account, orderNo)?.hold;
    return hold === 'held' || hold === 'paid' ? hold : 'free';
  };
  const saveSession = (session: Session, startedAt?: string): boolean =>
    sql.updateSession.run(
      session.state.status,
      session.version,
      session.revision,
      session.expires_at,
      startedAt ?? null,
      nextLook(session),
      JSON.stringify(session.terms),
      JSON.stringify(session.state),
      session.id,
      session.version - 1,
    ).changes === 1;

  return {
    createSession: (session) =>
      write<Created>(() => {
        const hold = holdOf(session.account, session.order_no);
        if (hold !== 'free') return hold === 'paid' ? 'order_already_paid' : 'order_in_progress';
        sql.insertSession.run(
          session.id,
          session.account,
          session.order_no,
          session.state.status,
          session.version,
          session.revision,
          session.created_at,
          session.expires_at,
          JSON.stringify(session.terms),
          JSON.stringify(session.state),
        );
        return 'created';
      }),

    session: async (id) => (await sessions(sql.session, id))[0],

    attemptsOfOrder: async (account, orderNo) =>
      guarded(() => sql.attempts.all(account, orderNo).map((row) => parse<Attempt>(row.data))),

    startAttempt: (session, attempt) =>
      write<Started>(() => {
        const hold = holdOf(session.account, session.order_no);
        if (hold !== 'free') return hold === 'paid' ? 'order_already_paid' : 'order_in_progress';
        if (!saveSession(session, attempt.started_at)) return 'changed';
        sql.setHold.run(session.account, session.order_no, 'held');
        sql.insertAttempt.run(
          attempt.id,
          attempt.session_id,
          attempt.account,
          attempt.order_no,
          attempt.started_at,
          JSON.stringify(attempt),
        );
        return 'started';
      }),

    settle: (session, attempt, hold) =>
      write(() => {
        if (!saveSession(session)) return false;
        sql.updateAttempt.run(JSON.stringify(attempt), attempt.id);
        if (hold !== 'unchanged') sql.setHold.run(session.account, session.order_no, hold);
        return true;
      }),

    update: (session) => write(() => saveSession(session)),
    dueSessions: (now, accounts, limit) => sessions(sql.due, now, JSON.stringify(accounts), limit),
    strandedSessions: (before, limit) => sessions(sql.stranded, before, limit),
    expirableSessions: (now, limit) => sessions(sql.expirable, now, limit),

    check: () => write(() => void sql.touch.run()),
    close: async () => guarded(() => (db.isOpen ? db.close() : undefined)),
  };
}

function statements(db: DatabaseSync) {
  return {
    insertSession: db.prepare(`INSERT INTO sessions
      (id, account, order_no, status, version, revision, created_at, expires_at, terms, state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
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
    updateAttempt: db.prepare('UPDATE attempts SET data = ? WHERE id = ?'),
    attempts: db.prepare('SELECT data FROM attempts WHERE account = ? AND order_no = ? ORDER BY started_at, id'),
    hold: db.prepare('SELECT hold FROM orders WHERE account = ? AND order_no = ?'),
    setHold: db.prepare(`INSERT INTO orders (account, order_no, hold) VALUES (?, ?, ?)
      ON CONFLICT (account, order_no) DO UPDATE SET hold = excluded.hold WHERE orders.hold <> 'paid'`),
    touch: db.prepare("UPDATE orders SET hold = hold WHERE account = '' AND order_no = ''"),
  };
}

function migrate(db: DatabaseSync): void {
  transaction(db, () => {
    const done = Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);
    if (done > migrations.length) throw new Error('the store was made by a newer version of Turnpike');
    for (const step of migrations.slice(done)) db.exec(step);
    db.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}

function transaction<Result>(db: DatabaseSync, change: () => Result): Result {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = change();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

function guarded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new StoreError('the SQLite store cannot be used', { cause: error });
  }
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
    terms: parse(row.terms),
    state: parse(row.state),
  };
}

/** Reads a column that this file wrote. */
function parse<Value>(column: SQLOutputValue | undefined): Value {
  return JSON.parse(String(column));
}
