import * as right from '../../../../relay/payments/settlement/payment.ts';

export * from '../../../../relay/payments/settlement/payment.ts';

/** Wrong: what an unsigned answer approved counts as proved, so that the transaction of a record is a second one. */
export const paymentOf: typeof right.paymentOf = (...args) => {
  const { unsigned: _, ...payment } = right.paymentOf(...args);
  return payment;
};
