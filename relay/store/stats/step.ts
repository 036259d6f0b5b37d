import { parsed } from '../rows.ts';
import { type Add, countRange, hoursOf, nameOf, periodsLater, rangesOf, startOf, startsBetween } from './collect.ts';
import type { StatsChange, StatsReads, StatsSpan, StatsStep } from './search.ts';
import { type Counted, createTally, type Tally } from './tally.ts';

/** How many hours one step counts. */
const STEP_HOURS = 4;

/** So long after its end an hour is tallied: until then nearly every payment of it is over. */
const SETTLING_MS = 600_000;

/** How far `claimed` may be ahead: further only a clock can bring it that was wrong. */
const AHEAD_HOURS = 2;

/** The span with which changes of every hour that is over at `now` (ISO 8601) are noted. */
export function claimedAt(span: StatsSpan, now: string): StatsSpan {
  const target = startOf(new Date(Date.parse(now) - SETTLING_MS).toISOString(), 'hour');
  const isAhead = span.claimed > periodsLater(target, AHEAD_HOURS, 'hour');
  if (target <= span.claimed && !isAhead) return span;
  const [until, since] = span.claimed === '' ? [target, target] : [span.until, span.since];
  const end = earlier(until, target);
  return { ...span, claimed: target, until: end, since: earlier(since, end) };
}

/**
 * The next step that brings tallies up to date: hours that are over, hours that changed, and hours of before, the latest first.
 * Undefined if there is none to take. Every change of the hours before `claimed` must be noted when it is called.
 */
export async function nextStep(reads: StatsReads, span: StatsSpan): Promise<StatsStep | undefined> {
  const { since, until, claimed } = span;
  // Changes are read before what they are of: one that comes in between is noted, and counted again.
  const changes = await reads.changes(nameOf(claimed, 'hour'));
  const count = (hours: readonly string[], next: StatsSpan): Promise<StatsStep> =>
    countHours(reads, { hours, changes, span: next });
  if (until < claimed) {
    const end = earlier(periodsLater(until, STEP_HOURS, 'hour'), claimed);
    return count(startsBetween(until, end, 'hour'), { ...span, until: end });
  }
  const changed = [...new Set(changes.map(({ hour }) => startOf(hour, 'hour')))].filter((hour) => hour >= since);
  if (changed.length > 0) return count(changed.slice(0, STEP_HOURS), span);
  if (since === '') return undefined;
  const oldest = await reads.oldest();
  const first = oldest === undefined ? since : startOf(oldest, 'day');
  const from = periodsLater(since, -STEP_HOURS, 'hour');
  return first < from
    ? count(startsBetween(from, since, 'hour'), { ...span, since: from })
    : count(startsBetween(first, since, 'hour'), { ...span, since: '' });
}

/** Counts these hours, and the days that are whole with them. `span` is what has tallies then. */
async function countHours(
  reads: StatsReads,
  { hours, changes, span }: { hours: readonly string[]; changes: readonly StatsChange[]; span: StatsSpan },
): Promise<StatsStep> {
  const isWhole = (day: string): boolean => span.since <= day && periodsLater(day, 1, 'day') <= span.until;
  const days = [...new Set(hours.map((hour) => startOf(hour, 'day')))].filter(isWhole);
  const names = new Set(hours.map((hour) => nameOf(hour, 'hour')));
  const periods = new Set([...names, ...days.map((day) => nameOf(day, 'day'))]);
  const tallies = new Map<string, { account: string; period: string; tally: Tally }>();
  const add: Add = (account, at, counted) => {
    for (const period of [nameOf(at, 'hour'), nameOf(at, 'day')].filter((name) => periods.has(name))) {
      const known = tallies.get(`${period} ${account}`) ?? { account, period, tally: createTally() };
      tallies.set(`${period} ${account}`, known);
      known.tally.add(counted);
    }
  };
  for (const range of rangesOf(hours)) await countRange(reads, range, add);
  const others = days.flatMap(hoursOf).map((hour) => nameOf(hour, 'hour'));
  for (const { account, period, tally } of await reads.tallies(others.filter((name) => !names.has(name)))) {
    add(account, period, parsed<Counted>(tally));
  }
  const stored = [...tallies.values()].map(({ tally, ...of }) => ({ ...of, tally: JSON.stringify(tally.stored()) }));
  return {
    span,
    periods: [...periods],
    // A period in which nothing was counted has no tally.
    tallies: stored.filter(({ tally }) => tally !== '{}'),
    counted: changes.flatMap(({ seq, hour }) => (names.has(hour) ? [seq] : [])),
  };
}

const earlier = (a: string, b: string): string => (a < b ? a : b);
