import { z } from 'zod';
import type { Reconciliation } from '../../../shared/api/reconciliation.ts';
import type { StatsSearch, StoredStats } from '../stats/search.ts';

const count = z.coerce.number();
const since = z.string().optional();

/** Figures for the operator, from all relays on the store together. Times are ISO 8601 in UTC. */
export const storedFigures = z.object({
  /** Sessions whose outcome is not known, and since when the oldest is so. */
  unknown_sessions: count,
  unknown_since: since,
  /** Sessions that wait for a person. */
  needs_attention: count,
  /** The longest overdue query about an order of the accounts asked for. */
  query_due_since: since,
  /** Operations of which something is not known; payouts on their way are not among them. */
  unknown_operations: count,
  unknown_operations_since: since,
  /** Webhooks to deliver, and since when the oldest waits; webhooks that were given up. */
  pending_events: count,
  pending_since: since,
  failed_events: count,
});
export type Figures = z.infer<typeof storedFigures>;

/** How many orders of an account are still to be asked about, and of how many operations something is not known. */
export type OpenOfAccount = { account: string; orders: number; operations: number };

/** What is counted: statistics of an account, figures for the operator, and the last reconciliation of each account. */
export type StatsStore = {
  /**
   * Counts and sums of an account's payments and refunds by hour or day, as they are now. What has no tally is counted, which may
   * take many seconds, in which payments go on: only a store in memory counts on the thread that takes payments.
   */
  get(search: StatsSearch): Promise<StoredStats>;
  /**
   * Takes one step that brings the tallies of `get` up to date, those of hours that are over at `now` (ISO 8601). True when
   * there may be another one to take.
   */
  refresh(now: string): Promise<boolean>;
  /** `accounts` are those that are configured: the orders of others are not queried. */
  figures(now: string, accounts: readonly string[]): Promise<Figures>;
  /** What is open of each other account than these, where anything is. */
  openBeside(accounts: readonly string[]): Promise<OpenOfAccount[]>;
  /** Keeps what an account's last reconciliation came to, in place of the one before. */
  putReconciliation(account: string, report: Reconciliation): Promise<void>;
  lastReconciliation(account: string): Promise<Reconciliation | undefined>;
};
