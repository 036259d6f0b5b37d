import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import { StoreError } from '../errors.ts';

export type Row = Record<string, SQLOutputValue>;
type Value = string | number | bigint | null;

/** One SQLite database: every use of it throws StoreError and nothing else. */
export type Database = {
  prepare(sql: string): StatementSync;
  /** All rows that a statement finds, each read by `from`. */
  all<Result>(statement: StatementSync, values: readonly Value[], from: (row: Row) => Result): Result[];
  /** Runs a change in one transaction: durable when it returns, undone when it throws. */
  write<Result>(change: () => Result): Result;
};

/** Puts a database behind its guard. */
export function guardedDatabase(db: DatabaseSync): Database {
  return {
    prepare: (sql) => db.prepare(sql),
    all: (statement, values, from) => guarded(() => statement.all(...values).map(from)),
    write: (change) => guarded(() => transaction(db, change)),
  };
}

/** Runs a change in one transaction. Throws what the change or the database throws. */
export function transaction<Result>(db: DatabaseSync, change: () => Result): Result {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = change();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Turns every error into a StoreError. */
export function guarded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new StoreError('the SQLite store cannot be used', { cause: error });
  }
}

/** Reads a JSON column that this store wrote. */
export function parsed<Value>(column: SQLOutputValue | undefined): Value {
  return JSON.parse(String(column));
}
