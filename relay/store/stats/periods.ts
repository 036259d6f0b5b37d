import type { StatsPeriod } from '../../../shared/api/stats.ts';

/** The length of a period. */
export const PERIOD_MS: Record<StatsPeriod, number> = { hour: 3_600_000, day: 86_400_000 };

/** The start of the period, in UTC, that a moment as `toISOString` writes it is in. */
export function startOf(at: string, by: StatsPeriod): string {
  return by === 'hour' ? `${at.slice(0, 13)}:00:00.000Z` : `${at.slice(0, 10)}T00:00:00.000Z`;
}

/** The starts of all periods from one of them to before another. */
export function startsBetween(from: string, to: string, by: StatsPeriod): string[] {
  const [first, end] = [Date.parse(from), Date.parse(to)];
  const count = Math.max(0, Math.ceil((end - first) / PERIOD_MS[by]));
  return Array.from({ length: count }, (_, n) => new Date(first + n * PERIOD_MS[by]).toISOString());
}

/** A moment so many periods later. */
export function later(at: string, count: number, by: StatsPeriod): string {
  return new Date(Date.parse(at) + count * PERIOD_MS[by]).toISOString();
}

/** The name that a period's tally is kept under: `2027-03-31T10` of an hour, `2027-03-31` of a day. */
export function nameOf(start: string, by: StatsPeriod): string {
  return start.slice(0, by === 'hour' ? 13 : 10);
}

/** The start of the hour with this name. */
export function startOfName(hour: string): string {
  return `${hour}:00:00.000Z`;
}
