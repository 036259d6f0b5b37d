import type { PeriodFigures, StatsFigures, StatsPeriod } from '../../../shared/api/stats.ts';

/** What figures are asked for: an account's, of the periods from `from` to before `to`, each the start of a period. */
export type StatsSearch = { account: string; by: StatsPeriod; from: string; to: string; currency?: string };

/** The figures of each period, the oldest first, and of all together. */
export type StoredStats = { total: StatsFigures; periods: PeriodFigures[] };

/** A refund that counts: when it began, and what it takes in minor units. */
export type CountedRefund = { created_at: string; currency: string; amount: bigint };

/** What a store must be able to read for figures, a page at a time, so that no transaction lasts long. */
export type StatsReads = {
  /** The attempts that began in the time, each as the JSON that is stored. */
  attempts(search: StatsSearch): AsyncIterable<readonly string[]>;
  /** The refunds that began in the time. */
  refunds(search: StatsSearch): AsyncIterable<readonly CountedRefund[]>;
};

/** How many attempts, or operations, a page has. */
export const PAGE = 2000;
