import type { Row } from '../../row.ts';
import type { Step } from '../../sql/plan.ts';
import type { Procedure, ProcedureParameters, ValuesOf } from '../schema/parameters.ts';
import { CALL_MS, createConnections } from './connections.ts';
import { PostgresFault, rowsLocked, storeError, writesSplit } from './errors.ts';
import type { OwnPool } from './pool.ts';
import { sendAnew, sendPrepared } from './send.ts';
import { createServerClock } from './server-clock.ts';
import { type Servers, serversOf } from './servers.ts';

/**
 * Begins a transaction with all settings that it needs, whatever the settings of the server or of a pooler are: each
 * statement sees everything that was committed before it, a commit is on disk, and a transaction that its caller
 * abandoned ends.
 */
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL synchronous_commit = on;
  SET LOCAL statement_timeout = ${CALL_MS}; SET LOCAL idle_in_transaction_session_timeout = ${CALL_MS}`;

/** The same, but a crash of the server may undo the last transactions. */
const BEGIN_LOSSY = BEGIN.replace('synchronous_commit = on', 'synchronous_commit = off');

/**
 * Sends steps to the server together and returns the rows of each. The server prepares each once per connection, if
 * possible.
 */
export type Run = (...steps: readonly Step[]) => Promise<Row[][]>;

/** One PostgreSQL database: every use of it rejects with StoreError and nothing else, after five seconds at the latest. */
export type PostgresDatabase = {
  /** The rows of a statement, outside of a transaction. */
  read(...step: Step): Promise<Row[]>;
  /**
   * The rows of several statements, in one exchange.
   * @param start since when the caller waits (`performance.now`): the five seconds count from then
   */
  readAll(steps: readonly Step[], start?: number): Promise<Row[][]>;
  /**
   * One transaction. It may run again, so `work` must only read and write by `run`. It is durable when its promise is
   * fulfilled. If the promise is rejected, nothing was written, with one exception that no client can rule out: the
   * server was lost during the commit, or stopped waiting for its standby then, and has written it. The caller must
   * allow for both.
   */
  transaction<Result>(work: (run: Run) => Promise<Result>): Promise<Result>;
  /** The same without waiting for the disk at the commit: a crash of the server may undo it completely. */
  transactionLossy: PostgresDatabase['transaction'];
  /** A transaction of these steps; returns the rows of the last one. */
  write(...steps: Step[]): Promise<Row[]>;
  /** The same in one exchange, without waiting for the disk: a crash of the server may undo it. */
  writeLossy(steps: readonly Step[], start?: number): Promise<Row[]>;
  /**
   * One call of a procedure that makes its own transactions, in one exchange. Returns its verdict; undefined if it did
   * everything. Rejects if it did nothing because a lock was held, or because fewer jobs must be done together. The
   * procedure also gets a deadline by the server's own clock, after which it does not commit, so that a server that
   * hung does nothing too late, with the exception in `transaction`.
   * @param start since when the work waits (`performance.now`)
   */
  call<Parameters extends ProcedureParameters>(
    start: number,
    procedure: Procedure<Parameters>,
    values: ValuesOf<Parameters>,
  ): Promise<string | undefined>;
  /**
   * The milliseconds by which the server's clock is ahead of the caller's, which shows `now` (ISO 8601). Plans and
   * leases are stored in the server's time, because the clocks of relays may differ.
   */
  ahead(now: string): Promise<number>;
  close(): Promise<void>;
};

/** Whose clock decides what is due and leased: the server's, or the callers', who then must share one. */
export type Clock = 'server' | 'callers';

/** A database. The first use connects. Throws StoreError for an invalid address. */
export function openDatabase(given: string | Servers, decides: Clock = 'callers', own: OwnPool = {}): PostgresDatabase {
  const servers = typeof given === 'string' ? serversOf(given) : given;
  const send = servers.keepsStatements ? sendPrepared : sendAnew;
  const clock = createServerClock(send);
  const { use, close } = createConnections(servers, own, clock.reset);

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
        // Sent separately: if the server hangs before this, it can never commit later.
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
        async (client) => send(client, [[statement, await clock.deadlineOf(client, start), ...given]]),
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
      const { server, at } = clock.known() ?? (await use(clock.read));
      return Math.round(server + performance.now() - at - Date.parse(now));
    },
    close,
  };
}

function givenValue(value: number | readonly object[]): number | string | null {
  return typeof value === 'number' ? value : list(value);
}

/** A list as procedures and functions take it: NULL if it is empty. */
export function list(rows: readonly object[]): string | null {
  return rows.length === 0 ? null : JSON.stringify(rows);
}
