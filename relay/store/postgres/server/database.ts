import type { PoolClient } from 'pg';
import type { Row } from '../../rows.ts';
import type { Statement, Step } from '../../sql/plan.ts';
import type { Procedure, ProcedureParameters, ValuesOf } from '../schema/parameters.ts';
import { SERVER_CLOCK } from '../schema/transactions.ts';
import {
  isFull,
  isRoleRefused,
  LATE,
  PostgresFault,
  rowsLocked,
  storeError,
  toldUnreplicated,
  wasLate,
  wasUndone,
  writesSplit,
} from './errors.ts';
import { createPool, endConnections, type OwnPool } from './pool.ts';
import { sendAnew, sendPrepared } from './send.ts';
import { type Servers, serversOf } from './servers.ts';

/** How long a call may take, with the wait for a connection. If the server hangs, the call fails then, and the relay goes on. */
export const CALL_MS = 5000;

/** After so long a procedure must not begin to commit. The rest of `CALL_MS` is for the commit and its answer. */
const COMMIT_MS = 4500;

/** After so long a statement is not sent at all: the server would have too little time for it. */
const SEND_MS = 4000;

/** How long the relay relies on a reading of the server's clock, because the two clocks may drift apart. */
const CLOCK_MS = 60_000;

/** How often a connection is tried with another password: with what is read again, and with the one before. */
const MAX_RENEWALS = 2;

/** How often a transaction is run if the server undoes it in favour of another one. */
const RUNS = 3;

/** How long a call tries to get a connection while the server has none left, and the pause between two tries. */
const FULL_MS = 4500;
const FULL_PAUSE_MS = 50;

/**
 * Begins a transaction with all settings that it relies on, whatever those of the server or of a pooler are: each statement sees what
 * was committed before it, a commit is on disk, and a transaction that its caller gave up ends.
 */
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL synchronous_commit = on;
  SET LOCAL statement_timeout = ${CALL_MS}; SET LOCAL idle_in_transaction_session_timeout = ${CALL_MS}`;

/** The same, but a crash of the server may undo the last transactions. */
const BEGIN_LOSSY = BEGIN.replace('synchronous_commit = on', 'synchronous_commit = off');

/** Sends steps to the server together and gives the rows that each found. The server prepares each once per connection, if it may. */
export type Run = (...steps: readonly Step[]) => Promise<Row[][]>;

/** One PostgreSQL database: every use of it rejects with StoreError and nothing else, after five seconds at the latest. */
export type PostgresDatabase = {
  /** The rows that a statement finds, outside of a transaction. */
  read(...step: Step): Promise<Row[]>;
  /**
   * The same of several statements, in one exchange.
   * @param start since when the caller waits (`performance.now`): the five seconds count from then on
   */
  readAll(steps: readonly Step[], start?: number): Promise<Row[][]>;
  /**
   * One transaction. It may be run again, so `work` must do nothing but read and write by `run`. It is durable when its promise is
   * fulfilled. When it is rejected nothing was written, with one exception that no client can rule out: the server was lost during the
   * commit, or stopped waiting for its standby there, and has written it. The caller must allow for both.
   */
  transaction<Result>(work: (run: Run) => Promise<Result>): Promise<Result>;
  /** The same without waiting for the disk at the commit: a crash of the server may undo it as a whole. */
  transactionLossy: PostgresDatabase['transaction'];
  /** A transaction of these steps; the rows that the last one found. */
  write(...steps: Step[]): Promise<Row[]>;
  /** The same in one exchange, without waiting for the disk: a crash of the server may undo it. */
  writeLossy(steps: readonly Step[], start?: number): Promise<Row[]>;
  /**
   * One call of a procedure that makes its own transactions, in one exchange. Gives its verdict; undefined where it did everything.
   * Rejects where it did nothing because a lock was held, or because fewer jobs must be done together. The procedure is also given a
   * deadline by the server's own clock, after which it does not commit: a server that hung does nothing too late, with the exception
   * that `transaction` has.
   * @param start since when the work waits (`performance.now`)
   */
  call<Parameters extends ProcedureParameters>(
    start: number,
    procedure: Procedure<Parameters>,
    values: ValuesOf<Parameters>,
  ): Promise<string | undefined>;
  /**
   * By how many milliseconds the server's clock is ahead of the caller's, by which it is `now` (ISO 8601). Plans and leases are stored in
   * the server's time, because the clocks of relays may differ.
   */
  ahead(now: string): Promise<number>;
  close(): Promise<void>;
};

/** True when it is too late to send something that has waited since `start`. */
export function isOver(start: number): boolean {
  return performance.now() - start > SEND_MS;
}

/** The error of a statement that was not sent in time. */
export function notSent(): PostgresFault {
  return new PostgresFault(`not sent in ${SEND_MS} ms`, LATE, 'ETIMEDOUT');
}

/** Whose clock decides what is due and leased: the server's, or the callers', who then must share one. */
export type Clock = 'server' | 'callers';

/** A database, to which the first use connects. Throws StoreError for an invalid address. */
export function openDatabase(given: string | Servers, decides: Clock = 'callers', own: OwnPool = {}): PostgresDatabase {
  const servers = typeof given === 'string' ? serversOf(given) : given;
  const pool = createPool(servers, CALL_MS, own);
  const send = servers.keepsStatements ? sendPrepared : sendAnew;
  const clients = new Set<PoolClient>();
  /** When each connection was last used, and when a call last got no answer. */
  const usedAt = new WeakMap<PoolClient, number>();
  let lateAt = Number.NEGATIVE_INFINITY;
  /** Connections on which the server committed something that no standby may have. */
  const unreplicated = new WeakSet<PoolClient>();
  /** A reading of the server's clock, and our own time (`performance.now`) when it had arrived. */
  let clock: { server: number; at: number } | undefined;
  pool.on('connect', (client) => {
    clients.add(client);
    // The new connection may lead to another server.
    clock = undefined;
    // A failure of a connection is reported by the call that uses it; without a listener it would end the process.
    client.on('error', () => undefined);
    client.on('notice', (notice) => {
      if (toldUnreplicated(notice)) unreplicated.add(client);
    });
  });
  pool.on('remove', (client) => void clients.delete(client));
  pool.on('error', () => undefined);
  let closed: Promise<void> | undefined;

  /** Each of several servers is tried once, from the one that was used last on. */
  const connection = async (start: number): Promise<PoolClient> => {
    for (let [tried, renewed] = [1, 0]; ; ) {
      const current = servers.current();
      try {
        const client = await pool.connect();
        // The call without an answer may have met a server that is gone: connections that were idle then lead to it, too.
        const isStale = servers.count > 1 && (usedAt.get(client) ?? lateAt) < lateAt;
        if (!isStale) return client;
        client.release(true);
      } catch (error) {
        if (isFull(error) && performance.now() - start <= FULL_MS) {
          await new Promise((done) => setTimeout(done, FULL_PAUSE_MS));
          continue;
        }
        if (isRoleRefused(error) && renewed < MAX_RENEWALS && servers.renew(current)) {
          renewed += 1;
          continue;
        }
        servers.pass(current);
        if (tried >= servers.count) throw error;
        tried += 1;
      }
    }
  };

  const once = async <Result>(work: (client: PoolClient) => Promise<Result>, start: number): Promise<Result> => {
    if (isOver(start)) throw notSent();
    let client: PoolClient | undefined;
    let isLate = false;
    const tooLate = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => {
        isLate = true;
        lateAt = performance.now();
        client?.connection.stream.destroy();
        tooLate.reject(notSent());
      },
      start + CALL_MS - performance.now(),
    );
    const connecting = connection(start);
    try {
      client = await Promise.race([connecting, tooLate.promise]);
    } catch (error) {
      clearTimeout(timer);
      // The connection may still be made.
      connecting.then(
        (unused) => unused.release(),
        () => undefined,
      );
      throw error;
    }
    try {
      const result = await work(client);
      if (unreplicated.has(client))
        throw new PostgresFault('committed, but not confirmed by a synchronous standby', undefined, 'NO_STANDBY');
      usedAt.set(client, performance.now());
      client.release();
      return result;
    } catch (error) {
      // The connection may be in any state now, so it is closed.
      client.release(true);
      throw isLate ? new PostgresFault(`no answer in ${CALL_MS} ms`, undefined, 'ETIMEDOUT') : error;
    } finally {
      clearTimeout(timer);
    }
  };

  const use = async <Result>(
    work: (client: PoolClient) => Promise<Result>,
    start = performance.now(),
  ): Promise<Result> => {
    for (let run = 1; ; run++) {
      try {
        return await once(work, start);
      } catch (error) {
        // The server's clock may have been set.
        if (wasLate(error)) clock = undefined;
        if (run >= RUNS || !(wasUndone(error) || wasLate(error))) throw storeError(error);
      }
    }
  };

  const knownClock = () => (clock && performance.now() - clock.at <= CLOCK_MS ? clock : undefined);
  const readClock = async (client: PoolClient) => {
    const known = knownClock();
    if (known) return known;
    const [rows] = await send(client, [[askClock]]);
    clock = { server: Number(rows?.[0]?.clock), at: performance.now() };
    return clock;
  };

  /** When the server must no longer commit what has waited since `start`, by its own clock. */
  const deadlineOf = async (client: PoolClient, start: number): Promise<number> => {
    const known = await readClock(client);
    if (isOver(start)) throw notSent();
    // The clock was read before its answer arrived: by our own clock, the server's deadline is never later than `COMMIT_MS` after `start`.
    return Math.floor(known.server + start + COMMIT_MS - known.at);
  };

  const transactionOf =
    (beginning: string): PostgresDatabase['transaction'] =>
    (work) =>
      use(async (client) => {
        let begin: string[] = [beginning];
        const result = await work(async (...steps) => {
          const found = await send(client, [...begin, ...steps]);
          const own = found.slice(begin.length);
          begin = [];
          return own;
        });
        // Sent by itself: if the server hangs before this, it can never commit later.
        await client.query('COMMIT');
        return result;
      });
  const transaction = transactionOf(BEGIN);
  const readAll: PostgresDatabase['readAll'] = (steps, start) => use((client) => send(client, steps), start);

  return {
    read: async (...step) => (await readAll([step]))[0] ?? [],
    readAll,
    transaction,
    transactionLossy: transactionOf(BEGIN_LOSSY),
    write: (...steps) => transaction(async (run) => (await run(...steps)).at(-1) ?? []),
    writeLossy: (steps, start) =>
      use(async (client) => (await send(client, [BEGIN_LOSSY, ...steps, 'COMMIT'])).at(-2) ?? [], start),
    async call(start, { statement, names }, values) {
      const given = names.map((name) => givenValue(values[name]));
      const [rows] = await use(
        async (client) => send(client, [[statement, await deadlineOf(client, start), ...given]]),
        start,
      );
      const verdict = rows?.[0]?.verdict;
      if (verdict === 'split') throw writesSplit();
      if (verdict === 'locked') throw rowsLocked();
      if (verdict !== null && typeof verdict !== 'string')
        throw storeError(new PostgresFault('the server gave no verdict'));
      return verdict ?? undefined;
    },
    async ahead(now) {
      if (decides === 'callers') return 0;
      const { server, at } = knownClock() ?? (await use(readClock));
      return Math.round(server + performance.now() - at - Date.parse(now));
    },
    close() {
      closed ??= pool.end().then(() => endConnections(clients));
      return closed;
    },
  };
}

const askClock: Statement = { name: 'clock', text: `SELECT ${SERVER_CLOCK} AS clock` };

function givenValue(value: number | readonly object[]): number | string | null {
  return typeof value === 'number' ? value : list(value);
}

/** A list as procedures and functions take it: NULL if it is empty. */
export function list(rows: readonly object[]): string | null {
  return rows.length === 0 ? null : JSON.stringify(rows);
}
