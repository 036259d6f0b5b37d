import * as right from '../../../../relay/payments/operations/after-refund-search.ts';

export * from '../../../../relay/payments/operations/after-refund-search.ts';

/** Wrong: an answered refund is never searched for, even if its code is unlisted and its refund_reference_id known. */
export const withFirstSearch: typeof right.withFirstSearch = (operation, now, pace) =>
  operation.state.status === 'answered' ? operation : right.withFirstSearch(operation, now, pace);
