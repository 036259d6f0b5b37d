import { isRenewal } from '../../../../relay/payments/order.ts';
import * as right from '../../../../relay/payments/settlement/contracts.ts';

export * from '../../../../relay/payments/settlement/contracts.ts';

/** Wrong: a later charge that a query shows again counts as a new one. */
export const noteCharges: typeof right.noteCharges = (before, shown, now) => {
  const payments = before.order.payments.filter((payment) => !isRenewal(payment));
  return right.noteCharges({ ...before, order: { ...before.order, payments, charges: [] } }, shown, now);
};
