import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { openSqlite } from '../../relay/store/sqlite/open.ts';
import type { Say } from '../harness/report.ts';
import { copiesOf, type Span } from './copies.ts';
import { makeTemplate, type StoredRow, type StoreReader } from './template.ts';

/** The primary key of this table is not in the order of the copies: its rows are sorted before they are inserted. */
const SORTED = 'order_terms';

/** Fills a new SQLite store with the copies of a template. `folder` is for temporary files. */
export async function fillSqlite(path: string, folder: string, span: Span, say: Say): Promise<void> {
  const model = `${folder}/template.db`;
  const template = await makeTemplate(`sqlite:${model}`, readerOf(model));
  await openSqlite(path).close();
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  db.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA cache_size = -1000000; BEGIN;');
  const dropped = db
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL")
    .all();
  for (const { type, name } of dropped) db.exec(`DROP ${String(type)} ${String(name)}`);
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
  say('SQLite: search terms');
  db.exec(`INSERT INTO ${SORTED} SELECT * FROM temp.sorted ORDER BY 1, 2, 3, 4; DROP TABLE temp.sorted;`);
  say('SQLite: indexes');
  for (const { sql } of dropped) db.exec(String(sql));
  db.exec('COMMIT; PRAGMA journal_mode = WAL;');
  db.close();
}

/** Reads the template's store from its file. */
function readerOf(path: string): StoreReader {
  const read = (sql: string): StoredRow[] => {
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
