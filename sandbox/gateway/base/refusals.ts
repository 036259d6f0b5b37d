import { STATUS_CODES } from 'node:http';

/** A message that the gateway does not accept: the status and the text of its answer. */
export class Refusal extends Error {
  override readonly name: string = 'Refusal';
  readonly code: string;
  readonly status: number;

  constructor(code: string, status: number, message: string) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** §7: the gateway refuses this message. The text never repeats sent values. */
export class InvalidInput extends Refusal {
  override readonly name = 'InvalidInput';

  constructor(reason: string) {
    super('invalid_input', 400, `Invalid input: ${reason}`);
  }
}

/** The fault error_before: nothing was done. */
export function sandboxFault(): Refusal {
  return new Refusal('sandbox_fault', 500, 'Internal error');
}

/** §7: no such merchant or account. */
export function recordNotFound(): Refusal {
  return new Refusal('record_not_found', 404, 'Record not found: no such merchant_id and account_id');
}

/** The status that a person chose for every message: nothing was done. */
export function notTaken(status: number): Refusal {
  return new Refusal('not_taken', status, STATUS_CODES[status] ?? 'Not taken');
}
