import { MedusaError } from '@medusajs/framework/utils';
import { OperationDeclined, type OrderPaymentAnswer, OutcomeUnknown, RelayRefused, TurnpikeError } from '#client';
import { type Sent, sumOf } from './rest.ts';

/** An error that Medusa reports to its client with its message, with status 400. */
export function notAllowed(message: string): MedusaError {
  return new MedusaError(MedusaError.Types.NOT_ALLOWED, message);
}

/** Throws MedusaError while a capture of a payment has an unknown outcome: what can be captured or cancelled is not known then. */
export function refuseUnknownCapture({ operations }: Pick<OrderPaymentAnswer, 'operations'>): void {
  if (operations.some(({ operation, outcome }) => operation === 'capture' && outcome === 'unknown')) {
    throw notAllowed('An earlier capture of this payment has no known outcome yet. Try again later.');
  }
}

/** The error for a payment that cannot be cancelled, by its status. */
export function notCancellable(status: OrderPaymentAnswer['status']): MedusaError {
  switch (status) {
    case 'held':
      return notAllowed('The payment waits for a review: reject it in the console of the relay');
    case 'refunded':
      return notAllowed('The payment is refunded: nothing of it is left to cancel');
    case 'reversed':
      return notAllowed('The payment was reversed, for example by a chargeback: nothing of it is left to cancel');
    default:
      return notAllowed('Nothing of the payment is left to cancel: refund the captured amount');
  }
}

/** The error for a refund that exceeds the rest, because other clients of the relay refunded a part. */
export function refundedElsewhere({ currency, refundable }: OrderPaymentAnswer, others: readonly Sent[]): MedusaError {
  const ids = others.map(({ operation_id }) => operation_id).join(', ');
  return notAllowed(
    `${sumOf(others)} ${currency} of this payment was refunded outside Medusa (${ids}). Refund at most ${refundable} ${currency}.`,
  );
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
