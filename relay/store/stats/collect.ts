import type { StatsPeriod } from '../../../shared/api/stats.ts';
import type { Attempt } from '../../payments/attempt.ts';
import { parsed } from '../rows.ts';
import type { StatsRange, StatsReads, StatsSearch, StatsSpan, StoredStats } from './search.ts';
import { countedPayment, createTally, type StoredTally, type Tally } from './tally.ts';

/** How many changed hours an answer takes into account; where there are more, it counts everything. */
const MAX_CHANGES = 100_000;

/** How often tallies are read that others change meanwhile, before everything is counted. */
const READS = 5;

/** What a store has of the time that is asked for: from tallies where they are right, else counted. Throws what its reads throw. */
export async function collect(reads: StatsReads, search: StatsSearch): Promise<StoredStats> {
  const { account, by, from, to, currency } = search;
  const total = createTally();
  const periods = new Map(startsBetween(from, to, by).map((start) => [start, createTally()]));
  const talliesOf = (at: string): Tally[] => {
    const own = periods.get(startOf(at, by));
    return own ? [total, own] : [];
  };
  const { kept, uncounted } = await readKept(reads, search);
  for (const { start, tally } of kept) {
    const stored = parsed<StoredTally>(tally);
    for (const one of talliesOf(start)) one.add(stored, currency);
  }
  const isWanted = (one: { currency: string }): boolean => currency === undefined || one.currency === currency;
  for (const range of uncounted) await countRange(reads, { ...range, account }, isWanted, (_, at) => talliesOf(at));
  return {
    total: total.figures(),
    periods: [...periods].map(([start, tally]) => ({ start, ...tally.figures() })),
  };
}

/** Counts what began in a time, each in the tallies of its account and moment. */
export async function countRange(
  reads: StatsReads,
  range: StatsRange,
  isWanted: (one: { currency: string }) => boolean,
  talliesOf: (account: string, at: string) => readonly Tally[],
): Promise<void> {
  for await (const page of reads.attempts(range)) {
    for (const { account, data } of page) {
      const attempt = parsed<Attempt>(data);
      const payment = isWanted(attempt) ? countedPayment(attempt) : undefined;
      if (payment) for (const tally of talliesOf(account, attempt.started_at)) tally.addPayment(payment);
    }
  }
  for await (const page of reads.refunds(range)) {
    for (const refund of page.filter(isWanted)) {
      for (const tally of talliesOf(refund.account, refund.created_at)) tally.addRefund(refund);
    }
  }
}

type Kept = { kept: { start: string; tally: string }[]; uncounted: { from: string; to: string }[] };

/** The tallies that are right, and the times that must be counted. */
async function readKept(reads: StatsReads, { account, by, from, to }: StatsSearch): Promise<Kept> {
  for (let read = 1; read <= READS; read++) {
    const span = await reads.span();
    const changes = await reads.changes({ account, from, to }, MAX_CHANGES);
    if (changes.length >= MAX_CHANGES) break;
    const { periods, hours } = plan(span, new Set(changes.map(({ hour }) => hour)), { by, from, to });
    const { version, tallies } = await reads.tallies([...periods.keys()], account);
    // Otherwise some of them were replaced after their changes were read.
    if (version !== span.version) continue;
    const kept = tallies.flatMap(({ period, tally }) => {
      const start = periods.get(period);
      return start === undefined ? [] : [{ start, tally }];
    });
    return { kept, uncounted: rangesOf(hours) };
  }
  return { kept: [], uncounted: [{ from, to }] };
}

/** Which tallies to take, by their names, with their starts; and which hours to count. */
function plan(
  { since, until }: StatsSpan,
  changed: ReadonlySet<string>,
  { by, from, to }: Pick<StatsSearch, 'by' | 'from' | 'to'>,
): { periods: Map<string, string>; hours: string[] } {
  const [periods, hours] = [new Map<string, string>(), [] as string[]];
  const changedDays = new Set([...changed].map((hour) => nameOf(hour, 'day')));
  for (const start of startsBetween(from, to, by)) {
    const isWhole = by === 'day' && since <= start && later(start, 1, 'day') <= until;
    if (isWhole && !changedDays.has(nameOf(start, 'day'))) {
      periods.set(nameOf(start, 'day'), start);
      continue;
    }
    for (const hour of startsBetween(start, later(start, 1, by), 'hour')) {
      const name = nameOf(hour, 'hour');
      if (since <= hour && hour < until && !changed.has(name)) periods.set(name, hour);
      else hours.push(hour);
    }
  }
  return { periods, hours };
}

/** The times of these hours, those that follow one another together. */
function rangesOf(hours: readonly string[]): { from: string; to: string }[] {
  const ranges: { from: string; to: string }[] = [];
  for (const from of hours) {
    const to = later(from, 1, 'hour');
    const last = ranges.at(-1);
    if (last?.to === from) last.to = to;
    else ranges.push({ from, to });
  }
  return ranges;
}

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
