import { firstSeenInFuture, notInFuture } from './absence-clock.ts';
import { isWatched, watchedSince } from './attempt.ts';
import type { StoredOrder } from './order.ts';

type Known = Pick<StoredOrder, 'sessions' | 'attempts' | 'undecided' | 'payments' | 'queries'>;

/** Since when a part of an order waits, in milliseconds. A time that a clock noted ahead makes it wait no longer. */
export function sinceOf(time: string, { queries }: Pick<StoredOrder, 'queries'>, now: Date): number {
  return notInFuture(Date.parse(time), queries.ahead, now);
}

/** When a query first saw a time of the order in the future, noted by a clock that was ahead (ISO 8601). */
export function orderFirstSeenInFuture(order: Known, now: Date): string | undefined {
  return firstSeenInFuture(timesOf(order), order.queries.ahead, now);
}

/** The times since when parts of an order wait. */
function timesOf({ sessions, attempts, undecided, payments }: Known): string[] {
  return [
    ...sessions.flatMap(({ state }) =>
      state.status === 'pending' || state.status === 'unknown' ? [state.search.since] : [],
    ),
    ...attempts.flatMap((attempt) => {
      const { state, started_at } = attempt;
      if (state.status === 'pending') return [state.since];
      if (state.status === 'unknown') return [state.since ?? started_at];
      return isWatched(attempt) ? [watchedSince(attempt)] : [];
    }),
    ...(undecided ? [undecided.since] : []),
    ...payments.flatMap(({ proof, date, awaited }) => [
      ...(proof === 'person' ? [date] : []),
      ...(awaited ? [awaited.since] : []),
    ]),
  ];
}
