import type { Session } from '../../payments/session.ts';
import type { Lease } from '../leases.ts';
import type { Answered } from './keys.ts';
import type { StoredAuditEntry } from './people.ts';

/** The reason why an order cannot be paid now. */
export type OrderTaken = { kind: 'order_in_progress' | 'order_already_paid' };

export type Created = { kind: 'created' } | OrderTaken;

/** Checkout sessions, without their attempts. */
export type SessionStore = {
  /** Adds a session unless its order is held or paid. `answered` is stored with it. */
  create(session: Session, answered?: Answered): Promise<Created>;
  get(id: string): Promise<Session | undefined>;
  /**
   * Writes a session's terms and revision, if it still has the version `session.version - 1`; otherwise returns false. `audit` names
   * the requester.
   */
  change(session: Session, audit?: StoredAuditEntry): Promise<boolean>;
  /** Open sessions that have expired. */
  leaseExpirable(lease: Lease): Promise<Session[]>;
};
