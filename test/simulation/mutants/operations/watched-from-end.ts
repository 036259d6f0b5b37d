import * as right from '../../../../relay/payments/operations/after-refund-search.ts';

export * from '../../../../relay/payments/operations/after-refund-search.ts';

/**
 * Wrong: the days for which a refund that counts as not made is searched for begin at its end, by the clock of that
 * time.
 */
export const afterRefundSearch: typeof right.afterRefundSearch = (operation, ...rest) => {
  const { created_at } = operation;
  return {
    ...right.afterRefundSearch({ ...operation, created_at: operation.settled_at ?? created_at }, ...rest),
    created_at,
  };
};
