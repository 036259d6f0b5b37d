import * as right from '../../../../relay/payments/amount-due.ts';

export * from '../../../../relay/payments/amount-due.ts';

/** Wrong: an order that was paid as it stood before differs only if its amount does. */
export const isOrderChanged: typeof right.isOrderChanged = (session, attempts) =>
  right.amountDue(session, attempts).amount !== session.terms.order.amount;
