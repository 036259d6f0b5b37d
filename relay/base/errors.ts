import type { DeclineResult, FieldError } from '../../shared/checkout/problem.ts';
import { type ProblemCode, problems } from '../../shared/checkout/problem-codes.ts';

/** An error in an answer of the HTTP API. Its code decides the HTTP status. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
  readonly operation_id: string | undefined;
  readonly operation_ids: readonly string[];
  readonly transaction_ids: readonly string[];
  readonly result: DeclineResult | undefined;
  readonly session_id: string | undefined;
  /** True if it depends on stored data: the same request may succeed later, so it is not stored under the `Idempotency-Key`. */
  readonly mayLift: boolean;

  /** `detail` says what to do next; `errors` name the wrong fields. */
  constructor(
    code: ProblemCode,
    detail: string,
    more: {
      errors?: readonly FieldError[];
      headers?: Readonly<Record<string, string>>;
      /** The operation or payment of the error; also the answer's `X-Operation-Id`. */
      operation_id?: string;
      /** All operations of the error; the first one is the `operation_id`. */
      operation_ids?: readonly string[];
      /** The transactions that the request can name. */
      transaction_ids?: readonly string[];
      /** The gateway's reason for a decline. */
      result?: DeclineResult;
      /** The session that pays or paid the order. Only the shop's server gets it. */
      session_id?: string | undefined;
      mayLift?: true;
      cause?: unknown;
    } = {},
  ) {
    super(detail, { cause: more.cause });
    this.code = code;
    this.errors = more.errors ?? [];
    this.headers = more.headers ?? {};
    this.operation_ids = more.operation_ids ?? [];
    this.operation_id = more.operation_id ?? more.operation_ids?.[0];
    this.transaction_ids = more.transaction_ids ?? [];
    this.result = more.result;
    this.session_id = more.session_id;
    this.mayLift = more.mayLift ?? false;
  }

  get status(): number {
    return problems[this.code].status;
  }
}

/** What to do about wrong fields of a request. */
export const CORRECT_FIELDS = 'Correct the fields that `errors` names.';

/** The error `invalid_request` of a request with wrong fields. */
export function invalidFields(errors: readonly FieldError[], more: { mayLift?: true } = {}): ProblemError {
  return new ProblemError('invalid_request', CORRECT_FIELDS, { errors, ...more });
}

/** A failed read or write of the store. No change is written partly. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code = 'store_unavailable';
  /** True if certainly nothing was written. Otherwise the store may show the change later. */
  readonly wroteNothing: boolean;
  /** The code of the system or the database if the store is lost; undefined if only this call failed. */
  readonly reason: string | undefined;

  constructor(
    message: string,
    {
      wroteNothing = false,
      reason,
      ...options
    }: ErrorOptions & { wroteNothing?: boolean; reason?: string | undefined } = {},
  ) {
    super(message, options);
    this.wroteNothing = wroteNothing;
    this.reason = reason;
  }
}

/** A wrong configuration. Each problem is a line with its path. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'config_invalid';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}
