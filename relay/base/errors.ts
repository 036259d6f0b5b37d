import { type DeclineResult, type FieldError, type ProblemCode, problems } from '../../shared/checkout/problem.ts';

/** An error that a caller of the relay's HTTP API may be told: its code decides the HTTP status. */
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
  /** True where it depends on what is stored: the same request may be right later, so no `Idempotency-Key` keeps it. */
  readonly mayLift: boolean;

  /** `detail` tells the person what to do next; `errors` name the fields that are wrong. */
  constructor(
    code: ProblemCode,
    detail: string,
    more: {
      errors?: readonly FieldError[];
      headers?: Readonly<Record<string, string>>;
      /** The operation or payment that it is about; the answer's `X-Operation-Id` too. */
      operation_id?: string;
      /** All the operations that it is about; the first of them is the `operation_id`. */
      operation_ids?: readonly string[];
      /** The transactions that the request can name. */
      transaction_ids?: readonly string[];
      /** Why the gateway declined it. */
      result?: DeclineResult;
      /** The session that pays its order, or paid it: for the shop's server alone. */
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

/** The store cannot be read or written; nothing was half written. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code = 'store_unavailable';
  /** True where it is certain that nothing was written. Otherwise the store may show it later. */
  readonly wroteNothing: boolean;
  /** Why the store is lost: a code of the system or the database. Undefined where only this call failed. */
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

/** The configuration is wrong; every problem is a line with its path. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'config_invalid';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}
