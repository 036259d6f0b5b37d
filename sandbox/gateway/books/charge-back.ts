import type { Payment, Payments } from './payments.ts';

/** The card holder takes back what was paid, which is told like any change of a payment; false where nothing was. */
export function chargeBack(payment: Payment, payments: Payments): boolean {
  if (payment.state.status !== 'approved') return false;
  payments.change(payment, { state: { status: 'cancelled', reason: 'Charged back by the card holder' } });
  return true;
}
