import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { StoreError } from '../base/errors.ts';
import { postgresSchema } from './postgres/schema/schema.ts';
import { readTables, type TableSize } from './postgres/table-sizes.ts';
import { changesOf, type SchemaChange } from './schema/changes.ts';
import { missingSteps, newestVersion, SCHEMA_VERSION, type Schema } from './schema/schema.ts';
import { guarded } from './sqlite/file/errors.ts';
import { sqliteSchema } from './sqlite/schema.ts';

/**
 * The changes that the next start makes in a store: its present version (0 if it does not exist), its next version, and
 * the changes.
 */
export type PendingChanges = {
  version: number;
  newest: number;
  changes: readonly (SchemaChange & Partial<TableSize>)[];
  /** The size of the file of an SQLite store. */
  bytes?: number;
};

/**
 * The changes that the next start would make in the store at an address. Reads the store and changes nothing. Rejects
 * with StoreError.
 */
export async function pendingOf(address: string): Promise<PendingChanges> {
  if (/^postgres(?:ql)?:/.test(address)) {
    const { version, sizes } = await readTables(address, (found) => tablesOf(pendingIn(postgresSchema, found)));
    return withSizes(postgresSchema, version, sizes);
  }
  const path = address.replace(/^sqlite:/, '');
  return guarded(() => {
    if (path === ':memory:' || !existsSync(path)) return withSizes(sqliteSchema, 0, new Map());
    const db = openUnchanged(path);
    try {
      const version = Number(db.prepare('PRAGMA user_version').get()?.user_version ?? 0);
      const sizes = new Map<string, TableSize>();
      for (const table of tablesOf(pendingIn(sqliteSchema, version))) {
        const [there] = db.prepare('SELECT 1 FROM sqlite_schema WHERE type = ? AND name = ?').all('table', table);
        if (!there) continue;
        sizes.set(table, { rows: Number(db.prepare(`SELECT count(*) AS count FROM "${table}"`).get()?.count) });
      }
      return { ...withSizes(sqliteSchema, version, sizes), bytes: statSync(path).size };
    } finally {
      db.close();
    }
  });
}

/**
 * Opens a file for reading. SQLite would create its log and index beside the file, and need the right to do so: a file
 * with an empty log is opened as one that does not change.
 */
function openUnchanged(path: string): DatabaseSync {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
    return new DatabaseSync(path, { readOnly: true });
  const url = pathToFileURL(path);
  url.search = 'immutable=1';
  return new DatabaseSync(url, { readOnly: true });
}

/** The tables that the changes concern. */
function tablesOf(changes: readonly SchemaChange[]): string[] {
  return [...new Set(changes.flatMap(({ table }) => table ?? []))];
}

/** The missing steps of a store of this version. Throws StoreError if it cannot be brought to the newest version. */
function pendingIn(schema: Schema, version: number): SchemaChange[] {
  const missing = missingSteps(schema, version);
  if (missing.kind === 'steps') return changesOf(missing.steps);
  throw new StoreError('the store cannot be used', { cause: new Error(missing.reason), reason: SCHEMA_VERSION });
}

function withSizes(schema: Schema, version: number, sizes: ReadonlyMap<string, TableSize>): PendingChanges {
  const changes = pendingIn(schema, version).map((change) => ({
    ...change,
    ...(change.table === undefined ? {} : sizes.get(change.table)),
  }));
  return { version, newest: newestVersion(schema), changes };
}
