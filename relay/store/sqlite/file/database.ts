import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { brokenBy, guarded } from './errors.ts';
import { createGroup, type Group } from './group.ts';
import { type Disk, noDisk } from './log-syncs.ts';

export type SqliteRow = Record<string, SQLOutputValue>;
type Value = string | number | bigint | null;
type Named = Readonly<Record<string, Value>>;

/** One SQLite database. Every use throws StoreError. */
export type SqliteDatabase = Group & {
  prepare(sql: string): StatementSync;
  /** All rows of a statement, each converted by `from`. They may not be on disk yet. */
  all<Result>(
    statement: StatementSync,
    values: readonly Value[],
    from: (row: SqliteRow) => Result,
    named?: Named,
  ): Result[];
};

/** Puts a database behind its guard. Changes of one turn of the event loop share a commit. */
export function guardedDatabase(db: DatabaseSync, disk: Disk = noDisk): SqliteDatabase {
  const all: SqliteDatabase['all'] = (statement, values, from, named) =>
    guarded(() => {
      try {
        return allOf(statement, values, named).map(from);
      } catch (error) {
        const code = brokenBy(error);
        if (code !== undefined) disk.broken(code);
        throw error;
      }
    });
  return {
    ...createGroup(db, disk),
    // A bare parameter as limit makes SQLite prepare the statement again whenever it is bound, at twenty times the cost
    // of a poll.
    prepare: (sql) => db.prepare(sql.replaceAll(/\bLIMIT \?/g, 'LIMIT +?')),
    all,
  };
}

/** All rows of a statement with the values of its parameters: the named ones and the others. */
export function allOf(statement: StatementSync, values: readonly Value[], named?: Named): SqliteRow[] {
  return named ? statement.all(named, ...values) : statement.all(...values);
}
