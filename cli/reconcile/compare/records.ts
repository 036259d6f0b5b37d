import type { OrderStatus } from '../../../shared/api/order.ts';
import type { PaymentStatus } from '../../../shared/api/order-payment.ts';
import type { ReportedDifference } from '../../../shared/api/reconciliation.ts';

/** A decimal string and its currency. */
export type Money = { amount: string; currency: string };

/** A refund that the relay was asked for. */
export type RelayRefund = Money & { transaction_id: string; outcome: 'succeeded' | 'unknown'; at: string };

/** A transaction that paid an order, as the relay has it. `refunded` is what all refunds took of it; `isSettled`: a person decided its status. */
export type RelayPayment = Money & {
  transaction_id: string;
  status: PaymentStatus;
  refunded: string;
  isSettled: boolean;
};

/** An order as the relay has it. */
export type RelayOrder = {
  order_no: string;
  status: OrderStatus;
  /** What its sessions and attempts asked for, last first. */
  asked: readonly [Money, ...Money[]];
  payments: readonly RelayPayment[];
  refunds: readonly RelayRefund[];
  /** Transactions that were cancelled or reviewed through the relay: the gateway may rightly say that they are not paid. */
  reversed: ReadonlySet<string>;
  /** The contracts that the order began: later charges of them that bear its number pay it no second time. */
  contracts: ReadonlySet<string>;
  /** When the first and the last attempt were sent (ISO 8601). */
  firstSentAt?: string;
  lastSentAt?: string;
  /** There is more of its history than the relay shows. */
  truncated: boolean;
};

/** What a code of the gateway's means under the relay's profile. */
export type PaymentMeaning =
  | ('approved' | 'declined' | 'pending' | 'unlisted' | 'held')
  | ('charged_back' | 'cancelled' | 'refunded' | 'partially_refunded');
export type RefundMeaning = 'succeeded' | 'failed' | 'unlisted';

/** A payment in the gateway's books. `date` is in milliseconds, as if the gateway's clock showed UTC. */
export type GatewayPayment = Money & {
  transaction_id: string;
  meaning: PaymentMeaning;
  code: string;
  date?: number;
  contract?: string;
};

/** A refund in the gateway's books. */
export type GatewayRefund = Money & { transaction_id: string; refund_reference_id: string; meaning: RefundMeaning };

/** An order as the gateway has it. */
export type GatewayOrder = { payments: readonly GatewayPayment[]; refunds: readonly GatewayRefund[] };

/** Why it is not known yet whether the books agree about an order. */
export type UnknownReason =
  | 'in_flight'
  | 'undecided_here'
  | 'undecided_there'
  | 'refund_undecided'
  | 'too_long'
  | 'cannot_be_asked';

/** One side of a payment: how it stands, and how much it is. */
export type Side = Money & { status: string };

/** Something about an order in which the relay's books (`here`) and the gateway's (`there`) do not agree, or may not. */
export type Finding = Difference | { class: 'unknown'; order_no: string; reason: UnknownReason };
export type Difference = ReportedDifference;

/** Whether the books differ, and not only may. */
export function isDifference(finding: Finding): finding is Difference {
  return finding.class !== 'unknown';
}

/** Whether the books could not be compared about it at all, and will not be by waiting. */
export function isUncompared(finding: Finding): boolean {
  return finding.class === 'unknown' && (finding.reason === 'cannot_be_asked' || finding.reason === 'too_long');
}

/** Whether it is about a refund, and not about the payment itself. */
export function isOfRefund(finding: Finding): boolean {
  return finding.class === 'refund_missing_here' || finding.class === 'refund_missing_there';
}

/**
 * Whether a query about the order can bring the relay's books up to date: it must know the order, or the contract that is charged by it,
 * and refunds need none.
 */
export function canBeFixed(finding: Finding): boolean {
  if (!isDifference(finding) || isOfRefund(finding)) return false;
  return finding.known !== false || finding.recurring_id !== undefined;
}
