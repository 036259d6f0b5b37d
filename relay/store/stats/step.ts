import { parsed } from '../rows.ts';
import { countRange, later, nameOf, startOf, startOfName, startsBetween } from './collect.ts';
import type { KeptTally, StatsChange, StatsReads, StatsSpan, StatsStep } from './search.ts';
import { createTally, type StoredTally, type Tally } from './tally.ts';

/** How many hours one step counts, and how many of their changes it takes into account. */
const STEP_HOURS = 4;
const STEP_CHANGES = 5000;

/** So long after its end an hour is tallied: until then nearly every payment of it is over. */
const SETTLING_MS = 600_000;

/** How far `claimed` may be ahead: further only a clock can bring it that was wrong. */
const AHEAD_HOURS = 2;

/** The hour before which everything may be tallied now. */
export function tallyUntil(now: string): string {
  return startOf(new Date(Date.parse(now) - SETTLING_MS).toISOString(), 'hour');
}

/** The span with which changes of everything before `target` are noted; undefined where it is as it is. */
export function claimed(span: StatsSpan, target: string): StatsSpan | undefined {
  const isAhead = span.claimed > later(target, AHEAD_HOURS, 'hour');
  if (target <= span.claimed && !isAhead) return undefined;
  const [until, since] = span.claimed === '' ? [target, target] : [span.until, span.since];
  const end = until < target ? until : target;
  return { version: span.version + 1, claimed: target, until: end, since: since < end ? since : end };
}

/**
 * The next step that brings tallies up to date: hours that are over, hours that changed, and hours of before, the latest first.
 * Undefined where there is none to take. Every change of the hours before `claimed` must be noted when it is called.
 */
export async function nextStep(reads: StatsReads, span: StatsSpan): Promise<StatsStep | undefined> {
  const { since, until } = span;
  if (until < span.claimed) {
    const end = later(until, STEP_HOURS, 'hour');
    const to = end < span.claimed ? end : span.claimed;
    return countHours(reads, { ...span, until: to }, startsBetween(until, to, 'hour'));
  }
  const changes = await reads.changes({ from: since, to: until }, STEP_CHANGES);
  if (changes.length > 0) {
    const hours = [...new Set(changes.map(({ hour }) => startOfName(hour)))].slice(0, STEP_HOURS);
    return countHours(reads, span, hours, changes);
  }
  if (since === '') return undefined;
  const oldest = await reads.oldest();
  // Not within a day: the tally of the whole day is still to be made.
  if (oldest === undefined || startOf(oldest, 'day') >= since) return lastStep(span);
  const from = [later(since, -STEP_HOURS, 'hour'), startOf(later(since, -1, 'hour'), 'day')].toSorted().at(-1) ?? since;
  return countHours(reads, { ...span, since: from }, startsBetween(from, since, 'hour'));
}

/** The step that is left where nothing is older than what has tallies. */
export function lastStep(span: StatsSpan): StatsStep {
  return { ...emptyStep(span), since: '' };
}

function emptyStep({ version, since, until }: StatsSpan): StatsStep {
  return { version, since, until, periods: [], tallies: [], counted: [] };
}

/** Counts these hours, and the days that are whole with them. `span` is what has tallies then. */
async function countHours(
  reads: StatsReads,
  span: StatsSpan,
  hours: readonly string[],
  known?: readonly StatsChange[],
): Promise<StatsStep> {
  // Changes are read before what they are of: one that comes in between is noted, and counted again.
  const names = new Set(hours.map((hour) => nameOf(hour, 'hour')));
  const changes = known ?? (await changesOf(reads, hours));
  const counted = changes.filter(({ hour }) => names.has(hour)).map(({ seq }) => seq);
  const tallies = createTallies();
  for (const from of hours) {
    const range = { from, to: later(from, 1, 'hour') };
    const name = nameOf(from, 'hour');
    await countRange(
      reads,
      range,
      () => true,
      (account) => [tallies.of(account, name)],
    );
  }
  const isWhole = (day: string): boolean => span.since <= day && later(day, 1, 'day') <= span.until;
  const days = [...new Set(hours.map((hour) => startOf(hour, 'day')))].filter(isWhole);
  const others = days.flatMap((day) =>
    startsBetween(day, later(day, 1, 'day'), 'hour').map((hour) => nameOf(hour, 'hour')),
  );
  const before = await reads.tallies(others.filter((name) => !names.has(name)));
  const wholeDays = new Set(days.map((day) => nameOf(day, 'day')));
  const all = [...tallies.stored(), ...before.tallies];
  const ofDays = createTallies();
  for (const { account, period, tally } of all) {
    const day = nameOf(period, 'day');
    if (wholeDays.has(day)) ofDays.of(account, day).add(parsed<StoredTally>(tally));
  }
  return {
    ...emptyStep(span),
    periods: [...names, ...wholeDays],
    tallies: [...tallies.stored(), ...ofDays.stored()],
    counted,
  };
}

async function changesOf(reads: StatsReads, hours: readonly string[]): Promise<readonly StatsChange[]> {
  const [from, last] = [hours[0], hours.at(-1)];
  if (from === undefined || last === undefined) return [];
  return reads.changes({ from, to: later(last, 1, 'hour') }, STEP_CHANGES);
}

/** Tallies by account and period. */
function createTallies(): { of(account: string, period: string): Tally; stored(): KeptTally[] } {
  const tallies = new Map<string, { account: string; period: string; tally: Tally }>();
  return {
    of(account, period) {
      const name = `${period} ${account}`;
      const known = tallies.get(name);
      if (known) return known.tally;
      const tally = createTally();
      tallies.set(name, { account, period, tally });
      return tally;
    },
    stored: () =>
      [...tallies.values()].flatMap(({ account, period, tally }) => {
        const stored = tally.stored();
        return stored ? [{ account, period, tally: JSON.stringify(stored) }] : [];
      }),
  };
}
