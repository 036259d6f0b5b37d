import { StoreError } from '../../../base/errors.ts';
import { systemCode } from '../../../base/outages.ts';

/** SQLITE_BUSY and SQLITE_FULL, primary result codes. */
const BUSY = 5;
const FULL = 13;

/**
 * SQLite's result codes of a failed sync, of a file or of its folder, and of EIO at a read. A failed write has other
 * codes: the disk may be full then, or a quota used up, and is used again once there is room.
 */
const BROKEN = new Map([
  [1034, 'SQLITE_IOERR_FSYNC'],
  [1290, 'SQLITE_IOERR_DIR_FSYNC'],
  [8458, 'EIO'],
]);

/** Primary result codes after which the file cannot be used until their cause is removed. */
const LOST = new Map([
  [BUSY, 'SQLITE_BUSY'],
  [8, 'SQLITE_READONLY'],
  [10, 'SQLITE_IOERR'],
  [11, 'SQLITE_CORRUPT'],
  [FULL, 'SQLITE_FULL'],
  [14, 'SQLITE_CANTOPEN'],
  [26, 'SQLITE_NOTADB'],
]);

/** The code of a failure of SQLite that leaves the contents of the disk unknown; undefined for all other errors. */
export function brokenBy(error: unknown): string | undefined {
  return error instanceof Error && 'errcode' in error ? BROKEN.get(Number(error.errcode)) : undefined;
}

/** The system's code of an error, such as EIO. */
export function systemCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'no code';
}

/** Runs some work on the database and turns every error into a StoreError. */
export function guarded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof StoreError ? error : storeError(error);
  }
}

/** The StoreError for any error of SQLite. */
export function storeError(cause: unknown): StoreError {
  const code = resultCodeOf(cause);
  const wroteNothing = code === BUSY || code === FULL;
  return new StoreError('the SQLite store cannot be used', { cause, wroteNothing, reason: lostBy(cause) });
}

/** The code of a failure that makes the whole store unusable; undefined for the failure of one call. */
function lostBy(cause: unknown): string | undefined {
  const code = resultCodeOf(cause);
  if (code !== undefined) return brokenBy(cause) ?? LOST.get(code);
  const system = systemCode(cause);
  return system?.startsWith('ERR_') ? undefined : system;
}

/** True when another process holds the file's lock. */
export function isBusy(error: unknown): boolean {
  return resultCodeOf(error) === BUSY;
}

function resultCodeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) % 256 : undefined;
}
