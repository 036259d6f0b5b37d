import { renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Tables that a relay derives from the added rows, and counters of at most an hour. */
const DERIVED = /^(listed_(orders|payments)|order_terms|operation_terms|unlisted|stats_\w+|pulse|counted|sqlite_\w+)$/;

/** The numbers that the database assigns to rows. The two stores use the same numbers for different rows. */
const NUMBERED = { events: 'events', audit: 'audit', audit_terms: 'audit' } as const;

/**
 * Adds the rows of the relay's store to a store of earlier orders, which then replaces it, completely or not at all. No
 * relay may have either of them open, and both must have the same version of the schema.
 */
export function addOrders(earlier: string, store: string): void {
  const db = new DatabaseSync(earlier, { enableForeignKeyConstraints: false });
  try {
    db.prepare('ATTACH ? AS added').run(store);
    db.exec('BEGIN IMMEDIATE');
    const tables = db.prepare("SELECT name FROM added.sqlite_master WHERE type = 'table' ORDER BY name").all();
    const last = { events: lastOf(db, 'events'), audit: lastOf(db, 'audit') };
    for (const { name } of tables) {
      const table = String(name);
      if (DERIVED.test(table)) continue;
      const numberedLike = isNumbered(table) ? NUMBERED[table] : undefined;
      copy(db, table, numberedLike === undefined ? 0 : last[numberedLike]);
    }
    db.exec('COMMIT; DETACH added');
  } finally {
    db.close();
  }
  for (const end of ['-wal', '-shm']) rmSync(`${store}${end}`, { force: true });
  renameSync(earlier, store);
}

function isNumbered(table: string): table is keyof typeof NUMBERED {
  return Object.hasOwn(NUMBERED, table);
}

function lastOf(db: DatabaseSync, table: string): number {
  return Number(db.prepare(`SELECT coalesce(max(seq), 0) AS last FROM main.${table}`).get()?.last);
}

/** Copies the rows of a table, with their `seq` after those of the existing rows. */
function copy(db: DatabaseSync, table: string, last: number): void {
  const columns = db
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({ name }) => `"${name}"`);
  const values = columns.map((column) => (last > 0 && column === '"seq"' ? `seq + ${last}` : column));
  db.exec(`INSERT OR IGNORE INTO main.${table} (${columns.join()}) SELECT ${values.join()} FROM added.${table}`);
}
