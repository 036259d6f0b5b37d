import type { PeriodFigures, StatsFigures, StatsPeriod } from '../../../shared/api/stats.ts';
import type { Counted } from './tally.ts';

/** What figures are asked for: an account's, of the periods from `from` to before `to`, each the start of a period. */
export type StatsSearch = { account: string; by: StatsPeriod; from: string; to: string; currency?: string };

/** The figures of each period, the oldest first, and of all together. */
export type StoredStats = { total: StatsFigures; periods: PeriodFigures[] };

/** From a moment to before another; of one account, or of all. */
export type StatsRange = { account?: string; from: string; to: string };

/**
 * Which hours have tallies: those from `since` to before `until`, but for those that changed (`StatsChange`). From before
 * `claimed` on, every change of what is counted is noted. Each is the start of an hour, or empty: since ever, or never. `version`
 * goes up with every change of the tallies.
 */
export type StatsSpan = { since: string; until: string; claimed: string; version: number };

/** What is counted in this hour (`2027-03-31T10`) changed since its tally was made. */
export type StatsChange = { seq: number; hour: string };

/** The tally of an hour (`2027-03-31T10`) or a day (`2027-03-31`), in JSON. There is none of a period in which nothing was counted. */
export type KeptTally = { account: string; period: string; tally: string };

/** What a store must be able to read for figures, each in a short transaction. */
export type StatsReads = {
  /** The attempts that began in the time, a page at a time: `data` is their JSON. */
  attempts(range: StatsRange): AsyncIterable<readonly { account: string; data: string }[]>;
  /** The refunds that count and began in the time, by the hour (`2027-03-31T10`): how many, and their sum in minor units. */
  refunds(
    range: StatsRange,
  ): Promise<readonly { account: string; hour: string; currency: string; refunds: [count: number, amount: string] }[]>;
  /** What was paid in the time, by the hour: `gross` of all payments, `net` of what is kept of them, `renewals` of the renewals. */
  payments(range: StatsRange): Promise<readonly { account: string; hour: string; counted: Counted }[]>;
  /** An account's tallies of those of these periods whose tallies are right, by period; null if nothing was counted. */
  rightTallies(account: string, periods: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
  /** The tallies of these periods, right or not. */
  tallies(periods: readonly string[]): Promise<readonly KeptTally[]>;
  /** Changes of the hours before this one, those of the oldest hours first. */
  changes(before: string): Promise<readonly StatsChange[]>;
  /** A time before which no attempt and no operation began, and nothing was paid; undefined if there is none. */
  oldest(): Promise<string | undefined>;
};

/** A change of the tallies: nothing of it is written if they no longer have the span's version. */
export type StatsStep = {
  span: StatsSpan;
  /** The periods whose tallies are replaced by these. */
  periods: readonly string[];
  tallies: readonly KeptTally[];
  /** The changes that these tallies have in them. */
  counted: readonly number[];
};

/** How many attempts a page has. */
export const PAGE = 2000;
