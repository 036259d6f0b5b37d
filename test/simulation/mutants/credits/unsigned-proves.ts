import * as right from '../../../../relay/payments/settlement/proof.ts';

export * from '../../../../relay/payments/settlement/proof.ts';

/** Wrong: an unsigned approval counts as proved, so that the transaction of a record counts as a second payment. */
export const paymentOf: typeof right.paymentOf = (...args) => {
  const { unsigned: _, ...payment } = right.paymentOf(...args);
  return payment;
};
