import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { brokenBy, guarded } from './errors.ts';
import { createGroup, type Group } from './group.ts';
import { type Disk, noDisk } from './log-syncs.ts';

export type SqliteRow = Record<string, SQLOutputValue>;
type Value = string | number | bigint | null;
type Named = Readonly<Record<string, Value>>;

/** One SQLite database: every use of it throws StoreError and nothing else. */
export type SqliteDatabase = Group & {
  prepare(sql: string): StatementSync;
  /** All rows that a statement finds, each read by `from`: they may not be on disk yet. */
  all<Result>(
    statement: StatementSync,
    values: readonly Value[],
    from: (row: SqliteRow) => Result,
    named?: Named,
  ): Result[];
};

/** Puts a database behind its guard. Changes that come in the same turn of the event loop share one commit. */
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
    // A bare parameter as limit makes SQLite prepare the statement anew whenever it is bound: twenty times the cost of a poll.
    prepare: (sql) => db.prepare(sql.replaceAll(/\bLIMIT \?/g, 'LIMIT +?')),
    all,
  };
}

/** All rows that a statement finds with the values of its parameters: those that have names, and the others. */
export function allOf(statement: StatementSync, values: readonly Value[], named?: Named): SqliteRow[] {
  return named ? statement.all(named, ...values) : statement.all(...values);
}
