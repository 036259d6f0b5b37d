import * as right from '../../../../relay/payments/attempt.ts';

export * from '../../../../relay/payments/attempt.ts';

/** Wrong: a decline in a query's records is final, although the shopper can try again at the issuer's page. */
export function isWatched(attempt: right.Attempt): boolean {
  return attempt.state.status !== 'declined' && right.isWatched(attempt);
}

export function isWatchedAt(attempt: right.Attempt, now: Date): boolean {
  return isWatched(attempt) && right.isWatchedAt(attempt, now);
}
