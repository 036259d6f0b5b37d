import { isWatched, watchedSince } from './attempt.ts';
import type { Order } from './order.ts';
import { pastOf, seenAhead } from './waited.ts';

type Known = Pick<Order, 'sessions' | 'attempts' | 'undecided' | 'payments' | 'queries'>;

/** Since when something of an order waits, in milliseconds. A clock that was ahead when it was noted makes it wait no longer. */
export function sinceOf(time: string, { queries }: Pick<Order, 'queries'>, now: Date): number {
  return pastOf(Date.parse(time), queries.ahead, now);
}

/** When a query saw first that something of an order was noted by a clock that was ahead (ISO 8601). */
export function orderSeenAhead(order: Known, now: Date): string | undefined {
  return seenAhead(timesOf(order), order.queries.ahead, now);
}

/** The times since when something of an order waits. */
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
    ...payments.flatMap(({ proof, date }) => (proof === 'person' ? [date] : [])),
  ];
}
