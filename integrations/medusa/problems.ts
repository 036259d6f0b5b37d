import { MedusaError } from '@medusajs/framework/utils';
import { OperationDeclined, OutcomeUnknown, RelayRefused, TurnpikeError } from 'turnpike/client';

/** An error that Medusa reports to its client with its message, with status 400. */
export function notAllowed(message: string): MedusaError {
  return new MedusaError(MedusaError.Types.NOT_ALLOWED, message);
}

/** The error of a call to the relay in Medusa's terms. It contains no card, key or address. */
export function medusaError(error: unknown): unknown {
  if (error instanceof OutcomeUnknown) {
    return notAllowed(
      `The outcome at the gateway is not known yet (operation ${error.operation_id}). Try again later: nothing is done twice.`,
    );
  }
  if (error instanceof OperationDeclined) {
    return notAllowed(`The gateway declined it: ${error.message} (operation ${error.operation_id})`);
  }
  if (error instanceof RelayRefused) {
    const faults = error.errors.map(({ path, message }) => `${path} ${message}`).join('; ');
    return notAllowed(`Turnpike refused it: ${error.code}. ${faults || error.detail || error.title}`);
  }
  return error instanceof TurnpikeError
    ? new MedusaError(MedusaError.Types.UNEXPECTED_STATE, `Turnpike: ${error.message}`)
    : error;
}
