import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openPostgres } from '../relay/store/postgres/open.ts';
import { openSqlite } from '../relay/store/sqlite/open.ts';
import type { Store } from '../relay/store/store.ts';
import { startPostgres } from '../test/support/postgres.ts';
import * as dialects from './fill-attempts.ts';
import { fillingAttempts } from './fill-attempts.ts';
import { startSurroundings } from './measure.ts';
import { median } from './micro.ts';
import { postgresCpu } from './postgres-cpu.ts';
import { atMost, type Benchmark, type Row } from './report.ts';

const ATTEMPTS = 1_000_000;
const DAY_MS = 86_400_000;
const to = Date.parse('2027-04-01T00:00:00.000Z');
const from = to - 31 * DAY_MS;
const ROUNDS = 5;

const questions = {
  'a day by hour': { by: 'hour', from: to - 15 * DAY_MS, to: to - 14 * DAY_MS },
  '31 days by day': { by: 'day', from, to },
  '31 days by hour': { by: 'hour', from, to },
} as const;

/** Counts and sums of a million payments in 31 days, what they cost the thread that takes payments, and what their index costs. */
export const stats: Benchmark = async (say, { rounds = ROUNDS } = {}) => {
  const surroundings = await startSurroundings();
  try {
    const path = join(surroundings.folder(), 'stats.db');
    await openSqlite(path).close();
    say(`storing ${ATTEMPTS} attempts in SQLite`);
    fill(path, fillingAttempts(dialects.sqlite, ATTEMPTS, from, to));
    const inSqlite = await measure(openSqlite(path), rounds, () => 0);
    say(`storing ${ATTEMPTS} attempts in PostgreSQL`);
    const inPostgres = await withPostgres(rounds);
    const [indexed, bare] = await costOfIndex(surroundings.folder(), rounds);
    const all = [...inSqlite, ...inPostgres];
    const dearest = (what: string): number =>
      Math.max(...all.filter((one) => one.what.startsWith(what)).map(({ cpu }) => cpu));
    return {
      rows: [
        ...rowsOf('SQLite', inSqlite),
        ...rowsOf('PostgreSQL', inPostgres),
        { what: 'SQLite: an attempt is stored', figures: { 'CPU µs': indexed } },
        { what: 'SQLite: the same without the index by time', figures: { 'CPU µs': bare } },
      ],
      targets: [
        atMost('CPU of a day by hour', dearest('a day'), 1, ' s'),
        atMost('CPU of 31 days', dearest('31 days'), 10, ' s'),
        atMost('CPU of the thread that takes payments', Math.max(...all.map(({ own_ms }) => own_ms)), 50, ' ms'),
        atMost('CPU of the index by time, per attempt', indexed - bare, 5, ' µs'),
      ],
      notes: [
        `${ATTEMPTS} attempts in 31 days, all of one account; a thread counts them, nothing else runs meanwhile.`,
      ],
    };
  } finally {
    await surroundings.stop();
  }
};

/** `cpu` in seconds, that of the database's server included; `own_ms` is the CPU of the thread that takes payments. */
type Measured = { what: string; seconds: number; cpu: number; own_ms: number };

function rowsOf(store: string, measured: readonly Measured[]): Row[] {
  return measured.map(({ what, seconds, cpu, own_ms }) => ({
    what: `${store}: ${what}`,
    figures: { seconds, 'CPU s': cpu, 'CPU ms of the payments’ thread': own_ms },
  }));
}

function fill(path: string, statement: string): void {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${statement}; PRAGMA journal_mode = WAL;`);
  db.close();
}

async function withPostgres(rounds: number): Promise<Measured[]> {
  const server = await startPostgres();
  try {
    const address = await server.database();
    const store = await openPostgres(address);
    await server.query(address, fillingAttempts(dialects.postgres, ATTEMPTS, from, to));
    await server.query(address, 'VACUUM ANALYZE');
    const cpu = await postgresCpu(server, address);
    return await measure(store, rounds, () => cpu() ?? 0);
  } finally {
    await server.close();
  }
}

/** What each question takes. Closes the store. */
async function measure(store: Store, rounds: number, serverCpu: () => number): Promise<Measured[]> {
  const measured: Measured[] = [];
  const ask = async ({ by, from, to }: (typeof questions)[keyof typeof questions]): Promise<void> => {
    const iso = (ms: number): string => new Date(ms).toISOString();
    const { total } = await store.stats({ account: 'demo', by, from: iso(from), to: iso(to) });
    if (total.payments === 0) throw new Error('nothing was counted');
  };
  for (const [what, question] of Object.entries(questions)) {
    const times: Omit<Measured, 'what'>[] = [];
    for (let round = 0; round < rounds; round++) {
      const [start, cpu, own, server] = [performance.now(), process.cpuUsage(), process.threadCpuUsage(), serverCpu()];
      await ask(question);
      const [all, ofThread] = [process.cpuUsage(cpu), process.threadCpuUsage(own)];
      times.push({
        seconds: (performance.now() - start) / 1000,
        cpu: (all.user + all.system + serverCpu() - server) / 1e6,
        own_ms: (ofThread.user + ofThread.system) / 1000,
      });
    }
    const middle = (of: (one: Omit<Measured, 'what'>) => number): number => median(times.map(of));
    measured.push({
      what,
      seconds: middle(({ seconds }) => seconds),
      cpu: middle(({ cpu }) => cpu),
      own_ms: middle(({ own_ms }) => own_ms),
    });
  }
  await store.close();
  return measured;
}

const STORED = 20_000;
const AT_ONCE = 10;

/** The CPU in microseconds of an attempt that is stored, ten in a commit: with the index by time, and without. */
async function costOfIndex(folder: string, rounds: number): Promise<[indexed: number, bare: number]> {
  const indexed = await emptyStore(join(folder, 'indexed.db'));
  const bare = await emptyStore(join(folder, 'bare.db'));
  bare.exec('DROP INDEX attempts_started');
  const costs = new Map([indexed, bare].map((db): [DatabaseSync, number[]] => [db, []]));
  for (let round = 0; round < 2 * rounds; round++) {
    const inTurn = round % 2 ? [...costs].toReversed() : [...costs];
    for (const [db, own] of inTurn) own.push(storing(db, round * STORED));
  }
  return [median(costs.get(indexed) ?? []), median(costs.get(bare) ?? [])];
}

async function emptyStore(path: string): Promise<DatabaseSync> {
  await openSqlite(path).close();
  const db = new DatabaseSync(path);
  db.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -65536');
  return db;
}

function storing(db: DatabaseSync, first: number): number {
  const insert = db.prepare(
    'INSERT INTO attempts (id, session_id, account, order_no, started_at, data) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const cpu = process.cpuUsage();
  for (let n = 0; n < STORED; n += AT_ONCE) {
    db.exec('BEGIN');
    for (let i = first + n; i < first + n + AT_ONCE; i++) {
      const name = String(i).padStart(32, '0');
      insert.run(`at_${name}`, `cs_${name}`, 'demo', name, new Date(from + i * 50).toISOString(), DATA);
    }
    db.exec('COMMIT');
  }
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / STORED;
}

/** As long as that of an attempt. */
const DATA = JSON.stringify({ text: 'x'.repeat(440) });
