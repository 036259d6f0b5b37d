import { z } from 'zod';
import type { Reconciliation } from '../../../shared/api/reconciliation.ts';
import type { StatsSearch, StoredStats } from '../stats/search.ts';

const count = z.coerce.number();
const since = z.string().optional();

/** Figures for the operator, from all relays on the store together. Times are ISO 8601 in UTC. */
export const storedFigures = z.object({
  /** Sessions whose outcome is unknown, and since when the oldest is unknown. */
  unknown_sessions: count,
  unknown_since: since,
  /** Sessions that wait for a person. */
  needs_attention: count,
  /** The longest overdue query about an order of these accounts. */
  query_due_since: since,
  /** Undecided operations, without payouts that the gateway still processes. */
  unknown_operations: count,
  unknown_operations_since: since,
  /** Webhooks to deliver, and since when the oldest waits; webhooks that were given up. */
  pending_events: count,
  pending_since: since,
  failed_events: count,
});
export type Figures = z.infer<typeof storedFigures>;

/** The numbers of an account's orders that still need queries, and of its undecided operations. */
export type OpenOfAccount = { account: string; orders: number; operations: number };

/** Statistics of an account, figures for the operator, and the last reconciliation of each account. */
export type StatsStore = {
  /**
   * The current counts and sums of an account's payments and refunds by hour or day. Hours without a tally are counted,
   * which may take many seconds. Payments continue meanwhile; only a store in memory counts on the thread of payments.
   */
  get(search: StatsSearch): Promise<StoredStats>;
  /**
   * Takes one step that brings the tallies of `get` up to date, for hours that have ended at `now` (ISO 8601). True if another step may
   * be left.
   */
  refresh(now: string): Promise<boolean>;
  /** `accounts` are the configured ones: the orders of others are not queried. */
  figures(now: string, accounts: readonly string[]): Promise<Figures>;
  /** The undecided orders and operations of other accounts than these, for accounts that have any. */
  openBeside(accounts: readonly string[]): Promise<OpenOfAccount[]>;
  /** Stores the result of an account's last reconciliation in place of the one before. */
  putReconciliation(account: string, report: Reconciliation): Promise<void>;
  lastReconciliation(account: string): Promise<Reconciliation | undefined>;
};
