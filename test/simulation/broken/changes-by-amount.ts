import * as right from '../../../relay/payments/order.ts';

export * from '../../../relay/payments/order.ts';

/** Wrong: an order that was paid as it stood before differs only where its amount does. */
export const sumOf: typeof right.sumOf = (session, attempts) => {
  const { order_changed: _, ...sum } = right.sumOf(session, attempts);
  const isChanged = sum.amount !== session.terms.order.amount;
  return { ...sum, ...(isChanged ? { order_changed: true } : {}) };
};
