import type { Session } from '../../payments/session.ts';
import type { Lease } from '../leases.ts';
import type { Answered } from './keys.ts';
import type { StoredAuditEntry } from './people.ts';

/** Why an order takes no payment now. */
export type OrderTaken = { kind: 'order_in_progress' | 'order_already_paid' };

export type Created = { kind: 'created' } | OrderTaken;

/** Checkout sessions by themselves. */
export type SessionStore = {
  /** Adds a session unless its order is held or paid. `answered` is kept with it. */
  create(session: Session, answered?: Answered): Promise<Created>;
  get(id: string): Promise<Session | undefined>;
  /**
   * Writes a session's terms and revision, if it still is at `session.version - 1`. False when it is not. `audit` tells who asked
   * for it.
   */
  change(session: Session, audit?: StoredAuditEntry): Promise<boolean>;
  /** Open sessions whose time is over. */
  leaseExpirable(lease: Lease): Promise<Session[]>;
};
