const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The spans of the figures, in days. */
export const spans = [1, 7, 30, 90] as const;
export type Days = (typeof spans)[number];

/** The span in an address. */
export function daysIn(filter: URLSearchParams): Days {
  return spans.find((days) => String(days) === filter.get('days')) ?? 7;
}

/** The queries to the relay: the span, the previous one, and the hours of the previous one that have no counterpart yet. */
type Queries = { now: URLSearchParams; before: URLSearchParams; tooMuch: URLSearchParams | undefined };

/**
 * The queries about the days until a moment, its day included: by hour for one day, otherwise by day. `tooMuch` are the hours of
 * the previous span that are still to come in this one, so that a partial day is not compared with a full one.
 */
export function queriesOf(days: Days, currency: string | null, at: number): Queries {
  const by = days === 1 ? 'hour' : 'day';
  const length = days === 1 ? HOUR_MS : DAY_MS;
  const span = days * DAY_MS;
  const to = Math.ceil(at / length) * length;
  const ask = (period: string, from: number, until: number): URLSearchParams =>
    new URLSearchParams({
      by: period,
      from: new Date(from).toISOString(),
      to: new Date(until).toISOString(),
      ...(currency === null ? {} : { currency }),
    });
  const [from, reached] = [to - span, Math.ceil(at / HOUR_MS) * HOUR_MS - span];
  return {
    now: ask(by, from, to),
    before: ask(by, from - span, from),
    tooMuch: reached < from ? ask('hour', reached, from) : undefined,
  };
}

/** The start and end of a period, as times of orders. */
export function ordersIn(start: string, by: 'hour' | 'day'): { created_from: string; created_to: string } {
  const end = Date.parse(start) + (by === 'hour' ? HOUR_MS : DAY_MS);
  return { created_from: start, created_to: new Date(end).toISOString() };
}

/** The relative change since before; undefined if the earlier value is zero or missing. */
export function growth(now: number, before: number): number | undefined {
  return before > 0 && now / before < 11 ? now / before - 1 : undefined;
}
