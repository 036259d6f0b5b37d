import type { PeriodFigures, StatsFigures, StatsPeriod } from '../../../shared/api/stats.ts';
import type { Counted } from './tally.ts';

/** The requested figures of an account: its periods from `from` to before `to`, both starts of periods. */
export type StatsSearch = { account: string; by: StatsPeriod; from: string; to: string; currency?: string };

/** The figures of each period, the oldest first, and of all periods together. */
export type StoredStats = { total: StatsFigures; periods: PeriodFigures[] };

/** The time from one moment to before another, of one account or of all. */
export type StatsRange = { account?: string; from: string; to: string };

/**
 * The hours with tallies: from `since` to before `until`, except changed hours (`StatsChange`). Every change of an hour
 * before `claimed` is recorded. Each field is the start of an hour, or empty for "since ever" or "never". `version`
 * increases with every change of the tallies.
 */
export type StatsSpan = { since: string; until: string; claimed: string; version: number };

/** The counts of this hour (`2027-03-31T10`) have changed since its tally was made. */
export type StatsChange = { seq: number; hour: string };

/** The tally of an hour (`2027-03-31T10`) or a day (`2027-03-31`), in JSON. A period with no counts has none. */
export type KeptTally = { account: string; period: string; tally: string };

/** The reads of a store for figures, each in a short transaction. */
export type StatsReads = {
  /** The attempts that began in the time, page by page: `data` is their JSON. */
  attempts(range: StatsRange): AsyncIterable<readonly { account: string; data: string }[]>;
  /**
   * The refunds that count and began in the time, by hour (`2027-03-31T10`): their number, and their sum in minor
   * units.
   */
  refunds(
    range: StatsRange,
  ): Promise<readonly { account: string; hour: string; currency: string; refunds: [count: number, amount: string] }[]>;
  /** The payments in the time, by hour: `gross` of all payments, `net` of the kept parts, `renewals` of renewals. */
  payments(range: StatsRange): Promise<readonly { account: string; hour: string; counted: Counted }[]>;
  /** An account's valid tallies of these periods, by period; null for a period with no counts. */
  rightTallies(account: string, periods: readonly string[]): Promise<ReadonlyMap<string, string | null>>;
  /** The tallies of these periods, valid or not. */
  tallies(periods: readonly string[]): Promise<readonly KeptTally[]>;
  /** The changes of hours before this one, those of the oldest hours first. */
  changes(before: string): Promise<readonly StatsChange[]>;
  /** A time before which no attempt, operation or payment began; undefined if there is none. */
  oldest(): Promise<string | undefined>;
};

/** A change of the tallies. If they no longer have the span's version, nothing is written. */
export type StatsStep = {
  span: StatsSpan;
  /** The periods whose tallies are replaced. */
  periods: readonly string[];
  tallies: readonly KeptTally[];
  /** The changes that the new tallies include. */
  counted: readonly number[];
};

/** The number of attempts on a page. */
export const PAGE = 2000;
