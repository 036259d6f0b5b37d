import type { OrderStatus } from '../../../shared/api/order.ts';
import type { PaymentStatus } from '../../../shared/api/order-payment.ts';
import type { ReportedDifference } from '../../../shared/api/reconciliation.ts';

/** A decimal string and its currency. */
export type Money = { amount: string; currency: string };

/** A refund at the relay. */
export type RelayRefund = Money & { transaction_id: string; outcome: 'succeeded' | 'unknown'; at: string };

/**
 * A transaction that paid an order, at the relay. `refunded` is the sum of all its refunds; `isSettled`: a person
 * decided its status.
 */
export type RelayPayment = Money & {
  transaction_id: string;
  status: PaymentStatus;
  refunded: string;
  isSettled: boolean;
};

/** An order at the relay. */
export type RelayOrder = {
  order_no: string;
  status: OrderStatus;
  /** The amounts of its sessions and attempts, the last one first. */
  asked: readonly [Money, ...Money[]];
  payments: readonly RelayPayment[];
  refunds: readonly RelayRefund[];
  /**
   * Transactions that were cancelled or reviewed through the relay: the gateway's records may show them as not paid.
   */
  reversed: ReadonlySet<string>;
  /** The contracts that the order began. Their later charges with the order's number do not pay it again. */
  contracts: ReadonlySet<string>;
  /** The times of the first and the last attempt (ISO 8601). */
  firstSentAt?: string;
  lastSentAt?: string;
  /** The relay's answer does not contain the whole timeline. */
  truncated: boolean;
};

/** The meaning of the gateway's code under the relay's profile. */
export type PaymentMeaning =
  | ('approved' | 'declined' | 'pending' | 'unlisted' | 'held')
  | ('charged_back' | 'cancelled' | 'refunded' | 'partially_refunded');
export type RefundMeaning = 'succeeded' | 'failed' | 'unlisted';

/** A payment at the gateway. `date` is in milliseconds, as if the gateway's clock showed UTC. */
export type GatewayPayment = Money & {
  transaction_id: string;
  meaning: PaymentMeaning;
  code: string;
  date?: number;
  contract?: string;
};

/** A refund at the gateway. */
export type GatewayRefund = Money & { transaction_id: string; refund_reference_id: string; meaning: RefundMeaning };

/** An order at the gateway. */
export type GatewayOrder = { payments: readonly GatewayPayment[]; refunds: readonly GatewayRefund[] };

/** Why the comparison of an order has no result yet. */
export type UnknownReason =
  | 'in_flight'
  | 'undecided_here'
  | 'undecided_there'
  | 'refund_undecided'
  | 'too_long'
  | 'cannot_be_asked';

/** One side of a payment: its status and its amount. */
export type Side = Money & { status: string };

/**
 * A difference in an order between the relay's records (`here`) and the gateway's (`there`), or an order that could not
 * be compared.
 */
export type Finding = Difference | { class: 'unknown'; order_no: string; reason: UnknownReason };
export type Difference = ReportedDifference;

/** Whether the records differ for certain. */
export function isDifference(finding: Finding): finding is Difference {
  return finding.class !== 'unknown';
}

/** Whether the records cannot be compared, now or later. */
export function isUncompared(finding: Finding): boolean {
  return finding.class === 'unknown' && (finding.reason === 'cannot_be_asked' || finding.reason === 'too_long');
}

/** Whether the finding concerns a refund and not the payment itself. */
export function isOfRefund(finding: Finding): boolean {
  return finding.class === 'refund_missing_here' || finding.class === 'refund_missing_there';
}

/**
 * Whether a query about the order can correct the relay's records: the relay must know the order, or the contract that
 * was charged. Queries do not correct refunds.
 */
export function canBeFixed(finding: Finding): boolean {
  if (!isDifference(finding) || isOfRefund(finding)) return false;
  return finding.known !== false || finding.recurring_id !== undefined;
}
