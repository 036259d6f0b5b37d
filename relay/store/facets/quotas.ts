import type { Limited, Quota } from '../../payments/attempt.ts';

/** How often is tried within a time. */
export type QuotaStore = {
  /** The first of these quotas that is used up; nothing is counted. */
  check(quotas: readonly Quota[], at: string): Promise<Limited | undefined>;
  /** Counts an attempt that is no payment by some quotas, unless one of them is used up: then that one, and none is counted. */
  count(quotas: readonly Quota[], at: string): Promise<Limited | undefined>;
  /** Gives an attempt back that was counted at this moment. */
  uncount(quotas: readonly Quota[], at: string): Promise<void>;
};
