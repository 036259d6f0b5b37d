import { StoreError } from '../../../base/errors.ts';

/** SQLITE_BUSY and SQLITE_FULL, primary result codes. */
const BUSY = 5;
const FULL = 13;

/** Runs some work on the database and turns every error into a StoreError. */
export function guarded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof StoreError ? error : storeError(error);
  }
}

export function storeError(cause: unknown): StoreError {
  const code = resultCodeOf(cause);
  return new StoreError('the SQLite store cannot be used', { cause, wroteNothing: code === BUSY || code === FULL });
}

/** True when another process holds the file's lock. */
export function isBusy(error: unknown): boolean {
  return resultCodeOf(error) === BUSY;
}

function resultCodeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) % 256 : undefined;
}
