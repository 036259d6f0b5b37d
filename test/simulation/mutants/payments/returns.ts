import type * as right from '../../../../relay/payments/schedule.ts';

export * from '../../../../relay/payments/schedule.ts';

/** Wrong: five seconds after the shopper's return the payment counts as not made. */
export const returnMs: typeof right.returnMs = () => 5000;
