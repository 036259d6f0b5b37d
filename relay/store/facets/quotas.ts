import type { Limited, Quota } from '../../payments/attempt.ts';

/** Counts of tries within a time. */
export type QuotaStore = {
  /** Returns the first of these quotas that is used up. Counts nothing. */
  check(quotas: readonly Quota[], at: string): Promise<Limited | undefined>;
  /** Counts a try that is not a payment. If one of the quotas is used up, returns that quota and counts nothing. */
  count(quotas: readonly Quota[], at: string): Promise<Limited | undefined>;
  /** Takes back the count of a try at this moment. */
  uncount(quotas: readonly Quota[], at: string): Promise<void>;
};
