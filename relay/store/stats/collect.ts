import type { StatsPeriod } from '../../../shared/api/stats.ts';
import type { Attempt } from '../../payments/attempt.ts';
import { parsed } from '../row.ts';
import type { StatsRange, StatsReads, StatsSearch, StoredStats } from './search.ts';
import { type Counted, countedOf, createTally } from './tally.ts';

/** The stored figures of the requested time: from valid tallies, otherwise counted. Throws the errors of its reads. */
export async function collect(
  reads: StatsReads,
  { account, by, from, to, currency }: StatsSearch,
): Promise<StoredStats> {
  const total = createTally();
  const periods = new Map(startsBetween(from, to, by).map((start) => [start, createTally()]));
  const add: Add = (_, at, counted) => {
    total.add(counted, currency);
    periods.get(startOf(at, by))?.add(counted, currency);
  };
  /** Adds the valid tallies, and returns the starts of the other periods. */
  const addTallies = async (starts: readonly string[], by: StatsPeriod): Promise<string[]> => {
    const right = await reads.rightTallies(
      account,
      starts.map((start) => nameOf(start, by)),
    );
    for (const start of starts) {
      const tally = right.get(nameOf(start, by));
      if (tally) add(account, start, parsed<Counted>(tally));
    }
    return starts.filter((start) => !right.has(nameOf(start, by)));
  };
  const starts = [...periods.keys()];
  const hours = by === 'hour' ? starts : (await addTallies(starts, 'day')).flatMap(hoursOf);
  for (const range of rangesOf(await addTallies(hours, 'hour'))) await countRange(reads, { ...range, account }, add);
  return {
    total: total.figures(),
    periods: [...periods].map(([start, tally]) => ({ start, ...tally.figures() })),
  };
}

/** Adds the counts of an account, at a moment or in the hour of this name. */
export type Add = (account: string, at: string, counted: Counted) => void;

/** Counts the attempts, refunds and payments of a time. */
export async function countRange(reads: StatsReads, range: StatsRange, add: Add): Promise<void> {
  for await (const page of reads.attempts(range)) {
    for (const { account, data } of page) {
      const attempt = parsed<Attempt>(data);
      add(account, attempt.started_at, countedOf(attempt));
    }
  }
  for (const { account, hour, currency, refunds } of await reads.refunds(range)) {
    add(account, hour, { [currency]: { refunds } });
  }
  for (const { account, hour, counted } of await reads.payments(range)) add(account, hour, counted);
}

/** The times of these hours; consecutive hours of one day form one time. */
export function rangesOf(hours: readonly string[]): { from: string; to: string }[] {
  const ranges: { from: string; to: string }[] = [];
  for (const from of hours) {
    const to = periodsLater(from, 1, 'hour');
    const last = ranges.at(-1);
    if (last?.to === from && startOf(from, 'day') !== from) last.to = to;
    else ranges.push({ from, to });
  }
  return ranges;
}

/** The length of a period. */
export const PERIOD_MS: Record<StatsPeriod, number> = { hour: 3_600_000, day: 86_400_000 };

/** The start, in UTC, of the period that contains a moment in the form of `toISOString`, or of the hour with a name. */
export function startOf(at: string, by: StatsPeriod): string {
  return by === 'hour' ? `${at.slice(0, 13)}:00:00.000Z` : `${at.slice(0, 10)}T00:00:00.000Z`;
}

/** The starts of all periods from one of them to before another. */
export function startsBetween(from: string, to: string, by: StatsPeriod): string[] {
  const [first, end] = [Date.parse(from), Date.parse(to)];
  const count = Math.max(0, Math.ceil((end - first) / PERIOD_MS[by]));
  return Array.from({ length: count }, (_, n) => new Date(first + n * PERIOD_MS[by]).toISOString());
}

/** The starts of the hours of a day. */
export function hoursOf(day: string): string[] {
  return startsBetween(day, periodsLater(day, 1, 'day'), 'hour');
}

/** The moment this many periods later. */
export function periodsLater(at: string, count: number, by: StatsPeriod): string {
  return new Date(Date.parse(at) + count * PERIOD_MS[by]).toISOString();
}

/** The name of a period's tally: `2027-03-31T10` for an hour, `2027-03-31` for a day. */
export function nameOf(at: string, by: StatsPeriod): string {
  return at.slice(0, by === 'hour' ? 13 : 10);
}
