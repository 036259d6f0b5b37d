import { DatabaseError } from 'pg';
import { StoreError } from '../../../base/errors.ts';
import { systemCode } from '../../../base/outages.ts';

/** The server undid the transaction in favour of another one (deadlock, serialization). It may run again. */
const undone = new Set(['40P01', '40001']);

/** A procedure raised it after its deadline, or a call was not sent in time. Nothing was done. */
export const LATE = 'TP003';

/** A lock was not free in time. */
const LOCKED = '55P03';

/**
 * Classes of SQLSTATE whose messages help an operator and quote no stored data: connections, passwords, missing
 * databases and rights, resources, stops of the server, a read-only server, and prepared statements that a pooler does
 * not know.
 */
const safeToShow = /^(?:08|0A|25006|26|28|3D|3F|42501|42P05|53|57|58|XX)/;

/** A failure of the store itself. Its message contains no stored data. */
export class PostgresFault extends Error {
  override readonly name = 'PostgresFault';
  /** Why the server refused the work, or why it was not sent. Nothing was written. */
  readonly code: string | undefined;
  /** The reason for a lost store: the code of the system or of SQLSTATE. */
  readonly reason: string | undefined;

  constructor(message: string, code?: string, reason?: string) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

/** The server undid several writes together. The relay must try fewer. */
export const writesSplit = (): StoreError =>
  storeError(new PostgresFault('the server refused several writes together', 'split'));

/** Nothing was done, because another transaction held a needed lock. */
export const rowsLocked = (): StoreError => storeError(new PostgresFault('a lock was not free in time', LOCKED));

/** The StoreError for any error. Its cause is the reason, without stored values and without the address. */
export function storeError(error: unknown): StoreError {
  return error instanceof StoreError
    ? error
    : new StoreError('the PostgreSQL store cannot be used', {
        cause: new PostgresFault(reasonOf(error), codeOf(error)),
        reason: lostBy(error),
        wroteNothing: before.has(codeOf(error) ?? systemCodeOf(error) ?? ''),
      });
}

/**
 * Failures before anything was written: a call that was too late, a lock, no connection left, no server at the address.
 */
const before = new Set([LATE, LOCKED, '53300', 'ECONNREFUSED']);

function systemCodeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError) return systemCodeOf(error.errors[0]);
  return error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : undefined;
}

/** One statement was ended: it took too long, or an operator ended it. */
const CANCELLED = '57014';

/** The driver's messages about an ended connection, or a query after its end. They have no code. */
const ENDED = /^(?:Connection terminated|Client (?:was closed|has encountered a connection error))/;

/** The code of a failure that makes the whole store unusable; undefined for the failure of one call. */
function lostBy(error: unknown): string | undefined {
  if (error instanceof PostgresFault) return error.reason;
  if (error instanceof DatabaseError) {
    const { code } = error;
    return code !== undefined && code !== CANCELLED && safeToShow.test(code) ? code : undefined;
  }
  if (error instanceof Error && /timeout/.test(error.message)) return 'ETIMEDOUT';
  if (error instanceof Error && ENDED.test(error.message)) return 'ECONNRESET';
  return systemCode(error);
}

/** True if the server undid a transaction in favour of another one, so that certainly nothing was written. */
export function wasUndone(error: unknown): boolean {
  return error instanceof DatabaseError && error.code !== undefined && undone.has(error.code);
}

/** True if the call was too late by the server's clock. */
export function wasLate(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === LATE;
}

/** True if nothing was done because another transaction held a needed lock. */
export function wasLocked(error: unknown): boolean {
  return error instanceof StoreError && error.cause instanceof PostgresFault && error.cause.code === LOCKED;
}

/** True if the server accepts no further connection. Existing ones still work, and one may be free in a moment. */
export function isFull(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '53300';
}

/** True if the server refuses the role's password, or the role may no longer log in. */
export function isRoleRefused(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '28P01' || error.code === '28000');
}

/**
 * True if a server warns that it committed without its synchronous standby, because a timeout or an operator ended the
 * wait: a promotion would lose the commit. The warning has no code, and its text is in the language of the server.
 */
export function isUnreplicatedWarning({ routine }: { routine?: string | undefined }): boolean {
  return routine === 'SyncRepWaitForLSN';
}

function reasonOf(error: unknown): string {
  if (error instanceof PostgresFault) return error.message;
  // Each of several addresses of one host refused.
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  if (error instanceof DatabaseError) {
    const code = error.code ?? 'no code';
    return safeToShow.test(code) ? `${error.message} (${code})` : `SQLSTATE ${code}`;
  }
  if (!(error instanceof Error)) return 'unknown';
  const isSystemError = 'syscall' in error || 'errno' in error;
  const isDrivers =
    ENDED.test(error.message) || /^(?:timeout exceeded when trying to connect|Cannot use a pool)/.test(error.message);
  return isSystemError || isDrivers ? error.message : error.name;
}

/** True if nothing of a batch was done, but parts of it may succeed, because perhaps one job is at fault. */
export function mayDoLess(error: unknown): boolean {
  if (!(error instanceof StoreError) || !(error.cause instanceof PostgresFault)) return false;
  return error.cause.code !== undefined && !safeToShow.test(error.cause.code);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof DatabaseError || error instanceof PostgresFault ? error.code : undefined;
}
