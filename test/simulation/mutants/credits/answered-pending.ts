import * as right from '../../../../relay/payments/settlement/settle-order.ts';

export * from '../../../../relay/payments/settlement/settle-order.ts';

/** Wrong: an attempt that the gateway's answer said to be pending is absent like any other once nothing shows it. */
export const settleOrder: typeof right.settleOrder = (order, ...rest) =>
  right.settleOrder({ ...order, attempts: order.attempts.map(({ answered_pending: _, ...one }) => one) }, ...rest);
