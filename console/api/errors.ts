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

/** The relay answered in a form that this page does not know. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}
