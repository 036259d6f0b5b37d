/** The kinds of rows that are deleted when they are old and ended. `counted` are the attempts that limits count. */
export const retainedKinds = [
  ...(['sessions', 'operations', 'webhooks', 'notifications', 'audit', 'notes', 'approvals'] as const),
  ...(['reconciliations', 'requests', 'keys', 'counted'] as const),
] as const;
export type RetainedKind = (typeof retainedKinds)[number];

/**
 * The place that a walk through the rows of a kind has reached: the time of a row, and its key. Walks go from the
 * oldest row on.
 */
export type Place = readonly string[];

/**
 * A step that reads at most the next `limit` rows of a kind that are older than `before` (ISO 8601) and come after a place; without a
 * place, from the oldest on.
 */
export type PurgeStep = { kind: RetainedKind; before: string; limit: number; after?: Place };

/** The result of a step: the last place, and how many milliseconds it kept the store busy. `isMore`: older rows may follow. */
export type Purged = { isMore: boolean; last?: Place; ms: number };

/**
 * The maximum duration of a step in milliseconds, and the pause after it as a multiple of its duration. SQLite runs on the thread
 * of payments, PostgreSQL does not.
 */
export type Pace = { stepMs: number; restFactor: number };

/** Deletes old rows. */
export type RetentionStore = {
  readonly pace: Pace;
  /**
   * Deletes the old, ended rows of one step. Undecided rows stay, and the next walk from the oldest on reads them again. Several
   * relays may do it at once.
   *
   * - `sessions`: with their attempts, their orders and the entries in the list. The fact that an order was paid is never deleted.
   * - `operations`: with their refunds. The refunded sum of each payment stays, with its captures, cancellations and reviews; so do the
   *   request_ids of payouts and the references of items.
   * - `keys`: those whose operation or payment is unknown stay.
   */
  purge(step: PurgeStep): Promise<Purged>;
  /**
   * The time (ISO 8601) at which the oldest row of each kind should have been deleted, for kinds with such a row among the first rows
   * after a place that are older than `before`. Does not wait for the disk. Rows of `counted` are not sorted by time.
   */
  overdue(walks: readonly Omit<PurgeStep, 'limit'>[]): Promise<ReadonlyMap<RetainedKind, string>>;
};
