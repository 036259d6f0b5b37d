import type * as right from '../../../../relay/payments/attempt.ts';

export * from '../../../../relay/payments/attempt.ts';

/** Wrong: a payment without a record in time after the shopper's return counts as given up. */
export const isAbandoned: typeof right.isAbandoned = ({ state }) =>
  state.status === 'not_paid' && (state.reason === 'abandoned' || state.reason === 'not_found');
