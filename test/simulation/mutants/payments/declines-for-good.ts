import * as right from '../../../../relay/payments/attempt.ts';

export * from '../../../../relay/payments/attempt.ts';

/** Wrong: a decline that a query told is final, though a shopper at an issuer's page may try again. */
export function isWatched(attempt: right.Attempt): boolean {
  return attempt.state.status !== 'declined' && right.isWatched(attempt);
}

export function isWatchedAt(attempt: right.Attempt, now: Date): boolean {
  return isWatched(attempt) && right.isWatchedAt(attempt, now);
}
