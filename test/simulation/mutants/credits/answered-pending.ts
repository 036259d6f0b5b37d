import * as right from '../../../../relay/payments/settlement/settle-order.ts';

export * from '../../../../relay/payments/settlement/settle-order.ts';

/** Wrong: an attempt that the gateway's answer reported as pending becomes absent like any other one. */
export const settleOrder: typeof right.settleOrder = (order, ...rest) =>
  right.settleOrder({ ...order, attempts: order.attempts.map(({ answered_pending: _, ...one }) => one) }, ...rest);
