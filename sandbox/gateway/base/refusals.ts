import { STATUS_CODES } from 'node:http';

/** §7: the gateway does not take this message. The text never repeats what was sent. */
export class InvalidInput extends Error {
  readonly code = 'invalid_input';
  readonly status = 400;
  override readonly name = 'InvalidInput';

  constructor(reason: string) {
    super(`Invalid input: ${reason}`);
  }
}

/** §7: no such merchant or account. */
export class RecordNotFound extends Error {
  readonly code = 'record_not_found';
  readonly status = 404;
  override readonly name = 'RecordNotFound';

  constructor() {
    super('Record not found: no such merchant_id and account_id');
  }
}

/** The fault error_before: nothing happened. */
export class SandboxFault extends Error {
  readonly code = 'sandbox_fault';
  readonly status = 500;
  override readonly name = 'SandboxFault';

  constructor() {
    super('Internal error');
  }
}

/** The status that a person chose for every message: nothing happened. */
export class NotTaken extends Error {
  readonly code = 'not_taken';
  readonly status: number;
  override readonly name = 'NotTaken';

  constructor(status: number) {
    super(STATUS_CODES[status] ?? 'Not taken');
    this.status = status;
  }
}
