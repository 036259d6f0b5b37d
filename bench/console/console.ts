import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { z } from 'zod';
import { openStore } from '../../relay/store/open.ts';
import { openSqlite } from '../../relay/store/sqlite/open.ts';
import { startPostgres, type TestPostgres } from '../../test/support/stores/postgres.ts';
import { type RelayOptions, type Surroundings, startSurroundings } from '../harness/measure.ts';
import { postgresCpu } from '../harness/postgres-cpu.ts';
import type { Benchmark, Report } from '../harness/report.ts';
import { type StoreName, storeNames, storeTitles } from '../relay/parts.ts';
import { besidePayments } from './beside.ts';
import { copiesOf, type Span } from './copies.ts';
import { fillPostgres } from './fill-postgres.ts';
import { signIn, team } from './person.ts';
import { requests } from './requests.ts';
import { readSamples } from './samples.ts';
import { measureCsv, measureScreens } from './screens.ts';
import { makeTemplate, type Reader, type Row } from './template.ts';

/** Copies of some hundred orders each: a million orders and some more. */
const BLOCKS = 10_200;
const DAYS = 90;
const ROUNDS = 8;

const screenNames = [...new Set(requests.map(({ screen }) => screen.toLowerCase()))];

/** What can be measured alone by `--only`: stores, screens, and payments beside the console. */
export const consoleParts: readonly string[] = [...storeNames, ...screenNames, 'csv', 'beside'];

/** Every request of the console's screens with a million orders, and payments beside a support team. */
export const consoleScreens: Benchmark = async (say, { only = [], rounds = ROUNDS, keep } = {}) => {
  const wantedStores = storeNames.filter((name) => only.includes(name));
  const stores = wantedStores.length > 0 ? wantedStores : storeNames;
  const parts = only.filter((name) => !storeNames.some((store) => store === name));
  const isWanted = (part: string): boolean => parts.length === 0 || parts.includes(part);
  const screens = parts.filter((name) => screenNames.includes(name));
  const surroundings = await startSurroundings();
  const report: Report = { rows: [], targets: [], notes: [] };
  try {
    for (const name of stores) {
      const title = storeTitles[name];
      await using filled = await filledStore(name, { surroundings, keep, say });
      const relay = await surroundings.relay({ ...filled.options, people: team, webhooks: 'delivered' });
      const person = await signIn(relay.origin, team[0]?.name ?? '');
      const samples = await readSamples(person, filled.span);
      if (parts.length === 0 || screens.length > 0)
        add(report, await measureScreens(title, person, samples, screens, say));
      if (isWanted('csv')) add(report, await measureCsv(title, person));
      await person.close();
      if (isWanted('beside')) add(report, await besidePayments(title, relay, { samples, rounds, say }));
      await relay.stop();
    }
    report.notes.push(...notes);
    return report;
  } finally {
    await surroundings.stop();
  }
};

const notes = [
  `Some ${Math.round((BLOCKS * 98.6) / 10_000) * 10_000} orders of ${DAYS} days: copies of a hundred that were made at a real relay, each with ids, times and numbers of its own.`,
  'Times are those of one request after the other over loopback, from its first byte to the last of its answer; the machine is shared with whatever else runs.',
  'A target of a screen is for the slowest of its requests.',
];

function add(report: Report, { rows, targets, notes = [] }: Partial<Report>): void {
  report.rows.push(...(rows ?? []));
  report.targets.push(...(targets ?? []));
  report.notes.push(...notes);
}

type Filled = { options: RelayOptions; span: Span } & AsyncDisposable;

const spanFile = z.object({ blocks: z.number(), days: z.number(), now: z.number(), database: z.string() });

/** A store with a million orders: the one that was kept, or a new one. */
async function filledStore(
  name: StoreName,
  { surroundings, keep, say }: { surroundings: Surroundings; keep: string | undefined; say: (line: string) => void },
): Promise<Filled> {
  const folder = keep === undefined ? surroundings.folder() : keep;
  mkdirSync(folder, { recursive: true });
  const mark = join(folder, `${name}.json`);
  const known = existsSync(mark) ? spanFile.parse(JSON.parse(readFileSync(mark, 'utf8'))) : undefined;
  const span: Span = known ?? { blocks: BLOCKS, days: DAYS, now: Date.now() };
  const started = Date.now();
  const told = (database: string): void => {
    writeFileSync(mark, JSON.stringify({ ...span, database }));
    say(`${storeTitles[name]}: filled in ${Math.round((Date.now() - started) / 1000)} s`);
  };
  if (name === 'sqlite') {
    const path = join(folder, 'console.db');
    if (!known) {
      for (const end of ['', '-wal', '-shm', '-lock']) rmSync(path + end, { force: true });
      await fillSqlite(path, surroundings.folder(), span, say);
      await tally(`sqlite:${path}`, say);
      told(path);
    }
    return { options: { store: `sqlite:${path}` }, span, [Symbol.asyncDispose]: async () => undefined };
  }
  const data = join(folder, 'postgres');
  if (!known) {
    rmSync(data, { recursive: true, force: true });
    const filling = await startPostgres({ folder: data });
    try {
      const address = await fillPostgres(filling, span, say);
      await tally(address, say);
      told(new URL(address).pathname.slice(1));
    } finally {
      await filling.close();
    }
  }
  const { database } = spanFile.parse(JSON.parse(readFileSync(mark, 'utf8')));
  const postgres: TestPostgres = await startPostgres({ fsync: true, folder: data });
  const address = postgres.addressOf(database);
  return {
    options: { store: address, databaseCpu: await postgresCpu(postgres, address) },
    span,
    [Symbol.asyncDispose]: () => postgres.close(),
  };
}

/** Counts what figures are made of, as a relay that runs all the time has done. */
async function tally(address: string, say: (line: string) => void): Promise<void> {
  say('tallies');
  const store = await openStore(address);
  while (await store.refreshStats(new Date().toISOString()));
  await store.close();
}

/** Rows of this table are all over its tree: they are sorted before they are stored. */
const SORTED = 'order_terms';

/** Fills a new SQLite store with copies of a hundred orders and some more. `folder` is for what is thrown away. */
async function fillSqlite(path: string, folder: string, span: Span, say: (line: string) => void): Promise<void> {
  const model = `${folder}/template.db`;
  const template = await makeTemplate(`sqlite:${model}`, readerOf(model));
  await openSqlite(path).close();
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  db.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000; BEGIN;');
  const later = db
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL")
    .all();
  for (const { type, name } of later) db.exec(`DROP ${String(type)} ${String(name)}`);
  db.exec(`CREATE TEMP TABLE sorted AS SELECT * FROM ${SORTED} LIMIT 0`);
  const inserts = new Map<string, StatementSync>();
  let done = 0;
  for (const copy of copiesOf(template, span)) {
    for (const { table, columns, rows } of copy) {
      const insert =
        inserts.get(table) ??
        db.prepare(
          `INSERT INTO ${table === SORTED ? 'temp.sorted' : table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        );
      inserts.set(table, insert);
      for (const row of rows) insert.run(...row.map((value) => (typeof value === 'boolean' ? Number(value) : value)));
    }
    done += 1;
    if (done % 1000 === 0) say(`SQLite: ${done} of ${span.blocks} copies`);
  }
  say('SQLite: terms');
  db.exec(`INSERT INTO ${SORTED} SELECT * FROM temp.sorted ORDER BY 1, 2, 3, 4; DROP TABLE temp.sorted;`);
  say('SQLite: indexes');
  for (const { sql } of later) db.exec(String(sql));
  db.exec('COMMIT; PRAGMA journal_mode = WAL;');
  db.close();
}

function readerOf(path: string): Reader {
  const read = (sql: string): Row[] => {
    const db = new DatabaseSync(path, { readOnly: true });
    try {
      return db
        .prepare(sql)
        .all()
        .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])));
    } finally {
      db.close();
    }
  };
  return {
    tables: async () => read("SELECT name FROM sqlite_schema WHERE type = 'table'").map(({ name }) => String(name)),
    rows: async (table) => read(`SELECT * FROM ${table}`),
  };
}

function plain(value: unknown): string | number | null {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  throw new TypeError('a value that cannot be copied');
}
