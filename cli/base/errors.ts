import { ClientMisused, RelayAnswerUnusable, RelayRefused, RelayUnreachable } from '../../client/index.ts';

/** How the command ends, for scripts. */
export const EXIT = { done: 0, refused: 1, usage: 2, unknown: 3, partly: 4 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Anything that ends the command with a message for people. `hint` tells what to do next. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
  readonly code: string;
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;

  constructor(code: string, message: string, { exitCode, hint }: { exitCode: ExitCode; hint?: string }) {
    super(message);
    this.code = code;
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

/** The command was called wrongly, or its settings, files or rows are wrong. Nothing was sent. */
export class UsageError extends CliError {
  override readonly name = 'UsageError';

  constructor(message: string, hint?: string) {
    super('usage', message, { exitCode: EXIT.usage, ...(hint === undefined ? {} : { hint }) });
  }
}

/** What failed, as `--json` prints it too. */
export type Failure = {
  code: string;
  message: string;
  hint?: string | undefined;
  errors?: readonly { path: string; message: string }[];
  operation_id?: string | undefined;
  session_id?: string | undefined;
  request_id?: string | undefined;
};

/** Turns any error into what is printed and the exit code. */
export function failureOf(error: unknown): { failure: Failure; exitCode: ExitCode } {
  if (error instanceof CliError) {
    const { code, message, hint, exitCode } = error;
    return { failure: { code, message, hint }, exitCode };
  }
  if (error instanceof RelayRefused) return refusal(error);
  if (error instanceof RelayUnreachable || error instanceof RelayAnswerUnusable) return noAnswer(error);
  if (error instanceof ClientMisused) {
    return { failure: { code: error.code, message: error.message }, exitCode: EXIT.usage };
  }
  // Its message may quote what was being handled.
  const name = error instanceof Error ? error.name : 'unknown';
  return {
    failure: { code: 'defect', message: `The command failed with a defect of its own (${name}).` },
    exitCode: 1,
  };
}

function refusal(error: RelayRefused): ReturnType<typeof failureOf> {
  const { code, title, detail, errors, operationId, sessionId, requestId } = error;
  const isUnknown = code === 'outcome_unknown' || code === 'in_progress';
  return {
    failure: {
      code,
      message: detail || title,
      hint: hintFor(code, operationId),
      ...(errors.length > 0 ? { errors } : {}),
      operation_id: operationId,
      session_id: sessionId,
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
        ? `Nothing is sent again. See what became of it: turnpike operations get ${operationId}`
        : 'Nothing is sent again. Look again in a moment.';
    default:
      return undefined;
  }
}

function noAnswer(error: RelayUnreachable | RelayAnswerUnusable): ReturnType<typeof failureOf> {
  const { code, idempotencyKey } = error;
  // Only a POST has a key; what it asked for may have been done.
  const isUnknown = idempotencyKey !== undefined;
  const what =
    error instanceof RelayUnreachable ? 'The relay gave no answer.' : `What answered is no relay (${error.status}).`;
  return {
    failure: {
      code,
      message: isUnknown ? `${what} What was asked for may have been done.` : what,
      hint: isUnknown
        ? `Repeat the command with --idempotency-key ${idempotencyKey}: it is done once only.`
        : 'Check --url or TURNPIKE_URL, and that the relay runs (GET /healthz).',
    },
    exitCode: isUnknown ? EXIT.unknown : EXIT.refused,
  };
}
