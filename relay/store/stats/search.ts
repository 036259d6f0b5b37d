import type { PeriodFigures, StatsFigures, StatsPeriod } from '../../../shared/api/stats.ts';

/** What figures are asked for: an account's, of the periods from `from` to before `to`, each the start of a period. */
export type StatsSearch = { account: string; by: StatsPeriod; from: string; to: string; currency?: string };

/** The figures of each period, the oldest first, and of all together. */
export type StoredStats = { total: StatsFigures; periods: PeriodFigures[] };

/** A refund that counts: when it began, and what it takes in minor units. */
export type CountedRefund = { account: string; created_at: string; currency: string; amount: bigint };

/** An attempt as it is stored: `data` is its JSON. */
type StoredAttempt = { account: string; data: string };

/** From a moment to before another; of one account, or of all. */
export type StatsRange = { account?: string; from: string; to: string };

/**
 * Which hours have tallies: those from `since` to before `until`, but for those that changed (`StatsChange`). From before
 * `claimed` on, every change of what is counted is noted. Each is the start of an hour, or empty: since ever, or never. `version`
 * goes up with every change of the tallies.
 */
export type StatsSpan = { since: string; until: string; claimed: string; version: number };

/** What is counted in this hour (`2027-03-31T10`) changed since its tally was made. */
export type StatsChange = { seq: number; account: string; hour: string };

/** The tally of an hour or a day, in JSON. There is none of a period in which nothing was counted. */
export type KeptTally = { account: string; period: string; tally: string };

/** What a store must be able to read for figures, a page at a time, so that no transaction lasts long. */
export type StatsReads = {
  /** The attempts that began in the time. */
  attempts(range: StatsRange): AsyncIterable<readonly StoredAttempt[]>;
  /** The refunds that began in the time. */
  refunds(range: StatsRange): AsyncIterable<readonly CountedRefund[]>;
  span(): Promise<StatsSpan>;
  /** At most `limit` changes in the time, those of the oldest hours first. */
  changes(range: StatsRange, limit: number): Promise<readonly StatsChange[]>;
  /** The tallies of these periods, of one account or of all, and the version that they were read at. */
  tallies(periods: readonly string[], account?: string): Promise<{ version: number; tallies: readonly KeptTally[] }>;
  /** When the first of all attempts and refunds began; undefined where there is none. */
  oldest(): Promise<string | undefined>;
};

/** A change of the tallies: nothing of it is written where they are no longer at `version`. */
export type StatsStep = {
  version: number;
  since: string;
  until: string;
  /** The periods whose tallies are replaced by these. */
  periods: readonly string[];
  tallies: readonly KeptTally[];
  /** The changes that these tallies have in them. */
  counted: readonly number[];
};

/** How many attempts, or operations, a page has. */
export const PAGE = 2000;
