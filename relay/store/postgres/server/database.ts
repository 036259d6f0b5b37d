import { Pool, type PoolClient } from 'pg';
import type { Row } from '../../rows.ts';
import { isFull, PostgresFault, storeError, wasUndone } from './errors.ts';

/** How long one call may take, waiting for a connection included: a server that hangs fails it, and the relay goes on. */
const CALL_MS = 5000;

/** Connections of one relay. Payments at the same time wait for the server's disk together, so a few do for many. */
const CONNECTIONS = 10;

/** How often a transaction is run that the server undid for another one's sake. */
const RUNS = 3;

/** Between two tries to get a connection from a server that has none left. */
const FULL_PAUSE_MS = 50;

/** How long a connection may take to say goodbye. */
const GOODBYE_MS = 1000;

/**
 * A relay's transactions say themselves what they need, whatever the server or a pooler in between is set to: each
 * statement sees what was committed before it, what was committed is on disk, and what nobody waits for any more ends.
 */
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL synchronous_commit = on;
  SET LOCAL statement_timeout = ${CALL_MS}; SET LOCAL idle_in_transaction_session_timeout = ${CALL_MS}`;

/** As above, but a crash of the server may undo the last of them. */
const BEGIN_HASTY = BEGIN.replace('synchronous_commit = on', 'synchronous_commit = off');

/** A statement that the server prepares once a connection, under its name. */
export type Statement = { name: string; text: string };
export type Value = string | number | boolean | null | readonly (string | number | boolean)[];
/** A statement with its values. */
export type Step = readonly [statement: Statement, ...values: Value[]];

/** Sends steps to the server together and gives the rows that each found. */
export type Run = (...steps: Step[]) => Promise<Row[][]>;

/** One PostgreSQL database: every use of it rejects with StoreError and nothing else, after five seconds at the latest. */
export type Database = {
  /** The rows that a statement finds, outside of a transaction. */
  read(...step: Step): Promise<Row[]>;
  /**
   * One transaction, which may be run again: it must do nothing but read and write by `run`. Durable when its promise is
   * fulfilled. When it is rejected nothing was written, with one exception that no client of a server can rule out: the
   * server was lost at the commit itself, and wrote it. Its caller must be able to live with both.
   */
  transaction<Result>(work: (run: Run) => Promise<Result>): Promise<Result>;
  /** A transaction of these steps; the rows that the last one found. */
  write(...steps: Step[]): Promise<Row[]>;
  /** The same without waiting for the disk, in one exchange: for what may be lost when the server crashes. */
  writeHasty(steps: readonly Step[], start?: number): Promise<Row[]>;
  /**
   * One call of a procedure that makes its own transactions, in one exchange. Whoever calls has waited since `start`, in the
   * milliseconds of `performance.now`: that counts among the five seconds.
   */
  call(step: Step, start: number): Promise<Row[]>;
  close(): Promise<void>;
};

/** Connects to a database when it is first used. Throws StoreError for an address that is none. */
export function openDatabase(address: string): Database {
  const pool = createPool(address);
  const clients = new Set<PoolClient>();
  pool.on('connect', (client) => {
    clients.add(client);
    // What befalls a connection is told by the call that uses it; without a listener it would end the process.
    client.on('error', () => undefined);
  });
  pool.on('remove', (client) => void clients.delete(client));
  pool.on('error', () => undefined);
  let closed: Promise<void> | undefined;

  const connection = async (start: number): Promise<PoolClient> => {
    for (;;) {
      try {
        return await pool.connect();
      } catch (error) {
        if (!isFull(error) || performance.now() - start > CALL_MS - FULL_PAUSE_MS) throw error;
        await new Promise((done) => setTimeout(done, FULL_PAUSE_MS));
      }
    }
  };

  const once = async <Result>(work: (client: PoolClient) => Promise<Result>, start: number): Promise<Result> => {
    const client = await connection(start);
    const left = Math.max(1, CALL_MS - (performance.now() - start));
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      client.connection.stream.destroy();
    }, left);
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      // Whatever state the connection is in now, nobody else gets it.
      client.release(true);
      throw isLate ? new PostgresFault(`no answer in ${CALL_MS} ms`) : error;
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
        if (run >= RUNS || !wasUndone(error)) throw storeError(error);
      }
    }
  };

  const transaction: Database['transaction'] = (work) =>
    use(async (client) => {
      let begin: string[] = [BEGIN];
      const result = await work(async (...steps) => {
        const found = await send(client, [...begin, ...steps]);
        const own = found.slice(begin.length);
        begin = [];
        return own;
      });
      // By itself: should the server hang before this is sent, nothing that it does later can be a commit.
      await client.query('COMMIT');
      return result;
    });

  return {
    read: (...step) => use(async (client) => (await send(client, [step]))[0] ?? []),
    transaction,
    write: (...steps) => transaction(async (run) => (await run(...steps)).at(-1) ?? []),
    writeHasty: (steps, start) =>
      use(async (client) => (await send(client, [BEGIN_HASTY, ...steps, 'COMMIT'])).at(-2) ?? [], start),
    call: (step, start) => use(async (client) => (await send(client, [step]))[0] ?? [], start),
    close() {
      closed ??= pool.end().then(() => sayGoodbye(clients));
      return closed;
    },
  };
}

function createPool(connectionString: string): Pool {
  try {
    return new Pool({
      connectionString,
      max: CONNECTIONS,
      connectionTimeoutMillis: CALL_MS,
      keepAlive: true,
      fallback_application_name: 'turnpike',
      pipeline: true,
    });
  } catch (error) {
    throw storeError(error);
  }
}

/** Sends everything in one go, and waits for all of it. Rejects with what went wrong first. */
async function send(client: PoolClient, steps: readonly (string | Step)[]): Promise<Row[][]> {
  const { stream } = client.connection;
  stream.cork();
  const sent = steps.map((step) => {
    if (typeof step === 'string') return client.query<Row>(step);
    const [statement, ...values] = step;
    return client.query<Row>({ ...statement, values });
  });
  stream.uncork();
  return (await Promise.all(sent)).map((result) => result.rows);
}

/** A connection whose server hangs would keep the process for ever. */
async function sayGoodbye(clients: Set<PoolClient>): Promise<void> {
  const end = performance.now() + GOODBYE_MS;
  while (clients.size > 0 && performance.now() < end) await new Promise((done) => setTimeout(done, 10));
  for (const client of clients) client.connection.stream.destroy();
}

/** `$3, $4, $5`: so many values from the one with this number on. */
export function values(from: number, count: number): string {
  return Array.from({ length: count }, (_, i) => `$${from + i}`).join(', ');
}

/** A list as a procedure takes it: NULL where it is empty. */
export function list(rows: readonly object[]): string | null {
  return rows.length === 0 ? null : JSON.stringify(rows);
}
