import { StoreError } from '../../../base/errors.ts';

/** SQLITE_BUSY, the primary result code. */
const BUSY = 5;

/** Runs some work on the database and turns every error into a StoreError. */
export function guarded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof StoreError ? error : storeError(error);
  }
}

export function storeError(cause: unknown): StoreError {
  return new StoreError('the SQLite store cannot be used', { cause });
}

/** True when another process holds the file's lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === BUSY;
}
