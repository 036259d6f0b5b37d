import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { payments, startSurroundings } from '../harness/measure.ts';
import { atMost, type Benchmark } from '../harness/report.ts';
import { inTurns, middle } from '../harness/rounds.ts';
import { fillSqliteList } from './fill-list.ts';

const SESSIONS = 1_000_000;
const ROUNDS = 5;

/** A payment with a million sessions in the store, against one with an empty store. */
export const growth: Benchmark = async (say, { rounds = ROUNDS } = {}) => {
  const surroundings = await startSurroundings();
  try {
    const folder = surroundings.folder();
    const [empty, full] = [join(folder, 'empty.db'), join(folder, 'full.db')];
    // The payment that all others are copies of.
    const first = await surroundings.relay({ store: `sqlite:${empty}` });
    await first.run(payments(1, 1));
    await first.stop();
    copyFileSync(empty, full);
    say(`storing ${SESSIONS} sessions`);
    const started = Date.now();
    fillStore(full, SESSIONS);
    say(`stored in ${Math.round((Date.now() - started) / 1000)} s`);

    const targets = [
      await surroundings.relay({ store: `sqlite:${empty}` }),
      await surroundings.relay({ store: `sqlite:${full}` }),
    ];
    for (const target of targets) await target.run(payments(3000, 50));
    const runs = await inTurns(targets, payments(1500, 50), rounds, (line) => say(`50 at once, ${line}`));
    const alone = await inTurns(targets, payments(150, 1), rounds, (line) => say(`1 at once, ${line}`));
    const [EMPTY, FULL] = [0, 1];
    const cpu = (at: number): number => middle(runs[at] ?? [], ({ cpu_us }) => cpu_us);
    const perSecond = (at: number): number => middle(runs[at] ?? [], ({ per_second }) => per_second);
    const lone = (at: number): number => middle(alone[at] ?? [], ({ p50_ms }) => p50_ms);
    const figures = (at: number): Record<string, number> => ({
      'CPU µs': cpu(at),
      'per s, 50 at once': perSecond(at),
      'p50 ms, alone': lone(at),
    });
    return {
      rows: [
        { what: 'empty store (baseline)', figures: figures(EMPTY) },
        { what: `${SESSIONS} sessions stored`, figures: figures(FULL) },
      ],
      targets: [
        atMost('CPU, × empty store', cpu(FULL) / cpu(EMPTY), 1.15),
        atMost('time of a lone payment, × empty store', lone(FULL) / lone(EMPTY), 1.15),
        atMost('time of 50 at once, × empty store', perSecond(EMPTY) / perSecond(FULL), 1.15),
      ],
      notes: [
        `Nine in ten of the sessions are paid, with attempt and webhook. The file has ${Math.round(statSync(full).size / 2 ** 20)} MB.`,
      ],
    };
  } finally {
    await surroundings.stop();
  }
};

/** The tables that a payment writes to, and which other tables' rows a copied row names. */
const tables = ['sessions', 'attempts', 'orders', 'events'];

/**
 * Copies the one payment in an SQLite store so many times, each copy with ids and an order of its own, in one transaction.
 * The copies are listed, in the order of their ids and older than anything that comes after; one in ten is left open, unpaid.
 */
function fillStore(path: string, count: number): void {
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  db.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -50000;');
  const ids = [
    ...new Set(
      db
        .prepare(
          'SELECT s.id AS s, a.id AS a, e.id AS e, s.order_no AS o FROM sessions s, attempts a, events e LIMIT 1',
        )
        .all()
        .flatMap((row) => Object.values(row).map(String)),
    ),
  ];
  db.exec('BEGIN');
  for (const table of tables) {
    const [template] = db.prepare(`SELECT * FROM ${table} LIMIT 1`).all();
    if (template) db.exec(copying(table, template, ids, count));
  }
  const [first] = db
    .prepare('SELECT account, order_no, created_at FROM sessions ORDER BY created_at DESC LIMIT 1')
    .all();
  if (first) {
    const [account, order_no, created_at] = [first.account, first.order_no, first.created_at].map(String);
    if (account === undefined || order_no === undefined || created_at === undefined) throw new TypeError('no session');
    fillSqliteList(db, { account, order_no, created_at }, renamed(order_no), count);
  }
  db.exec('COMMIT; PRAGMA journal_mode = WAL;');
  db.close();
}

/** What stands in the columns of a session that nobody paid. */
const unpaid = new Map([
  ['status', quoted('open')],
  ['state', quoted('{"status":"open"}')],
  ['started_at', 'NULL'],
]);

function copying(
  table: string,
  template: Record<string, SQLOutputValue>,
  ids: readonly string[],
  count: number,
): string {
  const columns = Object.keys(template).filter((column) => column !== 'seq');
  const values = columns.map((column) => {
    const paid = copied(template[column], ids);
    const open = table === 'sessions' ? unpaid.get(column) : undefined;
    return open === undefined ? paid : `CASE n % 10 WHEN 0 THEN ${open} ELSE ${paid} END`;
  });
  return `INSERT INTO ${table} (${columns.join(', ')})
    WITH RECURSIVE copies (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < ${count})
    SELECT ${values.join(', ')} FROM copies`;
}

/** An SQL expression for a value in copy number `n`: the same, but for the ids in it. */
function copied(value: SQLOutputValue | undefined, ids: readonly string[]): string {
  if (typeof value !== 'string') return value === null || value === undefined ? 'NULL' : String(value);
  return ids.reduce(
    (sql, id) => (value.includes(id) ? `replace(${sql}, ${quoted(id)}, ${renamed(id)})` : sql),
    quoted(value),
  );
}

/** The same id with the number of the copy behind its prefix, where the moment of its making stands; it sorts before it. */
function renamed(id: string): string {
  const [start, end] = [id.slice(0, 3), id.slice(11)];
  return `${quoted(start)} || printf('%08d', n) || ${quoted(end)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
