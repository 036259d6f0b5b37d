import { ClientMisused, RelayAnswerUnusable, RelayRefused, RelayUnreachable } from '../../client/errors.ts';
import type { FieldError } from '../../client/index.ts';
import { networkTrouble } from './network-trouble.ts';

/** The code of a system error, such as ENOENT; `otherwise` for an error without one. */
export function codeOf(error: unknown, otherwise = 'failed'): string {
  return error instanceof Error && 'code' in error ? String(error.code) : otherwise;
}

/** The exit codes, for scripts. */
export const EXIT = { done: 0, refused: 1, usage: 2, unknown: 3, partly: 4 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * The details of an error. `idempotencyKey`: the key of the request without an answer. `errors`: the single faults,
 * each with its path.
 */
type Ending = { exitCode: ExitCode; hint?: string; idempotencyKey?: string; errors?: Failure['errors'] };

/** An error that ends the command with a message for people. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
  readonly code: string;
  readonly exitCode: ExitCode;
  readonly failure: Failure;

  constructor(code: string, message: string, { exitCode, hint, idempotencyKey, errors }: Ending) {
    super(message);
    this.code = code;
    this.exitCode = exitCode;
    this.failure = { code, message, hint, errors, idempotency_key: idempotencyKey };
  }
}

/** The arguments, settings, files or rows are wrong. Nothing was sent. */
export class UsageError extends CliError {
  override readonly name = 'UsageError';

  constructor(message: string, hint?: string, errors?: readonly FieldError[]) {
    super('usage', message, { exitCode: EXIT.usage, hint, errors });
  }
}

/** The error, in the form that `--json` prints. */
export type Failure = {
  code: string;
  message: string;
  /** Advice. */
  hint?: string | undefined;
  errors?: readonly FieldError[] | undefined;
  operation_id?: string | undefined;
  session_id?: string | undefined;
  /** The key with which the request can be repeated without a second effect. */
  idempotency_key?: string | undefined;
  request_id?: string | undefined;
};

/** Converts any error into its printed form and the exit code. */
export function failureOf(error: unknown): { failure: Failure; exitCode: ExitCode } {
  if (error instanceof CliError) return error;
  if (error instanceof RelayRefused) return refusal(error);
  if (error instanceof RelayUnreachable || error instanceof RelayAnswerUnusable) return noAnswer(error);
  if (error instanceof ClientMisused) {
    return { failure: { code: error.code, message: error.message }, exitCode: EXIT.usage };
  }
  const missing = missingPackage(error);
  if (missing !== undefined) return missingFailure(missing);
  // The message may quote the data that was being processed.
  const name = error instanceof Error ? error.name : 'unknown';
  return {
    failure: { code: 'defect', message: `The command failed with a defect of its own (${name}).` },
    exitCode: 1,
  };
}

/** The package that an import did not find. */
function missingPackage(error: unknown): string | undefined {
  if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND' || !(error instanceof Error)) return undefined;
  return /^Cannot find package '([\w@/.-]+)'/.exec(error.message)?.[1];
}

function missingFailure(name: string): ReturnType<typeof failureOf> {
  const failure = new CliError('package_missing', `The package ${name} is not installed, which this command needs.`, {
    exitCode: EXIT.usage,
    hint: 'Install turnpike again with Node 22.19 or newer, and without --omit=optional.',
  });
  return failure;
}

function refusal(error: RelayRefused): ReturnType<typeof failureOf> {
  const { code, title, detail, errors, operationId, sessionId, requestId, idempotencyKey } = error;
  // An earlier try may have succeeded, although the relay could not find its result in the last one.
  const isLookedUpInVain = idempotencyKey !== undefined && (code === 'store_unavailable' || code === 'internal');
  const isUnknown = code === 'outcome_unknown' || code === 'in_progress' || isLookedUpInVain;
  const isRepeatable = isUnknown && operationId === undefined;
  return {
    failure: {
      code,
      message: detail || title,
      hint: isRepeatable && idempotencyKey !== undefined ? repeatHint(idempotencyKey) : hintFor(code, operationId),
      errors: errors.length > 0 ? errors : undefined,
      operation_id: operationId,
      session_id: sessionId,
      idempotency_key: isRepeatable ? idempotencyKey : undefined,
      request_id: requestId,
    },
    exitCode: isUnknown ? EXIT.unknown : EXIT.refused,
  };
}

function hintFor(code: string, operationId: string | undefined): string | undefined {
  switch (code) {
    case 'unauthorized':
      return 'Check --key-file or TURNPIKE_API_KEY: the relay does not know this key.';
    case 'missing_scope':
      return 'The key lacks the scope for this. Use another key, or have the scope added in the relay’s configuration.';
    case 'outcome_unknown':
    case 'in_progress':
      return operationId
        ? `Nothing is sent again. See its outcome: turnpike operations get ${operationId}`
        : 'Nothing is sent again. Look again in a moment.';
    case 'operation_undecided':
      return 'Nothing was sent. Read that operation with turnpike operations get; try again once its outcome is known, or settle it.';
    case 'gateway_refused':
    case 'operation_settled':
    case 'reference_used':
    case 'request_id_used':
      return operationId && `See its outcome: turnpike operations get ${operationId}`;
    default:
      return undefined;
  }
}

/**
 * The command that repeats a request without an answer: with its key, and with the `options` whose default values may
 * have changed, so that it is the same request.
 */
export function repeatHint(idempotencyKey: string, options: Readonly<Record<string, string>> = {}): string {
  const all = Object.entries({ ...options, '--idempotency-key': idempotencyKey });
  return `Repeat the command with ${all.map(([name, value]) => `${name} ${quoted(value)}`).join(' ')}: it is done once only.`;
}

/** A word, quoted for a shell. */
function quoted(value: string): string {
  return /^[\w.:@%+,/-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}

function noAnswer(error: RelayUnreachable | RelayAnswerUnusable): ReturnType<typeof failureOf> {
  const { code, idempotencyKey } = error;
  // Only a POST has a key, and the relay may have received it.
  const isUnknown = idempotencyKey !== undefined;
  const { what, next } = noAnswerOf(error);
  return {
    failure: {
      code,
      message: isUnknown ? `${what} The request may have been carried out.` : what,
      hint: isUnknown ? repeatHint(idempotencyKey) : next,
      idempotency_key: idempotencyKey,
    },
    exitCode: isUnknown ? EXIT.unknown : EXIT.refused,
  };
}

const RELAY = { address: '--url or TURNPIKE_URL', operator: 'the relay’s operator' };

/** The reason why no answer came from the relay, and the advice. */
export function noAnswerOf(error: RelayUnreachable | RelayAnswerUnusable): { what: string; next: string } {
  const next = 'Check --url or TURNPIKE_URL, and that the relay runs (GET /healthz).';
  if (error instanceof RelayAnswerUnusable) return { what: `The answer is not from a relay (${error.status}).`, next };
  const { reason } = error;
  if (reason === undefined) return { what: 'The relay gave no answer.', next };
  const trouble = networkTrouble(reason, RELAY);
  return { what: `The relay gave no answer: ${trouble?.says ?? reason}.`, next: trouble?.isTls ? trouble.next : next };
}
