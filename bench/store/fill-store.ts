import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { fillSqliteList } from './fill-list.ts';

/** The tables that a payment writes to, and which other tables' rows a copied row names. */
const tables = ['sessions', 'attempts', 'orders', 'events'];

/**
 * Copies the one payment in an SQLite store so many times, each copy with ids and an order of its own, in one transaction.
 * The copies are listed, in the order of their ids and older than anything that comes after; one in ten is left open, unpaid.
 */
export function fillStore(path: string, count: number): void {
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
