import * as right from '../../../../relay/payments/order.ts';

export * from '../../../../relay/payments/order.ts';

/** Wrong: an order that was paid as it stood before differs only where its amount does. */
export const isOrderChanged: typeof right.isOrderChanged = (session, attempts) =>
  right.sumOf(session, attempts).amount !== session.terms.order.amount;
