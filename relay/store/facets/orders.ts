import type { Limited, Quota } from '../../payments/attempt.ts';
import type { StoredOrder } from '../../payments/order.ts';
import type { Lease } from '../leases.ts';
import type { Answered, Claim } from './keys.ts';
import type { NewEvent } from './outbox.ts';
import type { StoredAuditEntry } from './people.ts';

/** One order: an account and its order_no. */
export type OrderKey = { account: string; order_no: string };

/**
 * A change of an order: of what is known of it, its sessions and its attempts, with the webhooks that tell of it. `before` is the
 * order as it was read. `quotas` count an attempt that starts; `uncounted` takes back the count of an attempt that was not sent. `lead`
 * makes an idempotency key lead to the session `subject`.
 */
export type OrderWrite = {
  before: StoredOrder;
  after: StoredOrder;
  events: readonly NewEvent[];
  quotas?: { counted: readonly Quota[]; at: string };
  uncounted?: { quotas: readonly Quota[]; at: string };
  lead?: { key: Claim; subject: string };
  answered?: Answered | undefined;
  /** Who asked for this, where an API key did. */
  audit?: StoredAuditEntry;
  /** The order was asked about, and may be again: the moment of this write (ISO 8601). */
  release?: string;
};

/** A person said that a transaction paid the order, but the transaction_id is another spelling of the `known` one. */
export type SpellingKnown = { kind: 'other_form'; known: string };

/** One transaction pays one order: this one paid the order `order_no` before. */
export type TransactionKnown = { kind: 'transaction_known'; transaction_id: string; order_no: string };

/**
 * `changed`: another request or relay wrote the order meanwhile. Nothing was written unless it is `written`. A payment by a
 * transaction that paid another order is written only where it says so (`also_paid`).
 */
export type OrderWritten =
  | { kind: 'written' }
  | { kind: 'changed' }
  | { kind: 'key_lost' }
  | TransactionKnown
  | SpellingKnown
  | Limited;

/** `until` (ISO 8601): when the lease of another relay ends, or, where that is past, when the last query began. */
export type OrderLeased = { kind: 'leased' } | { kind: 'wait'; until: string };

/** Orders, each with its sessions and attempts: reads, changes, and which relay asks the gateway about one. */
export type OrderStore = {
  /** Everything that is known of an order, with all its sessions and attempts; an empty one where nothing is. */
  get(account: string, orderNo: string): Promise<StoredOrder>;
  /** These orders of an account, each as `get` gives it, for a reader of many orders that have no other reader. */
  getMany(account: string, orderNos: readonly string[]): Promise<StoredOrder[]>;
  /** The order of a session, in one read. */
  ofSession(sessionId: string): Promise<StoredOrder | undefined>;
  /** Writes a change of an order, unless it was written since it was read. An order without a row is at version 0. */
  write(write: OrderWrite): Promise<OrderWritten>;
  /** Takes one order to ask about it now, unless another relay does, or did after `quietSince`. */
  lease(order: OrderKey, lease: Lease, quietSince: string): Promise<OrderLeased>;
  /**
   * Orders of these accounts whose next query is due and that were asked about last before `quietSince`, the longest due
   * first. A write with `release`, or the lease's end, frees them.
   */
  leaseDue(lease: Lease, accounts: readonly string[], quietSince: string): Promise<OrderKey[]>;
  /** Lets the leases of orders last until `until`. */
  renewLeases(orders: readonly OrderKey[], lease: Pick<Lease, 'now' | 'until'>): Promise<void>;
  /** Frees an order whose query brought nothing to write. The pause to the next query counts from `askedAt`. */
  release(order: OrderKey, askedAt: string): Promise<void>;
};
