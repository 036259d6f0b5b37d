const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** How many days figures can be about. */
export const spans = [1, 7, 30, 90] as const;
export type Days = (typeof spans)[number];

/** The days that an address asks for. */
export function daysIn(filter: URLSearchParams): Days {
  return spans.find((days) => String(days) === filter.get('days')) ?? 7;
}

/** What is asked of the relay: the span, the one before it, and what of that one has no counterpart in this one yet. */
type Questions = { now: URLSearchParams; before: URLSearchParams; tooMuch: URLSearchParams | undefined };

/**
 * The questions about the days until a moment, this one included: by hour for a day, otherwise by day. A day that is not over
 * would look poor beside the whole one before: `tooMuch` are the hours of that one that this one still has to come.
 */
export function questions(days: Days, currency: string | null, at: number): Questions {
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

/** The times that orders lie between which were made in a period. */
export function ordersIn(start: string, by: 'hour' | 'day'): { created_from: string; created_to: string } {
  const end = Date.parse(start) + (by === 'hour' ? HOUR_MS : DAY_MS);
  return { created_from: start, created_to: new Date(end).toISOString() };
}

/** How much more something is than before, as a share of that; undefined where that was nothing, or nothing to compare with. */
export function growth(now: number, before: number): number | undefined {
  return before > 0 && now / before < 11 ? now / before - 1 : undefined;
}
