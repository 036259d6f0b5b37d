/** The relay said no, and why. `code` is one of the relay's problem codes, or one of a newer relay's. */
export class Refused extends Error {
  override name = 'Refused';
  readonly status: number;
  readonly code: string;
  readonly operationId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: {
    status: number;
    code: string;
    detail: string;
    operationId: string | undefined;
    retryAfterSeconds: number | undefined;
  }) {
    super(problem.detail);
    this.status = problem.status;
    this.code = problem.code;
    this.operationId = problem.operationId;
    this.retryAfterSeconds = problem.retryAfterSeconds;
  }
}

/** No answer came, or none of the relay's: whether something was done is not known. */
export class Unanswered extends Error {
  override name = 'Unanswered';
}

/** The relay answered, but not in JSON. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}

/** Whether a request that ended so may have been done: no answer came, the relay failed, or it is at it still. */
export function mayHaveBeenTaken(error: unknown): boolean {
  if (!(error instanceof Refused)) return error instanceof Unanswered;
  return error.code === 'in_progress' || (error.status >= 500 && !didNothing(error));
}

/**
 * Whether the relay refused what stands under a request's key. Other refusals come before it looks at the key, or from a proxy:
 * they say nothing about an earlier try.
 */
export function isAboutKey(error: Refused): boolean {
  return [400, 409, 422].includes(error.status) || didNothing(error);
}

function didNothing({ code }: Refused): boolean {
  return ['gateway_unreachable', 'relay_paused', 'operation_not_configured'].includes(code);
}
