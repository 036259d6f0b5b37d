import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { startPostgres, type TestPostgres } from '../test/support/stores/postgres.ts';
import { type Figures, type Load, payments, startSurroundings, type Target } from './harness/measure.ts';
import { postgresCpu } from './harness/postgres-cpu.ts';
import { atLeast, atMost, type Benchmark, type Report, type Row } from './harness/report.ts';
import { compared, inTurns, middle } from './harness/rounds.ts';
import { databaseUs } from './relay/parts.ts';

const ROUNDS = 8;
const WARM_UP = payments(2500, 50);
const WARM_UPS = 3;
const SAMPLE_MS = 20;
const LISTED_MS = 100;
const MAX_LISTED_MS = 60_000;

/**
 * `half` is what each of two relays has of the load. The last load has none, and is not compared: it is there for the cost of
 * a payment that shares no commit with another.
 */
const loads: readonly { title: string; load: Load; half?: Load }[] = [
  { title: '50 at once, gateway 0 ms', load: payments(2000, 50), half: payments(2000, 25) },
  { title: '100 at once, gateway 0 ms', load: payments(3000, 100), half: payments(3000, 50) },
  { title: '50 at once, gateway 50 ms', load: payments(1000, 50, 50), half: payments(1000, 25, 50) },
  { title: '1 at once, gateway 0 ms', load: payments(600, 1) },
];

/** Two relays on one PostgreSQL database against one, with the same load on the same cores, and what a payment is to the server. */
export const scale: Benchmark = async (say, { rounds = ROUNDS } = {}) => {
  const surroundings = await startSurroundings();
  const postgres = await startPostgres({ fsync: true });
  const report: Report = { rows: [], targets: [], notes: [...notes] };
  try {
    const stores = [await postgres.database(), await postgres.database()] as const;
    const databaseCpu = await postgresCpu(postgres, stores[0]);
    const targets: [Target, Target] = [
      await surroundings.relays(1, { store: stores[0], databaseCpu, settled: () => listed(postgres, stores[0]) }),
      await surroundings.relays(2, { store: stores[1], databaseCpu, settled: () => listed(postgres, stores[1]) }),
    ];
    for (const [at, target] of targets.entries()) {
      say(`warm-up of ${names[at]}`);
      for (let step = 0; step < WARM_UPS * (at + 1); step++) await target.run(WARM_UP);
    }
    for (const { title, load, half } of loads) {
      const all = half ? [...targets, withLoad(targets[0], half)] : targets;
      const [one = [], two = [], halved = []] = await inTurns(all, load, rounds, (line) => say(`${title}, ${line}`));
      if (half) {
        report.targets.push(
          atLeast(`${title}: payments a second, × one relay`, compared(two, one, rate), 1),
          atMost(`${title}: CPU of relays and server, × one relay`, compared(two, one, cpu), 1.1),
          atMost(`${title}: the same, × one relay with half as many at once`, compared(two, halved, cpu), 1.1),
        );
        report.rows.push(row(`one relay, half of ${title}`, halved));
      }
      for (const [at, own] of [one, two].entries()) {
        const target = targets[at];
        const address = stores[at];
        if (!target || !address) continue;
        say(`${title}, the server with ${names[at]}`);
        const counted = await served(postgres, address, target, load);
        report.rows.push(row(`${names[at]}, ${title}`, own, counted));
      }
    }
    return report;
  } finally {
    await surroundings.stop();
    await postgres.close();
  }
};

/**
 * Waits until relays have listed the orders of all payments: else they would do so while other relays are measured. Throws
 * where that takes longer than a minute: perhaps no relay runs.
 */
async function listed(postgres: TestPostgres, address: string): Promise<void> {
  const waits = 'SELECT 1 FROM turnpike.unlisted LIMIT 1';
  const end = performance.now() + MAX_LISTED_MS;
  while ((await postgres.query(address, waits)).length > 0) {
    if (performance.now() > end) throw new Error('the relays do not list their orders: see whether they run');
    await setTimeout(LISTED_MS);
  }
}

/** The same target, under another load than the others. */
const withLoad = (target: Target, load: Load): Target => ({ ...target, run: (_, around) => target.run(load, around) });

const names = ['one relay', 'two relays'] as const;

const notes = [
  'Medians of rounds in turns; relay and PostgreSQL CPU are those of all their processes. All share the cores with the gateway and the visitors.',
  'The list of orders is brought up to date before and after the visits; its CPU counts among that of the payments.',
  'Commits, WAL and fsyncs are those of a further round, in which the waits of the server’s active connections are sampled every 20 ms.',
  'Waits are means over the samples: how many connections waited for a lock (rows, advisory), for a lock inside the server (LWLock), for the disk (IO).',
];

const rate = (own: Figures, base: Figures): number => own.per_second / base.per_second;
const cpu = (own: Figures, base: Figures): number => whole(own) / whole(base);
const whole = ({ cpu_us, database_us = Number.NaN }: Figures): number => cpu_us + database_us;

/** What the server did for a payment, and how many connections waited at a time. */
type Served = { commits: number; walBytes: number; fsyncs: number; waits: Record<'Lock' | 'LWLock' | 'IO', number> };

function row(what: string, own: readonly Figures[], counted?: Served): Row {
  return {
    what,
    figures: {
      'relay CPU µs': middle(own, ({ cpu_us }) => cpu_us),
      'PostgreSQL CPU µs': databaseUs(own),
      'per s': middle(own, ({ per_second }) => per_second),
      'p50 ms': middle(own, ({ p50_ms }) => p50_ms),
      'p99 ms': middle(own, ({ p99_ms }) => p99_ms),
      ...(counted && {
        commits: counted.commits,
        fsyncs: counted.fsyncs,
        'WAL bytes': counted.walBytes,
        'Lock waits': counted.waits.Lock,
        'LWLock waits': counted.waits.LWLock,
        'IO waits': counted.waits.IO,
      }),
    },
  };
}

/** Runs the load once more and asks the server for its own figures before and after. */
async function served(postgres: TestPostgres, address: string, target: Target, load: Load): Promise<Served> {
  // From another database, whose commits are not counted: samples are commits, too.
  const client = new Client({ connectionString: postgres.addressOf('postgres') });
  const database = new URL(address).pathname.slice(1);
  await client.connect();
  try {
    let before: Counters = {};
    let waits: Served['waits'] = { Lock: 0, LWLock: 0, IO: 0 };
    await target.run(load, async (visits) => {
      await toldCounts();
      before = await countersOf(client, database);
      const sampled = sampling(client, database);
      const result = await visits();
      waits = await sampled.end();
      return result;
    });
    await toldCounts();
    const after = await countersOf(client, database);
    const each = (name: string): number => (Number(after[name]) - Number(before[name])) / load.count;
    return { commits: each('commits'), walBytes: each('wal'), fsyncs: each('fsyncs'), waits };
  } finally {
    await client.end();
  }
}

type Counters = Record<string, unknown>;

/** A connection tells its counts at most once a second; what is left then, it tells when it has been idle for ten. */
const toldCounts = (): Promise<void> => setTimeout(11_000);

async function countersOf(client: Client, database: string): Promise<Counters> {
  const counters = `SELECT
    (SELECT xact_commit FROM pg_stat_database WHERE datname = $1) AS commits,
    (SELECT sum(fsyncs) FROM pg_stat_io WHERE object = 'wal') AS fsyncs,
    pg_current_wal_lsn() - '0/0' AS wal`;
  const { rows } = await client.query<Counters>(counters, [database]);
  return rows[0] ?? {};
}

/** Counts connections that wait, until `end` gives their mean numbers. */
function sampling(client: Client, database: string): { end(): Promise<Served['waits']> } {
  const found = { Lock: 0, LWLock: 0, IO: 0 };
  let [samples, isOver] = [0, false];
  const waiting = `SELECT wait_event_type AS type FROM pg_stat_activity WHERE state = 'active' AND datname = $1`;
  const sampled = (async () => {
    for (; !isOver; await setTimeout(SAMPLE_MS)) {
      const { rows } = await client.query<{ type: string }>(waiting, [database]);
      samples += 1;
      for (const { type } of rows) if (type === 'Lock' || type === 'LWLock' || type === 'IO') found[type] += 1;
    }
  })();
  return {
    async end() {
      isOver = true;
      await sampled;
      return { Lock: found.Lock / samples, LWLock: found.LWLock / samples, IO: found.IO / samples };
    },
  };
}
