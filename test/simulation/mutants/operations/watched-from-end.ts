import * as right from '../../../../relay/payments/operations/after-refund-search.ts';

export * from '../../../../relay/payments/operations/after-refund-search.ts';

/** Wrong: a refund that counts as not made is searched for since its end, by whichever clock that was. */
export const afterRefundSearch: typeof right.afterRefundSearch = (operation, ...rest) => {
  const { created_at } = operation;
  return {
    ...right.afterRefundSearch({ ...operation, created_at: operation.settled_at ?? created_at }, ...rest),
    created_at,
  };
};
