import { fromMinor, toMinor } from '../../../shared/gateway/amounts.ts';
import { chargeBack, type Payment } from '../books/payments.ts';
import type { Approved } from '../books/states.ts';
import { ItemRefused, type Parts } from '../operations/handler.ts';
import { refundPayment } from '../operations/refund.ts';
import { cancelPayment, capturePayment, reviewPayment } from '../operations/review-capture-cancel.ts';

/**
 * An action on a payment: by its bank, its card holder, a reviewer, or the merchant in the portal (§1). `take` returns
 * false, or throws ItemRefused, if the action is not possible now.
 */
type PaymentAction = { label: string; take(payment: Payment, gateway: Parts): boolean };

const ofUndecided = (label: string, choice: 'approve' | 'refuse' | 'pay_later'): PaymentAction => ({
  label,
  take(payment, { books }) {
    if (payment.state.status !== 'undecided') return false;
    books.payments.decide(payment, choice);
    return true;
  },
});

const ofPending = (label: string, reason?: string): PaymentAction => ({
  label,
  take(payment, { books }) {
    if (payment.state.status !== 'pending') return false;
    if (reason !== undefined) books.contracts.endWith(payment);
    books.payments.end(payment, reason);
    return true;
  },
});

const ofApproved = (
  label: string,
  take: (payment: Payment, state: Approved, gateway: Parts) => void,
): PaymentAction => ({
  label,
  take(payment, gateway) {
    if (payment.state.status !== 'approved') return false;
    take(payment, payment.state, gateway);
    return true;
  },
});

const ofHeld = (label: string, verdict: 'accept' | 'reject'): PaymentAction =>
  ofApproved(label, (payment, state, { books }) => reviewPayment(payment, state, verdict, books));

const refundOf = (label: string, parts: bigint): PaymentAction =>
  ofApproved(label, (payment, _state, gateway) => {
    const { currency } = payment.order;
    const left = toMinor(gateway.books.refunds.left(payment), currency);
    const refund_amount = fromMinor((left + parts - 1n) / parts, currency);
    refundPayment(payment, { refund_amount, refund_reason: 'Refunded in the portal', processed: true }, gateway);
  });

/** All actions, in the order of their buttons. */
export const paymentActions = {
  approve: ofUndecided('Approve', 'approve'),
  refuse: ofUndecided('Refuse', 'refuse'),
  pay_later: ofUndecided('Pay later', 'pay_later'),
  pay: ofPending('Pay'),
  lapse: ofPending('Let it expire', 'Not paid in time'),
  accept: ofHeld('Accept', 'accept'),
  reject: ofHeld('Reject', 'reject'),
  capture: ofApproved('Capture', (payment, state, { books }) =>
    capturePayment(payment, state, undefined, books.payments),
  ),
  void: ofApproved('Void', (payment, state, { books }) => cancelPayment(payment, state, books)),
  expire: { label: 'Expire', take: (payment, { books }) => books.payments.expire(payment) },
  refund: refundOf('Refund', 1n),
  refund_half: refundOf('Refund half', 2n),
  charge_back: { label: 'Charge back', take: (payment, { books }) => chargeBack(payment, books.payments) },
  reverse: {
    label: 'Reverse the chargeback',
    take(payment, { books }) {
      if (payment.state.status !== 'charged_back') return false;
      books.payments.change(payment, { state: payment.state.before });
      return true;
    },
  },
} as const satisfies Record<string, PaymentAction>;

export type PaymentActionName = keyof typeof paymentActions;

/** The same as a list. */
export const paymentActionNames = Object.keys(paymentActions).filter(isPaymentAction);

/** True for the name of an action. */
export function isPaymentAction(name: string): name is PaymentActionName {
  return Object.hasOwn(paymentActions, name);
}

/** Runs an action on a payment. Undefined after a success, otherwise the reason why it is not possible now. */
export function act(name: PaymentActionName, payment: Payment, gateway: Parts): string | undefined {
  try {
    return paymentActions[name].take(payment, gateway) ? undefined : 'this payment does not wait for that';
  } catch (error) {
    if (error instanceof ItemRefused) return error.message;
    throw error;
  }
}

/** A payment on the page. `left_to_capture` and `left_to_refund` are the capturable and refundable amounts. */
type View = Pick<Payment['state'], 'status'> &
  Record<'review' | 'left_to_capture' | 'left_to_refund' | 'expires_at', string>;

/** The buttons of a payment's line. */
export function actionsFor({ status, review, left_to_capture, left_to_refund, expires_at }: View): PaymentActionName[] {
  const isSome = (amount: string) => /[1-9]/.test(amount);
  switch (status) {
    case 'undecided':
      return ['approve', 'refuse', 'pay_later'];
    case 'pending':
      return ['pay', 'lapse'];
    case 'charged_back':
      return ['reverse'];
    case 'approved': {
      if (review === 'held') return ['accept', 'reject', 'charge_back'];
      const open = isSome(left_to_capture);
      return [
        ...(open ? (['capture', 'void'] as const) : []),
        ...(open && expires_at ? (['expire'] as const) : []),
        ...(isSome(left_to_refund) ? (['refund', 'refund_half'] as const) : []),
        'charge_back',
      ];
    }
    default:
      return [];
  }
}
