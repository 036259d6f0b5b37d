import type { Limited, Quota } from '../../payments/attempt.ts';
import type { StoredOrder } from '../../payments/order.ts';
import type { Lease } from '../leases.ts';
import type { Answered, Claim } from './keys.ts';
import type { NewEvent } from './outbox.ts';
import type { StoredAuditEntry } from './people.ts';

/** One order: an account and its order_no. */
export type OrderKey = { account: string; order_no: string };

/**
 * A change of an order, its sessions and its attempts, with its webhooks. `before` is the order as it was read. `quotas` count an
 * attempt that starts; `uncounted` takes back the count of an attempt that was not sent. `lead` links an idempotency key to the
 * session `subject`.
 */
export type OrderWrite = {
  before: StoredOrder;
  after: StoredOrder;
  events: readonly NewEvent[];
  quotas?: { counted: readonly Quota[]; at: string };
  uncounted?: { quotas: readonly Quota[]; at: string };
  lead?: { key: Claim; subject: string };
  answered?: Answered | undefined;
  /** The requester, if it was an API key. */
  audit?: StoredAuditEntry;
  /** The query about the order has ended, and the next may begin: the moment of this write (ISO 8601). */
  release?: string;
};

/** A person reported a payment of the order, but the transaction_id is another spelling of the `known` one. */
export type SpellingKnown = { kind: 'other_form'; known: string };

/** One transaction pays one order: this one paid the order `order_no` before. */
export type TransactionKnown = { kind: 'transaction_known'; transaction_id: string; order_no: string };

/**
 * `changed`: another request or relay wrote the order meanwhile. Only `written` wrote something. A payment by a transaction that
 * paid another order is written only if the payment names that order (`also_paid`).
 */
export type OrderWritten =
  | { kind: 'written' }
  | { kind: 'changed' }
  | { kind: 'key_lost' }
  | TransactionKnown
  | SpellingKnown
  | Limited;

/** `until` (ISO 8601): the end of another relay's lease or, if that is past, the beginning of the last query. */
export type OrderLeased = { kind: 'leased' } | { kind: 'wait'; until: string };

/** Orders, each with its sessions and attempts: reads, changes, and leases for queries. */
export type OrderStore = {
  /** An order with all its sessions and attempts; an empty order if nothing is known of it. */
  get(account: string, orderNo: string): Promise<StoredOrder>;
  /** These orders of an account, each as from `get`. It is for readers of many orders that no other request reads soon. */
  getMany(account: string, orderNos: readonly string[]): Promise<StoredOrder[]>;
  /** The order of a session, in one read. */
  ofSession(sessionId: string): Promise<StoredOrder | undefined>;
  /** Writes a change of an order, unless it was written since it was read. An order without a row is at version 0. */
  write(write: OrderWrite): Promise<OrderWritten>;
  /** Leases an order for a query now, unless another relay queries it, or did after `quietSince`. */
  lease(order: OrderKey, lease: Lease, quietSince: string): Promise<OrderLeased>;
  /**
   * Orders of these accounts whose next query is due and whose last query was before `quietSince`, the longest due first. A write
   * with `release`, or the lease's end, frees them.
   */
  leaseDue(lease: Lease, accounts: readonly string[], quietSince: string): Promise<OrderKey[]>;
  /** Extends the leases of orders to `until`. */
  renewLeases(orders: readonly OrderKey[], lease: Pick<Lease, 'now' | 'until'>): Promise<void>;
  /** Frees an order whose query changed nothing. The pause to the next query begins at `askedAt`. */
  release(order: OrderKey, askedAt: string): Promise<void>;
};
