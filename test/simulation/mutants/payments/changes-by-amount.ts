import * as right from '../../../../relay/payments/session-sum.ts';

export * from '../../../../relay/payments/session-sum.ts';

/** Wrong: an order that was paid as it stood before differs only if its amount does. */
export const isOrderChanged: typeof right.isOrderChanged = (session, attempts) =>
  right.sumOf(session, attempts).amount !== session.terms.order.amount;
