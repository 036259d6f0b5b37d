import * as right from '../../../../relay/payments/schedule.ts';

export * from '../../../../relay/payments/schedule.ts';

/** Wrong: an order whose queries fail is queried again at once. */
export const withNextQuery: typeof right.withNextQuery = (decision, now, rules) => {
  const { order } = decision;
  const { next_query_at: _, ...rest } = order;
  const forgiving = { ...order, queries: { ...order.queries, failures: 0 } };
  const { next_query_at } = right.withNextQuery({ ...decision, order: forgiving }, now, rules).order;
  return { ...decision, order: { ...rest, ...(next_query_at === undefined ? {} : { next_query_at }) } };
};
