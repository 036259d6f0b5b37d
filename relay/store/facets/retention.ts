/** The kinds of rows that are deleted once they are old and over. `counted` are the attempts that limits count. */
export const retainedKinds = [
  ...(['sessions', 'operations', 'webhooks', 'notifications', 'audit', 'notes', 'approvals'] as const),
  ...(['reconciliations', 'requests', 'keys', 'counted'] as const),
] as const;
export type RetainedKind = (typeof retainedKinds)[number];

/** Where a walk through the rows of a kind has come to, oldest first: the time of a row, and its key. */
export type Place = readonly string[];

/**
 * Looks at no more than the next `limit` rows of a kind that are older than `before` (ISO 8601) and come after a place; without one, from
 * the oldest on.
 */
export type PurgeStep = { kind: RetainedKind; before: string; limit: number; after?: Place };

/** What a step came to: the place to go on from, and for how many milliseconds it kept the store busy. `isMore`: older rows may follow. */
export type Purged = { isMore: boolean; last?: Place; ms: number };

/**
 * How many milliseconds a step may take, and how many times as long the pause after it is: SQLite works on the thread that takes payments,
 * PostgreSQL beside it.
 */
export type Pace = { stepMs: number; restFactor: number };

/** Deletion of what is old. */
export type RetentionStore = {
  readonly pace: Pace;
  /**
   * Deletes what is old and over in the rows of one step. What is unsettled stays, and is looked at again by the next walk from the oldest
   * on. Several relays may do it at once.
   *
   * - `sessions`: with their attempts, their orders and what lists these; kept for good is that an order was paid
   * - `operations`: with their refunds. How much of each payment was refunded stays, and its captures, cancellations and reviews; so do the
   *   request_ids of payouts and the references of items
   * - `keys`: those whose operation or payment is not known yet stay
   */
  purge(step: PurgeStep): Promise<Purged>;
  /**
   * Since when (ISO 8601) the oldest row of each kind should be gone, of the kinds that have one: among the first rows after a place that
   * are older than `before`. It waits for no disk. Rows of `counted` have no order in time.
   */
  overdue(walks: readonly Omit<PurgeStep, 'limit'>[]): Promise<ReadonlyMap<RetainedKind, string>>;
};
