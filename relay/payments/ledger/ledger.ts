import type { PaymentStatus } from '../../../shared/api/order-payment.ts';
import type { OrderPayment, StoredOrder } from '../order.ts';
import { effectsOn, type PaymentOperation } from './payment-operation.ts';
import type { RecordMeaning } from './record.ts';

/** How the payments of a method are captured: with their approval, by captures only, or unknown. */
export type CaptureMode = 'automatic' | 'manual' | 'unknown';

/** The capture mode of a method by the profile’s `capture`. A token counts as a card. */
export function captureMode(
  capture: Readonly<Record<string, 'automatic' | 'manual'>>,
  method: string | undefined,
): CaptureMode {
  if (method === undefined) return 'unknown';
  return capture[method === 'token' ? 'card' : method] ?? 'unknown';
}

/** The method of a payment. A payment of an earlier version has only the method of its attempt. */
export function methodOf({ attempts }: Pick<StoredOrder, 'attempts'>, payment: OrderPayment): string | undefined {
  return payment.method ?? attempts.find(({ id }) => id === payment.attempt_id)?.method;
}

/** The facts about a payment. Amounts are in minor units. */
export type PaymentFacts = {
  /** The meaning of the gateway's record, or the decision of a person about it. */
  record?: RecordMeaning | undefined;
  amount: bigint;
  currency: string;
  capture: CaptureMode;
  /** The values of `review_flag` that reject a payment. */
  rejects: readonly string[];
  operations: readonly PaymentOperation[];
  /** The sum of its proved refunds. */
  refunded: bigint;
  /** The sum of its undecided refunds. */
  refundUndecided: bigint;
};

/**
 * A payment's status and its sums in minor units. `captured` and `refunded` are proved; `refund_undecided` is the sum
 * of undecided refunds; `capturable` and `refundable` are what is left. `kept` is the proved part of the amount that
 * was neither refunded nor cancelled.
 */
export type Ledger = {
  status: PaymentStatus;
  captured: bigint;
  capturable: bigint;
  refunded: bigint;
  refund_undecided: bigint;
  refundable: bigint;
  kept: bigint;
};

/**
 * The inputs of the status rules. `drawn` is the sum of the captures that count, `taken` the maximum sum of refunds.
 */
type StatusFacts = {
  amount: bigint;
  capture: CaptureMode;
  drawn: bigint;
  taken: bigint;
  refunded: bigint;
  isCancelled: boolean;
  isRejected: boolean;
  isHeld: boolean;
  isReversed: boolean;
  record: RecordMeaning | undefined;
};

/** A status, and the condition under which a payment has it if no earlier rule applies. */
export type StatusRule = { status: PaymentStatus; when: string; applies: (payment: StatusFacts) => boolean };

/**
 * The rules of the payment status. The first one that applies decides. The table in docs/orders.md is generated from
 * these rules.
 */
export const statusRules: readonly StatusRule[] = [
  {
    status: 'reversed',
    when: 'After its approval the gateway’s record says that it was declined or charged back, and no operation explains that; or a person says so.',
    applies: ({ isReversed }) => isReversed,
  },
  {
    status: 'cancelled',
    when: 'A cancellation succeeded, and nothing was captured; or the gateway’s record says so.',
    applies: ({ isCancelled, drawn, record }) => (isCancelled && drawn === 0n) || record === 'cancelled',
  },
  { status: 'rejected', when: 'A review rejected it.', applies: ({ isRejected }) => isRejected },
  {
    status: 'refunded',
    when: 'All that was taken was refunded; or the gateway’s record says so.',
    applies: ({ taken, refunded, record }) => (taken > 0n && refunded >= taken) || record === 'refunded',
  },
  {
    status: 'held',
    when: 'The gateway’s record says that it waits for a review, and no review succeeded.',
    applies: ({ isHeld }) => isHeld,
  },
  {
    status: 'partially_refunded',
    when: 'A part of what was taken was refunded; or the gateway’s record says so.',
    applies: ({ refunded, record }) => refunded > 0n || record === 'partially_refunded',
  },
  {
    status: 'authorised',
    when: '`gateway.profile.capture` is `manual` for its method, and nothing was captured.',
    applies: ({ amount, capture, drawn }) => capture === 'manual' && amount > 0n && drawn === 0n,
  },
  {
    status: 'partially_captured',
    when: 'Less than its amount was captured.',
    applies: ({ amount, drawn }) => drawn > 0n && drawn < amount,
  },
  { status: 'paid', when: 'Otherwise.', applies: () => true },
];

/** The statuses of payments without money that is left for the shop. */
const endedStatuses: readonly PaymentStatus[] = ['cancelled', 'rejected', 'reversed', 'refunded'];

/** True for a status of a payment without money that is left for the shop. */
export function isOver(status: PaymentStatus): boolean {
  return endedStatuses.includes(status);
}

/**
 * Derives a payment's status, its sums and its capturable and refundable amounts from the stored facts. Unknown
 * operations reduce these amounts and never increase them: only proved captures can be refunded.
 */
export function ledgerOf(payment: PaymentFacts): Ledger {
  const { amount, currency, capture, rejects, operations, refunded, refundUndecided, record } = payment;
  const done = effectsOn(currency, operations, rejects);
  const { captured, captureUndecided, isCancelled, isRejected, isReviewed, mayEnd } = done;
  const drawn = capture === 'automatic' ? 0n : captured;
  const taken = takenOf(amount, capture, captured);
  const isExplained = isCancelled || isRejected || mayEnd || refunded + refundUndecided >= taken;
  const isReversed = record === 'reversed' && !isExplained;
  const isHeld = record === 'held' && !isReviewed;
  const decisive: StatusFacts = {
    ...{ amount, capture, drawn, taken, refunded, record },
    ...{ isCancelled, isRejected, isHeld, isReversed },
  };
  const status = statusRules.find(({ applies }) => applies(decisive))?.status ?? 'paid';
  const isEnded = isRejected || isReversed || mayEnd || record === 'cancelled' || record === 'refunded';
  const canCapture = !isCancelled && !isEnded && !isHeld && capture !== 'automatic';
  const canRefund = status !== 'cancelled' && !isEnded;
  return {
    status,
    captured: capture === 'automatic' ? amount : captured,
    capturable: canCapture ? left(amount, captured + captureUndecided) : 0n,
    refunded,
    refund_undecided: refundUndecided,
    refundable: canRefund ? left(taken, refunded + refundUndecided) : 0n,
    // A cancellation after a capture ends only the rest.
    kept: isOver(status) ? 0n : left(isCancelled ? captured : amount, refunded),
  };
}

/**
 * The part of a payment that can be refunded: the captured part if the method needs captures, otherwise the whole
 * payment.
 */
export function takenOf(amount: bigint, capture: CaptureMode, captured: bigint): bigint {
  const byCapture = capture === 'manual' || (capture === 'unknown' && captured > 0n);
  return byCapture && captured < amount ? captured : amount;
}

/** The difference of two amounts, at least zero. */
export function left(of: bigint, used: bigint): bigint {
  return of > used ? of - used : 0n;
}
