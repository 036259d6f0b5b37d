import { parsed } from '../row.ts';
import { type Add, countRange, hoursOf, nameOf, periodsLater, rangesOf, startOf, startsBetween } from './collect.ts';
import type { StatsChange, StatsReads, StatsSpan, StatsStep } from './search.ts';
import { type Counted, createTally, type Tally } from './tally.ts';

/** How many hours one step counts. */
const STEP_HOURS = 4;

/** An hour is tallied this long after its end, when nearly all of its payments have ended. */
const SETTLING_MS = 600_000;

/** How far `claimed` may be ahead. Only a wrong clock can set it further. */
const AHEAD_HOURS = 2;

/** The span under which changes of every hour that has ended at `now` (ISO 8601) are recorded. */
export function claimedAt(span: StatsSpan, now: string): StatsSpan {
  const target = startOf(new Date(Date.parse(now) - SETTLING_MS).toISOString(), 'hour');
  const isAhead = span.claimed > periodsLater(target, AHEAD_HOURS, 'hour');
  if (target <= span.claimed && !isAhead) return span;
  const [until, since] = span.claimed === '' ? [target, target] : [span.until, span.since];
  const end = earlier(until, target);
  return { ...span, claimed: target, until: end, since: earlier(since, end) };
}

/**
 * The next step that brings tallies up to date: first ended hours, then changed hours, then earlier hours, the latest
 * first. Undefined if no step is left. When it is called, every change of an hour before `claimed` must be recorded.
 */
export async function nextStep(reads: StatsReads, span: StatsSpan): Promise<StatsStep | undefined> {
  const { since, until, claimed } = span;
  // Changes are read before the hours: a change in between is recorded and counted in the next step.
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

/** Counts these hours, and the days that are complete with them. `span` is the span after the step. */
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
    // A period with no counts has no tally.
    tallies: stored.filter(({ tally }) => tally !== '{}'),
    counted: changes.flatMap(({ seq, hour }) => (names.has(hour) ? [seq] : [])),
  };
}

const earlier = (a: string, b: string): string => (a < b ? a : b);
