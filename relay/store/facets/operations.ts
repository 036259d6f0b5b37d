import type { Refusal, Reservation } from '../../payments/ledger/accounting.ts';
import type { PaymentOperation } from '../../payments/ledger/payment-operation.ts';
import type { StoredApproval } from '../../payments/operations/approval.ts';
import type { StoredOperation } from '../../payments/operations/operation.ts';
import type { OtherForm } from '../../payments/operations/transaction-form.ts';
import type { Lease } from '../leases.ts';
import type { Answered, Claim } from './keys.ts';
import type { OperationSearch } from './listing.ts';
import type { OrderKey } from './orders.ts';
import type { NewEvent } from './outbox.ts';
import type { StoredAuditEntry } from './people.ts';

export type Begun =
  | { kind: 'begun' }
  /** `id` is the payout that has it; undefined if the payout is no longer stored. */
  | { kind: 'request_id_used'; id?: string }
  /** `id` is the operation that has the reference of item number `item`, stored or deleted. */
  | { kind: 'reference_used'; item: number; id: string }
  | Refusal
  | ({ kind: 'other_form' } & OtherForm)
  /** The approval was decided, or began another operation, since it was read. */
  | { kind: 'approval_changed' }
  /** The request took so long that another request took over its key. */
  | { kind: 'key_lost' };

/** An order as it was read. `due`: the gateway is queried about it from this moment on (ISO 8601). */
export type OrderAsRead = OrderKey & { version: number; due?: string };

/** The end of an operation, or of the search for its end. */
export type Finish = {
  operation: StoredOperation;
  /** The orders whose payments it changed. Their version grows. If one was written since, nothing is written. */
  orders?: readonly OrderAsRead[];
  /** Whether each of its refunds still counts as refunded. If absent, nothing changes. */
  counted?: readonly boolean[];
  answered?: Answered | undefined;
  events: readonly NewEvent[];
  /** The person or API key that did this; undefined if the relay did. */
  audit?: StoredAuditEntry;
};

/** A search for undecided operations, and the number up to which they are counted. */
type OpenOperations = { account: string; waitsFor: 'person' | 'gateway'; limit: number; max: number };

/** Operations, and the refunded sums of payments. */
export type OperationStore = {
  /**
   * Adds an operation and links `key` to it, if its payments permit its items (`refusalOf`), each transaction_id has its known
   * spelling, and its references are new. `audit` names the requester. If `approval` is given, it is approved in the same
   * transaction, and must still have the version `approval.version - 1`.
   */
  begin(
    operation: StoredOperation,
    items: readonly Reservation[],
    key?: Claim,
    audit?: StoredAuditEntry,
    approval?: StoredApproval,
  ): Promise<Begun>;
  /**
   * Writes the outcome of an operation if its version and those of its orders are the ones that were read. If nothing was done, its
   * references are free again; its request_id only if nothing was sent.
   */
  finish(finish: Finish): Promise<boolean>;
  get(id: string): Promise<StoredOperation | undefined>;
  /** Those of these operations that are stored. */
  getMany(ids: readonly string[]): Promise<StoredOperation[]>;
  /** A page of an account's operations, the newest first. */
  list(search: OperationSearch): Promise<StoredOperation[]>;
  /**
   * Undecided operations of an account, the oldest first: those that only a person can settle, or those about which the gateway is
   * queried. Returns `limit` of them, and their number, up to `max`.
   */
  listOpen(search: OpenOperations): Promise<{ count: number; operations: StoredOperation[] }>;
  /** Operations of these accounts whose next search (`nextSearchAt`) is due. Any change of an operation ends its lease. */
  leaseDue(lease: Lease, accounts: readonly string[]): Promise<StoredOperation[]>;
  /** Operations in flight that began before `before`: the relay that sent them crashed. */
  leaseOrphaned(lease: Lease, before: string): Promise<StoredOperation[]>;
  /** Extends the leases of operations to `until`. */
  renewLeases(ids: readonly string[], lease: Pick<Lease, 'now' | 'until'>): Promise<void>;
  /** The other operations of an account that have a refund of one of these payments, the oldest first. */
  refundsOf(account: string, transactionIds: readonly string[]): Promise<StoredOperation[]>;
  /** The order_nos of the known orders that these transactions paid. One may be listed twice. */
  ordersPaidBy(account: string, transactionIds: readonly string[]): Promise<string[]>;
  /** The captures, cancellations and reviews of these payments in the order of their beginning. They are never deleted. */
  onPayments(account: string, transactionIds: readonly string[]): Promise<PaymentOperation[]>;
  /** The refunded sum of each of these payments, in minor units, with unknown refunds. Payments without refunds are left out. */
  refunded(account: string, transactionIds: readonly string[]): Promise<{ transaction_id: string; sum: bigint }[]>;
};
