import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import type { TestPostgres } from '../../test/support/stores/postgres.ts';
import type { Load, Target } from '../harness/measure.ts';

const SAMPLE_MS = 20;

/** The database server's work for one payment, and the mean number of connections that waited. */
export type DatabaseWork = { commits: number; walBytes: number; fsyncs: number; waits: Waits };
type Waits = Record<'Lock' | 'LWLock' | 'IO', number>;

/** Runs the load once more and reads the server's statistics before and after. */
export async function measureDatabase(
  postgres: TestPostgres,
  address: string,
  target: Target,
  load: Load,
): Promise<DatabaseWork> {
  // Connected to another database, because the samples are commits too and must not be counted.
  const client = new Client({ connectionString: postgres.addressOf('postgres') });
  const database = new URL(address).pathname.slice(1);
  await client.connect();
  try {
    let before: Counters = {};
    let waits: Waits = { Lock: 0, LWLock: 0, IO: 0 };
    await target.run(load, async (visits) => {
      await reportedCounters();
      before = await readCounters(client, database);
      const sampling = startSampling(client, database);
      const result = await visits();
      waits = await sampling.end();
      return result;
    });
    await reportedCounters();
    const after = await readCounters(client, database);
    const each = (name: string): number => (Number(after[name]) - Number(before[name])) / load.count;
    return { commits: each('commits'), walBytes: each('wal'), fsyncs: each('fsyncs'), waits };
  } finally {
    await client.end();
  }
}

type Counters = Record<string, unknown>;

/** Waits until all connections have reported their counters: at most once a second, the rest after ten seconds of idle time. */
const reportedCounters = (): Promise<void> => setTimeout(11_000);

async function readCounters(client: Client, database: string): Promise<Counters> {
  const counters = `SELECT
    (SELECT xact_commit FROM pg_stat_database WHERE datname = $1) AS commits,
    (SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal') AS fsyncs,
    pg_current_wal_lsn() - '0/0' AS wal`;
  const { rows } = await client.query<Counters>(counters, [database]);
  return rows[0] ?? {};
}

/** Counts waiting connections every 20 ms until `end`, which gives their mean numbers. */
function startSampling(client: Client, database: string): { end(): Promise<Waits> } {
  const sums = { Lock: 0, LWLock: 0, IO: 0 };
  let [samples, isOver] = [0, false];
  const waiting = `SELECT wait_event_type AS type FROM pg_stat_activity WHERE state = 'active' AND datname = $1`;
  const sampled = (async () => {
    for (; !isOver; await setTimeout(SAMPLE_MS)) {
      const { rows } = await client.query<{ type: string }>(waiting, [database]);
      samples += 1;
      for (const { type } of rows) if (type === 'Lock' || type === 'LWLock' || type === 'IO') sums[type] += 1;
    }
  })();
  return {
    async end() {
      isOver = true;
      await sampled;
      return { Lock: sums.Lock / samples, LWLock: sums.LWLock / samples, IO: sums.IO / samples };
    },
  };
}
