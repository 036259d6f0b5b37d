import { failureCode } from '../shared/api/failure-code.ts';
import type { DeclineResult, FieldError } from '../shared/checkout/problem.ts';
import type { ProblemCode } from '../shared/checkout/problem-codes.ts';

/** The request of an error. `route` is the path without its ids, because errors are logged. */
export type Request = { method: 'GET' | 'POST' | 'PATCH'; route: string; idempotencyKey?: string | undefined };

/** Every error of a call to the relay. Branch on `code`, never on the message. */
export abstract class TurnpikeError extends Error {
  abstract readonly code: string;
  /** The key of the POST. With it and the same body, the request can be repeated without a second effect. */
  readonly idempotencyKey: string | undefined;

  constructor({ method, route, idempotencyKey }: Request, what: string, options?: ErrorOptions) {
    super(`${method} ${route} ${what}`, options);
    this.idempotencyKey = idempotencyKey;
  }
}

/** The fields of a problem (RFC 9457) of the relay. */
export type Refusal = {
  status: number;
  /** The relay's code. A newer relay may have codes that this client does not know. */
  code: ProblemCode | (string & {});
  title: string;
  detail: string;
  /** The faults of the body, by path. */
  errors: readonly FieldError[];
  /** The operation or payment of the problem. */
  operationId: string | undefined;
  /**
   * The session that is paying or has paid the order, if that is why `sessions.create` or `payments.create` was
   * refused.
   */
  sessionId: string | undefined;
  requestId: string | undefined;
  /** With `several_payments`: the transactions that the request can name. */
  transactionIds?: readonly string[] | undefined;
  /** With `operation_declined`: why the gateway declined it. */
  result?: DeclineResult | undefined;
};

/** The relay answered with a problem. The `code` of the error is that of the problem. */
export class RelayRefused extends TurnpikeError implements Refusal {
  override readonly name = 'RelayRefused';
  readonly code: Refusal['code'];
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  readonly operationId: string | undefined;
  readonly sessionId: string | undefined;
  readonly requestId: string | undefined;
  readonly transactionIds: readonly string[] | undefined;
  readonly result: DeclineResult | undefined;

  constructor(request: Request, refusal: Refusal) {
    const { status, code, title, detail, errors, operationId, sessionId, requestId } = refusal;
    super(request, `was refused: ${status} ${code}: ${firstOf(errors) ?? (detail || title)}`);
    this.code = code;
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.errors = errors;
    this.operationId = operationId;
    this.sessionId = sessionId;
    this.requestId = requestId;
    this.transactionIds = refusal.transactionIds;
    this.result = refusal.result;
  }
}

/** The first fault of the body for a message: the field and its rule. */
function firstOf([first, ...others]: readonly FieldError[]): string | undefined {
  if (first === undefined) return undefined;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return `${first.path} ${first.message}${more}`;
}

/**
 * The gateway declined an operation on an order's payment. `code` and `message` are the gateway's; the `cause` is the
 * relay's answer.
 */
export class OperationDeclined extends TurnpikeError {
  override readonly name = 'OperationDeclined';
  /** The gateway's code; `operation_declined` if there is none. */
  readonly code: string;
  readonly operation_id: string;

  constructor(request: Request, operationId: string, { code, message }: DeclineResult, cause: unknown) {
    super(request, 'was declined by the gateway', { cause });
    this.message = message;
    this.code = code ?? 'operation_declined';
    this.operation_id = operationId;
  }
}

/**
 * The gateway may have carried out an operation on an order's payment. Never request it again under another key:
 * `operations.get` returns its outcome once it is known.
 */
export class OutcomeUnknown extends TurnpikeError {
  override readonly name = 'OutcomeUnknown';
  readonly code = 'outcome_unknown';
  readonly operation_id: string;

  constructor(request: Request, operationId: string, cause: unknown) {
    super(request, 'has no known outcome', { cause });
    this.operation_id = operationId;
  }
}

/** Converts an error of `send` into the error of an operation on an order's payment. */
export function orderActionError(route: string, error: unknown): unknown {
  if (!(error instanceof RelayRefused) || error.operationId === undefined) return error;
  const { code, operationId, result, idempotencyKey } = error;
  const request: Request = { method: 'POST', route, idempotencyKey };
  if (code === 'operation_declined' && result) return new OperationDeclined(request, operationId, result, error);
  return code === 'outcome_unknown' ? new OutcomeUnknown(request, operationId, error) : error;
}

/** No try got an answer. The relay may have received a POST: repeat it with this error's `idempotencyKey`. */
export class RelayUnreachable extends TurnpikeError {
  override readonly name = 'RelayUnreachable';
  readonly code = 'relay_unreachable';
  /** The system's error code of the last try, such as ENOTFOUND, ECONNREFUSED or CERT_HAS_EXPIRED, or `timeout`. */
  readonly reason: string | undefined;

  /** `origin` is that of the relay's address. */
  constructor(request: Request, origin: string, cause: unknown) {
    const reason = failureCode(cause);
    super(request, `got no answer from ${origin}${reason === undefined ? '' : ` (${reason})`}`, { cause });
    this.reason = reason;
  }
}

/**
 * The answer does not have the form of the relay's. It comes from another server, a proxy, or a relay of another
 * version.
 */
export class RelayAnswerUnusable extends TurnpikeError {
  override readonly name = 'RelayAnswerUnusable';
  readonly code = 'relay_answer_unusable';
  readonly status: number;

  constructor(request: Request, status: number, paths: readonly string[] = []) {
    const wrong = paths.length > 0 ? ` (${paths.join(', ')})` : '';
    super(request, `was answered ${status} in an unknown form${wrong}: is url the address of a relay?`);
    this.status = status;
  }
}

/** The client was called with invalid values, and nothing was sent. */
export class ClientMisused extends Error {
  override readonly name = 'ClientMisused';
  readonly code = 'client_misused';
}
