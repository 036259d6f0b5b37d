import * as right from '../../../../relay/payments/settlement/settle-order.ts';

export * from '../../../../relay/payments/settlement/settle-order.ts';

/** Wrong: an attempt whose approval the gateway signed becomes absent like any other one. */
export const settleOrder: typeof right.settleOrder = (order, ...rest) =>
  right.settleOrder({ ...order, attempts: order.attempts.map(({ signed_approval: _, ...one }) => one) }, ...rest);
