import { setTimeout } from 'node:timers/promises';
import { startPostgres, type TestPostgres } from '../../test/support/stores/postgres.ts';
import { type Figures, type Load, payments, startSurroundings, type Target } from '../harness/measure.ts';
import { postgresCpu } from '../harness/postgres-cpu.ts';
import { atLeast, atMost, type Benchmark, type Report, type Row } from '../harness/report.ts';
import { compared, databaseUs, inTurns, medianOf } from '../harness/rounds.ts';
import { type DatabaseWork, measureDatabase } from './database-work.ts';

const ROUNDS = 8;
const WARM_UP = payments(2500, 50);
const WARM_UPS = 3;
const LISTED_MS = 100;
const MAX_LISTED_MS = 60_000;

/**
 * `half` is the share of the load that each of two relays has. The last load has none and no aims: it shows the cost of a payment
 * that shares no commit with another.
 */
const loads: readonly { title: string; load: Load; half?: Load }[] = [
  { title: '50 at once, gateway 0 ms', load: payments(2000, 50), half: payments(2000, 25) },
  { title: '100 at once, gateway 0 ms', load: payments(3000, 100), half: payments(3000, 50) },
  { title: '50 at once, gateway 50 ms', load: payments(1000, 50, 50), half: payments(1000, 25, 50) },
  { title: '1 at once, gateway 0 ms', load: payments(600, 1) },
];

/**
 * Two relays on one PostgreSQL database compared with one, under the same load on the same cores, and the database's work for a
 * payment.
 */
export const scale: Benchmark = async (say, { rounds = ROUNDS } = {}) => {
  const surroundings = await startSurroundings();
  const postgres = await startPostgres({ fsync: true });
  const report: Report = { rows: [], aims: [], notes: [...notes] };
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
        report.aims.push(
          atLeast(`${title}: payments a second, × one relay`, compared(two, one, rateRatio), 1),
          atMost(`${title}: CPU of relays and server, × one relay`, compared(two, one, wholeCpuRatio), 1.1),
          atMost(
            `${title}: the same, × one relay with half as many at once`,
            compared(two, halved, wholeCpuRatio),
            1.1,
          ),
        );
        report.rows.push(scaleRow(`one relay, half of ${title}`, halved));
      }
      for (const [at, own] of [one, two].entries()) {
        const target = targets[at];
        const address = stores[at];
        if (!target || !address) continue;
        say(`${title}, the server with ${names[at]}`);
        const work = await measureDatabase(postgres, address, target, load);
        report.rows.push(scaleRow(`${names[at]}, ${title}`, own, work));
      }
    }
    return report;
  } finally {
    await surroundings.stop();
    await postgres.close();
  }
};

/**
 * Waits until the relays have added the orders of all payments to the list of orders; otherwise they would do so while other relays
 * are measured. Throws after a minute: perhaps no relay runs.
 */
async function listed(postgres: TestPostgres, address: string): Promise<void> {
  const unlisted = 'SELECT 1 FROM turnpike.unlisted LIMIT 1';
  const end = performance.now() + MAX_LISTED_MS;
  while ((await postgres.query(address, unlisted)).length > 0) {
    if (performance.now() > end) throw new Error('the relays do not list their orders: check that they run');
    await setTimeout(LISTED_MS);
  }
}

/** The same target, which always runs this load. */
const withLoad = (target: Target, load: Load): Target => ({ ...target, run: (_, around) => target.run(load, around) });

const names = ['one relay', 'two relays'] as const;

const notes = [
  'Medians of rounds in turns; relay and PostgreSQL CPU are those of all their processes. All share the cores with the gateway and the visitors.',
  'The list of orders is brought up to date before and after the visits; its CPU is part of that of the payments.',
  'Commits, WAL and fsyncs are from one more round, in which the waits of the server’s active connections are sampled every 20 ms.',
  'Waits are means over the samples: the number of connections that waited for a lock (rows, advisory), for a lock inside the server (LWLock), for the disk (IO).',
];

const rateRatio = (own: Figures, base: Figures): number => own.per_second / base.per_second;
const wholeCpuRatio = (own: Figures, base: Figures): number => wholeCpu(own) / wholeCpu(base);
/** The CPU of relays and database server together. */
const wholeCpu = ({ cpu_us, database_us = Number.NaN }: Figures): number => cpu_us + database_us;

function scaleRow(what: string, own: readonly Figures[], work?: DatabaseWork): Row {
  return {
    what,
    figures: {
      'relay CPU µs': medianOf(own, ({ cpu_us }) => cpu_us),
      'PostgreSQL CPU µs': databaseUs(own),
      'per s': medianOf(own, ({ per_second }) => per_second),
      'p50 ms': medianOf(own, ({ p50_ms }) => p50_ms),
      'p99 ms': medianOf(own, ({ p99_ms }) => p99_ms),
      ...(work && {
        commits: work.commits,
        fsyncs: work.fsyncs,
        'WAL bytes': work.walBytes,
        'Lock waits': work.waits.Lock,
        'LWLock waits': work.waits.LWLock,
        'IO waits': work.waits.IO,
      }),
    },
  };
}
