import * as right from '../../../../relay/payments/settlement/settle-order.ts';

export * from '../../../../relay/payments/settlement/settle-order.ts';

/** Wrong: the records of a query that does not count prove nothing. */
export const settleOrder: typeof right.settleOrder = (order, query, ...rest) => {
  if (query.counted) return right.settleOrder(order, query, ...rest);
  const { records: _, ...nothing } = query;
  return right.settleOrder(order, nothing, ...rest);
};
