import * as right from '../../../../relay/payments/operations/counted-refunds.ts';

export * from '../../../../relay/payments/operations/counted-refunds.ts';

/** Wrong: a refund that the gateway refused can be requested again at once. */
export const countedRefunds: typeof right.countedRefunds = (operation) =>
  operation.state.status === 'refused'
    ? right.refundItems(operation.request).map(() => false)
    : right.countedRefunds(operation);
