import type { Refusal, Reservation } from '../../payments/ledger/accounting.ts';
import type { PaymentOperation } from '../../payments/ledger/payment-operation.ts';
import type { StoredApproval } from '../../payments/operations/approval.ts';
import type { StoredOperation } from '../../payments/operations/operation.ts';
import type { OtherForm } from '../../payments/operations/refund-rule.ts';
import type { Lease } from '../leases.ts';
import type { Answered, Claim } from './keys.ts';
import type { OperationSearch } from './listing.ts';
import type { OrderKey } from './orders.ts';
import type { NewEvent } from './outbox.ts';
import type { StoredAuditEntry } from './people.ts';

export type Begun =
  | { kind: 'begun' }
  /** `id` is the payout that has it; undefined where it is no longer kept. */
  | { kind: 'request_id_used'; id?: string }
  /** `id` is the operation that has the reference of item number `item`, kept or not. */
  | { kind: 'reference_used'; item: number; id: string }
  | Refusal
  | ({ kind: 'other_form' } & OtherForm)
  /** The approval that it began with was decided, or began another operation, since it was read. */
  | { kind: 'approval_changed' }
  /** The request took so long that another one took its key over. */
  | { kind: 'key_lost' };

/** An order as it was read. `due`: from this moment on (ISO 8601) the gateway is asked about it. */
export type OrderAsRead = OrderKey & { version: number; due?: string };

/** The end of an operation, or of the search for its end. */
export type Finish = {
  operation: StoredOperation;
  /** The orders whose payments it changed: their version grows, and if one was written since, nothing is written. */
  orders?: readonly OrderAsRead[];
  /** Whether each of its refunds still counts as refunded; left out, nothing changes. */
  counted?: readonly boolean[];
  answered?: Answered | undefined;
  events: readonly NewEvent[];
  /** Who did this; undefined where the relay did. */
  audit?: StoredAuditEntry;
};

/** Which operations that are not known to find, and how far to count them. */
type OpenOperations = { account: string; waitsFor: 'person' | 'gateway'; limit: number; max: number };

/** Operations, and what the refunds among them took of payments. */
export type OperationStore = {
  /**
   * Adds an operation, if its payments allow its items (`refusalOf`), no transaction_id of theirs is another spelling of a known
   * one, and its references were never used, and lets `key` lead to it. `audit` names who asked for it. `approval` is the request that
   * it does, as it is approved: it is written, too, if it still is at `approval.version - 1`.
   */
  begin(
    operation: StoredOperation,
    items: readonly Reservation[],
    key?: Claim,
    audit?: StoredAuditEntry,
    approval?: StoredApproval,
  ): Promise<Begun>;
  /**
   * Writes the outcome of an operation, if it still is at `operation.version - 1`, and its orders are as they were read. Where nothing came of it, its references
   * are free again; its request_id only where it was not sent.
   */
  finish(finish: Finish): Promise<boolean>;
  get(id: string): Promise<StoredOperation | undefined>;
  /** Those of these operations that are kept. */
  getMany(ids: readonly string[]): Promise<StoredOperation[]>;
  /** A page of an account's operations, the newest first. */
  list(search: OperationSearch): Promise<StoredOperation[]>;
  /**
   * Operations of an account of which something is not known, the oldest first: those that wait for a person alone, or those that
   * the gateway is asked about. `limit` of them, and how many there are, up to `max`.
   */
  listOpen(search: OpenOperations): Promise<{ count: number; operations: StoredOperation[] }>;
  /** Operations of these accounts whose next look (`nextSearchAt`) is due. Any change of an operation ends its lease. */
  leaseDue(lease: Lease, accounts: readonly string[]): Promise<StoredOperation[]>;
  /** Operations in flight that began before `before`: the relay that sent them crashed. */
  leaseOrphaned(lease: Lease, before: string): Promise<StoredOperation[]>;
  /** Lets the leases of operations last until `until`. */
  renewLeases(ids: readonly string[], lease: Pick<Lease, 'now' | 'until'>): Promise<void>;
  /** The other operations of an account that have a refund of one of these payments, the oldest first. */
  refundsOf(account: string, transactionIds: readonly string[]): Promise<StoredOperation[]>;
  /** The order_nos of the orders that these transactions paid, as far as they are known; one may be there twice. */
  ordersPaidBy(account: string, transactionIds: readonly string[]): Promise<string[]>;
  /** The captures, cancellations and reviews of these payments, kept for good, in the order in which they began. */
  onPayments(account: string, transactionIds: readonly string[]): Promise<PaymentOperation[]>;
  /** What refunds took of each of these payments, in minor units; what is not known yet counts. Left out where nothing did. */
  refunded(account: string, transactionIds: readonly string[]): Promise<{ transaction_id: string; sum: bigint }[]>;
};
