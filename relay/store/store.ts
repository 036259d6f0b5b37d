import type { Attempt, Session } from '../checkout/session.ts';

/**
 * Who holds an order (one account and order_no): nobody, an attempt whose outcome is open, or a payment that was
 * approved. At most one attempt holds an order, whatever session it belongs to.
 */
export type OrderHold = 'free' | 'held' | 'paid';

export type Created = 'created' | 'order_in_progress' | 'order_already_paid';
export type Started = 'started' | 'changed' | 'order_in_progress' | 'order_already_paid';

/**
 * The relay's durable state. Every method is one transaction: when its promise is fulfilled the change is on disk, when
 * it is rejected (with StoreError) nothing was written.
 */
export type Store = {
  /** Adds a session unless its order is held or paid. */
  createSession(session: Session): Promise<Created>;
  session(id: string): Promise<Session | undefined>;
  /** Every attempt ever made to pay an order, oldest first, of all its sessions. */
  attemptsOfOrder(account: string, orderNo: string): Promise<Attempt[]>;
  /** Adds an attempt, takes the order for it and moves the session on, if the session is still at `session.version - 1`. */
  startAttempt(session: Session, attempt: Attempt): Promise<Started>;
  /**
   * Writes what became of an attempt and its session, and who holds the order from now on, if the session still is at
   * `session.version - 1`. False when it is not; then nothing is written.
   */
  settle(session: Session, attempt: Attempt, hold: OrderHold | 'unchanged'): Promise<boolean>;
  /** Writes a session without an attempt's change, under the same rule. */
  update(session: Session): Promise<boolean>;
  /** Unknown and redirected sessions of these accounts whose next look is due, the longest due first. `now` is ISO 8601. */
  dueSessions(now: string, accounts: readonly string[], limit: number): Promise<Session[]>;
  /** Sessions in processing whose attempt started before `before`: the relay that made it died. */
  strandedSessions(before: string, limit: number): Promise<Session[]>;
  /** Open sessions whose time is over. */
  expirableSessions(now: string, limit: number): Promise<Session[]>;
  /** Throws StoreError when the store cannot be read and written. */
  check(): Promise<void>;
  close(): Promise<void>;
};
