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
