import * as right from '../../../../relay/checkout/send-attempt.ts';

export * from '../../../../relay/checkout/send-attempt.ts';

/** Wrong: a payment is sent although the shopper disconnected during a query or a slow write. */
export const sendAttempt: typeof right.sendAttempt = (context, sending) =>
  right.sendAttempt(context, { ...sending, hasHungUp: () => false });
