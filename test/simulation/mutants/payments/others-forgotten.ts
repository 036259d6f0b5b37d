import * as right from '../../../../relay/payments/attempt.ts';

export * from '../../../../relay/payments/attempt.ts';

/** Wrong: an approved attempt has no other transaction. */
export const isWatchedAt: typeof right.isWatchedAt = (attempt, now) =>
  attempt.state.status !== 'approved' && right.isWatchedAt(attempt, now);
