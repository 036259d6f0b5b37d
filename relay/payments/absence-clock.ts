/** How far the clocks of relays that share a store may differ. */
export const MAX_CLOCK_SKEW_MS = 2000;

/** True for a time in the future: the clock that noted it was ahead. */
export function isInFuture(time: number, now: Date): boolean {
  return time > now.getTime() + MAX_CLOCK_SKEW_MS;
}

/**
 * A time in milliseconds, replaced if it is in the future: by the time when a query first saw that, otherwise by now.
 * @param seen when a query first saw that the time is in the future (ISO 8601)
 */
export function notInFuture(time: number, seen: string | undefined, now: Date): number {
  if (!isInFuture(time, now)) return time;
  return Math.min(now.getTime(), seen === undefined ? Number.POSITIVE_INFINITY : Date.parse(seen));
}

/** When a query first saw that one of these times is in the future (ISO 8601); undefined if none is. */
export function firstSeenInFuture(times: readonly string[], seen: string | undefined, now: Date): string | undefined {
  if (!times.some((time) => isInFuture(Date.parse(time), now))) return undefined;
  return seen === undefined || isInFuture(Date.parse(seen), now) ? now.toISOString() : seen;
}

/** A moment in one process: by its clock (ISO 8601 in UTC), and in milliseconds by its monotonic clock. */
export type Moment = { at: string; process: string; monotonic_ms: number };

/**
 * Counted queries (or searches) in a row that showed nothing undecided, and the milliseconds from the first to the last. Clocks measured
 * `by_clocks_ms` of that time. `seen` is the last query of each process, the latest at the end.
 */
export type ClearQueries = { queries: number; waited_ms: number; by_clocks_ms?: number; seen: readonly Seen[] };

type Seen = Moment & { waited_ms: number };

/** Fewer queries prove nothing. */
const MIN_QUERIES = 3;

/** The maximum number of processes that are remembered, those with the latest queries. */
const MAX_SEEN = 4;

export const noClearQueries: ClearQueries = { queries: 0, waited_ms: 0, seen: [] };

/**
 * Rule 5. Adds a query that showed nothing undecided. The time since an earlier query of the same process is measured by its monotonic
 * clock. The gaps between two processes are measured by their clocks, and count for at most a third of `waitedFor` together: a clock may
 * be wrong.
 * @param begun when the query began
 * @param waitedFor the milliseconds that must pass in all
 */
export function withClearQuery(before: ClearQueries, begun: Moment, waitedFor: number): ClearQueries {
  const { queries, waited_ms, by_clocks_ms = 0, seen } = before;
  const own = seen.find(({ process }) => process === begun.process);
  const last = seen.at(-1);
  const gap = own || !last ? 0 : Date.parse(begun.at) - Date.parse(last.at);
  const byClocks = Math.round(Math.max(0, Math.min(gap, waitedFor / 3 - by_clocks_ms)));
  const measured = own ? own.waited_ms + begun.monotonic_ms - own.monotonic_ms : waited_ms + byClocks;
  const waited = Math.max(waited_ms, Math.round(measured));
  const others = seen.filter((one) => one !== own).slice(1 - MAX_SEEN);
  return {
    ...{ queries: queries + 1, waited_ms: waited, seen: [...others, { ...begun, waited_ms: waited }] },
    ...(by_clocks_ms + byClocks > 0 ? { by_clocks_ms: by_clocks_ms + byClocks } : {}),
  };
}

/** Whether enough queries, over a long enough time, showed nothing undecided. */
export function isAbsenceProved({ queries, waited_ms }: ClearQueries, absentMs: number): boolean {
  return queries >= MIN_QUERIES && waited_ms >= absentMs;
}
