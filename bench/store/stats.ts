import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openPostgres } from '../../relay/store/postgres/open.ts';
import { openSqlite } from '../../relay/store/sqlite/open.ts';
import type { Store } from '../../relay/store/store.ts';
import { startPostgres } from '../../test/support/stores/postgres.ts';
import { startSurroundings } from '../harness/measure.ts';
import { median } from '../harness/micro.ts';
import { postgresCpu } from '../harness/postgres-cpu.ts';
import { atLeast, atMost, type Benchmark, type Row } from '../harness/report.ts';
import * as dialects from './fill-attempts.ts';
import { fillingAttempts } from './fill-attempts.ts';
import { costInPostgres, costInSqlite } from './stats-cost.ts';
import { throughStore } from './store.ts';

const ATTEMPTS = 1_000_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const ROUNDS = 5;

/** The attempts are those of the 31 days before the end of this hour, which has no tally yet. */
const now = Date.now();
const end = Math.ceil(now / HOUR_MS) * HOUR_MS;
const start = end - 31 * DAY_MS;
const NOW = new Date(now).toISOString();

/** The end of today. */
const to = Math.ceil(end / DAY_MS) * DAY_MS;

const TARGET_MS = 150;

const questions = {
  'a day by hour': { by: 'hour', from: to - DAY_MS, to },
  '31 days by day': { by: 'day', from: to - 31 * DAY_MS, to },
  '31 days by hour': { by: 'hour', from: to - 31 * DAY_MS, to },
  '90 days by day': { by: 'day', from: to - 90 * DAY_MS, to },
} as const;
type Question = (typeof questions)[keyof typeof questions];

/** Counts and sums of a million payments in 31 days, what they cost the thread that takes payments, and what payments pay for them. */
export const stats: Benchmark = async (say, { rounds = ROUNDS } = {}) => {
  const surroundings = await startSurroundings();
  try {
    const path = join(surroundings.folder(), 'stats.db');
    await openSqlite(path).close();
    say(`storing ${ATTEMPTS} attempts in SQLite`);
    fill(path, fillingAttempts(dialects.sqlite, ATTEMPTS, start, end));
    const inSqlite = await measure(
      async () => openSqlite(path),
      rounds,
      () => 0,
    );
    say(`storing ${ATTEMPTS} attempts in PostgreSQL`);
    const inPostgres = await withPostgres(rounds);
    const sqliteCosts = await costInSqlite(surroundings.folder(), rounds);
    const postgresCosts = await costInPostgres(rounds, say);
    const all = [...inSqlite.measured, ...inPostgres.measured].filter(
      ({ what }) => what in questions || what === RESTARTED,
    );
    return {
      rows: [
        ...rowsOf('SQLite', inSqlite),
        ...rowsOf('PostgreSQL', inPostgres),
        ...sqliteCosts.rows,
        ...postgresCosts.rows,
      ],
      targets: [
        atMost('the slowest answer', Math.max(...all.map(({ ms }) => ms)), TARGET_MS, ' ms'),
        atMost('CPU of the thread that takes payments', Math.max(...all.map(({ own_ms }) => own_ms)), 50, ' ms'),
        atLeast('SQLite: payments beside questions, × alone', inSqlite.beside.ratio, 0.95),
        atLeast('PostgreSQL: payments beside questions, × alone', inPostgres.beside.ratio, 0.95),
        ...sqliteCosts.targets,
        ...postgresCosts.targets,
      ],
      notes: [
        `${ATTEMPTS} attempts in 31 days, all of one account. While an answer is measured nothing else runs; its CPU is that of all threads and of the database’s server.`,
        'Payments have five questions a second beside them. They are of another account, in the hour that has no tally.',
        'Without tallies every attempt is counted, as before the first step of the upkeep.',
      ],
    };
  } finally {
    await surroundings.stop();
  }
};

/** `cpu` in milliseconds, that of the database's server included; `own_ms` is the CPU of the thread that takes payments. */
type Measured = { what: string; ms: number; cpu: number; own_ms: number };

type Found = { measured: Measured[]; beside: Beside };

const RESTARTED = 'the first answer after a restart';

function rowsOf(store: string, { measured, beside }: Found): Row[] {
  return [
    ...measured.map(({ what, ms, cpu, own_ms }) => ({
      what: `${store}: ${what}`,
      figures: { ms, 'CPU ms': cpu, 'CPU ms of the payments’ thread': own_ms },
    })),
    { what: `${store}: payments, 50 at once`, figures: { 'per s': beside.alone } },
    { what: `${store}: payments beside questions about 90 days`, figures: { 'per s': beside.beside } },
  ];
}

function fill(path: string, statement: string): void {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; ${statement}; PRAGMA journal_mode = WAL;`);
  db.close();
}

async function withPostgres(rounds: number): Promise<Found> {
  const server = await startPostgres();
  try {
    const address = await server.database();
    await (await openPostgres(address)).close();
    await server.query(address, fillingAttempts(dialects.postgres, ATTEMPTS, start, end));
    await server.query(address, 'VACUUM ANALYZE');
    const cpu = await postgresCpu(server, address);
    return await measure(
      () => openPostgres(address),
      rounds,
      () => cpu() ?? 0,
    );
  } finally {
    await server.close();
  }
}

/** What answers take without tallies, how long all tallies take, and what answers take with them, also in a new process. */
async function measure(open: () => Promise<Store>, rounds: number, serverCpu: () => number): Promise<Found> {
  const timed = async (what: string, times: number, work: () => Promise<void>): Promise<Measured> => {
    const costs: Omit<Measured, 'what'>[] = [];
    for (let round = 0; round < times; round++) {
      const [start, cpu, own, server] = [performance.now(), process.cpuUsage(), process.threadCpuUsage(), serverCpu()];
      await work();
      const [all, ofThread] = [process.cpuUsage(cpu), process.threadCpuUsage(own)];
      costs.push({
        ms: performance.now() - start,
        cpu: (all.user + all.system + serverCpu() - server) / 1000,
        own_ms: (ofThread.user + ofThread.system) / 1000,
      });
    }
    const middle = (of: (one: Omit<Measured, 'what'>) => number): number => median(costs.map(of));
    return { what, ms: middle(({ ms }) => ms), cpu: middle(({ cpu }) => cpu), own_ms: middle(({ own_ms }) => own_ms) };
  };
  let store = await open();
  const measured = [await timed('31 days by day, without tallies', 1, () => ask(store, questions['31 days by day']))];
  const tallied = async (): Promise<void> => {
    while (await store.refreshStats(NOW));
  };
  measured.push(await timed('all tallies are made', 1, tallied));
  for (const [what, question] of Object.entries(questions)) {
    measured.push(await timed(what, rounds, () => ask(store, question)));
  }
  const restarted: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    await store.close();
    store = await open();
    // As the upkeep does when a relay starts.
    await store.refreshStats(NOW);
    restarted.push(await timed(RESTARTED, 1, () => ask(store, questions['90 days by day'])));
  }
  const [middle] = restarted.toSorted((a, b) => a.ms - b.ms).slice(Math.floor(restarted.length / 2));
  const beside = await paymentsBeside(store, () => ask(store, questions['90 days by day']), rounds);
  await store.close();
  return { measured: [...measured, ...(middle ? [middle] : [])], beside };
}

async function ask(store: Store, { by, from, to }: Question): Promise<void> {
  const iso = (ms: number): string => new Date(ms).toISOString();
  const { total } = await store.stats({ account: 'demo', by, from: iso(from), to: iso(to) });
  if (total.payments === 0) throw new Error('nothing was counted');
}

const PAYMENTS = 4000;
const CONCURRENCY = 50;

/** As if five people looked at figures, each once a second. */
const PAUSE_MS = 200;

/** Payments a second while somebody asks again and again, and while nobody does: in turns, the median of each. */
type Beside = { alone: number; beside: number; ratio: number };

/** Makes payments in a store of a million, with questions beside them and without. */
async function paymentsBeside(store: Store, ask: () => Promise<void>, rounds: number): Promise<Beside> {
  const payer = throughStore(store);
  const paying = async (): Promise<number> => {
    const pay = await payer.prepare(PAYMENTS);
    const start = performance.now();
    let left = PAYMENTS;
    const one = async (): Promise<void> => {
      for (; left > 0; left--) await pay();
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, one));
    return (PAYMENTS / (performance.now() - start)) * 1000;
  };
  const asking = async (): Promise<number> => {
    let isOver = false;
    const asked = (async () => {
      while (!isOver) {
        await ask();
        await new Promise((done) => setTimeout(done, PAUSE_MS));
      }
    })();
    const perSecond = await paying();
    isOver = true;
    await asked;
    return perSecond;
  };
  await paying();
  const found: { alone: number; beside: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 2) found.push({ beside: await asking(), alone: await paying() });
    else found.push({ alone: await paying(), beside: await asking() });
  }
  return {
    alone: median(found.map(({ alone }) => alone)),
    beside: median(found.map(({ beside }) => beside)),
    ratio: median(found.map(({ alone, beside }) => beside / alone)),
  };
}
