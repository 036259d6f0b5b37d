import * as right from '../../../../relay/payments/settlement/settle-order.ts';

export * from '../../../../relay/payments/settlement/settle-order.ts';

/** Wrong: records that hold an order are read once: a query that shows them again changes nothing. */
export const settleOrder: typeof right.settleOrder = (order, query, ...rest) => {
  const known = order.undecided?.records.map(
    ({ transaction_id, payment_status }) => `${transaction_id} ${payment_status}`,
  );
  const shown = query.counted && query.records.map((one) => `${one.transaction_id ?? ''} ${one.payment_status ?? ''}`);
  const isSame = known !== undefined && shown && shown.join() === known.join();
  return right.settleOrder(order, isSame ? { ...query, counted: false, fault: 'query_unanswered' } : query, ...rest);
};
