import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { brokenBy, guarded } from './errors.ts';
import { createGroup } from './group.ts';
import { type Disk, noDisk } from './log-syncs.ts';

export type SqliteRow = Record<string, SQLOutputValue>;
type Value = string | number | bigint | null;

/** One SQLite database: every use of it throws StoreError and nothing else. */
export type SqliteDatabase = {
  prepare(sql: string): StatementSync;
  /** All rows that a statement finds, each read by `from`: they may not be on disk yet. */
  all<Result>(statement: StatementSync, values: readonly Value[], from: (row: SqliteRow) => Result): Result[];
  /** Fulfils with a value that was read once the commit that wrote it, or each, is on disk. */
  durable<Result>(value: Result, commit?: number): Promise<Result>;
  /** Within a change: the number of its commit. Otherwise that of the last one. */
  commit(): number;
  /**
   * Runs a change as one transaction: durable when its promise is fulfilled, undone when it is rejected. It must do
   * nothing but read and write this database, for it may be run again; what it keeps in memory it undoes (`undoBy`).
   */
  write<Result>(change: () => Result): Promise<Result>;
  /** Within a change: what it did in memory is undone by this, should it be undone in the file. */
  undoBy(undo: () => void): void;
  /** Writes what waits to be written, and takes no more. */
  close(): Promise<void>;
};

/** Puts a database behind its guard. Changes that come in the same turn of the event loop share one commit. */
export function guardedDatabase(db: DatabaseSync, disk: Disk = noDisk): SqliteDatabase {
  const { add, undoBy, commit, durable, close } = createGroup(db, disk);
  const all: SqliteDatabase['all'] = (statement, values, from) =>
    guarded(() => {
      try {
        return statement.all(...values).map(from);
      } catch (error) {
        const code = brokenBy(error);
        if (code !== undefined) disk.broken(code);
        throw error;
      }
    });
  return {
    // A bare parameter as limit makes SQLite prepare the statement anew whenever it is bound: twenty times the cost of a poll.
    prepare: (sql) => db.prepare(sql.replaceAll(/\bLIMIT \?/g, 'LIMIT +?')),
    all,
    durable,
    commit,
    write: add,
    undoBy,
    close,
  };
}
