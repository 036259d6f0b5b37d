import type { PaymentActions, PaymentSessionStatus } from '@medusajs/framework/types';
import { MathBN, MedusaError } from '@medusajs/framework/utils';
import type { OrderPaymentAnswer, SessionAnswer } from '#client';

/**
 * Medusa's status for a session that is not paid. `pending_authorization` lets Medusa place the order and wait for the payment: only
 * if the gateway has accepted it and decides later, such as a voucher. An unknown outcome is `pending`: the cart stays a cart.
 */
export function unpaidStatus(status: Exclude<SessionAnswer['status'], 'approved'>): PaymentSessionStatus {
  switch (status) {
    case 'open':
    case 'processing':
    case 'unknown':
      return 'pending';
    case 'redirected':
      return 'requires_more';
    case 'pending':
      return 'pending_authorization';
    case 'failed':
      return 'error';
    case 'expired':
      return 'canceled';
  }
}

/**
 * Medusa's status for a session that the gateway approved, by its payment. It is `captured` only if nothing is left to capture: Medusa
 * takes that as the whole amount.
 */
export function paidStatus({ status, amount, captured }: OrderPaymentAnswer): PaymentSessionStatus {
  switch (status) {
    case 'authorised':
    case 'partially_captured':
      return 'authorized';
    case 'paid':
      return 'captured';
    case 'partially_refunded':
      // The gateway captures by itself, or all is captured: `captured` is zero if the relay sent no capture.
      return MathBN.eq(captured, 0) || MathBN.eq(captured, amount) ? 'captured' : 'authorized';
    case 'held':
      return 'pending_authorization';
    case 'refunded':
    case 'cancelled':
    case 'rejected':
    case 'reversed':
      return 'canceled';
  }
}

/** The action that a webhook asks of Medusa. */
export function actionOf(status: PaymentSessionStatus): PaymentActions {
  return status === 'error' ? 'failed' : status;
}

/** Whether money of a payment is still captured, authorised or held: its session cannot be deleted. */
export function isLive(payment: OrderPaymentAnswer): boolean {
  return paidStatus(payment) !== 'canceled' || MathBN.gt(payment.capturable, 0);
}

/** A session with its status in Medusa's terms, and its payment if there is one. */
export type Standing = { session: SessionAnswer; status: PaymentSessionStatus; payment?: OrderPaymentAnswer };

/** The standing of a session. Throws MedusaError if the payment of an approved session is missing. */
export function standingOf(session: SessionAnswer, payments: readonly OrderPaymentAnswer[]): Standing {
  if (session.status !== 'approved') return { session, status: unpaidStatus(session.status) };
  const payment = payments.find(({ transaction_id }) => transaction_id === session.transaction_id);
  if (payment) return { session, status: paidStatus(payment), payment };
  throw new MedusaError(MedusaError.Types.UNEXPECTED_STATE, `Session ${session.id} is approved without a payment`);
}
