import { minorUnits } from '../../../shared/gateway/amounts.ts';
import { MAX_CLOCK_SKEW_MS } from '../absence-clock.ts';
import { refundItemsOf } from '../operations/counted-refunds.ts';
import { type ItemOutcome, itemsOf, outcomeAt, type StoredOperation } from '../operations/operation.ts';

/** The operations that a store keeps permanently by payment. Of refunds it keeps only the sum. */
export type PaymentOperationName = 'capture' | 'cancel' | 'review';

/**
 * One item of a capture, a cancellation or a review, with its outcome: `unknown` while it is being sent. `flag` is the
 * review_flag (§2.6), `refused_at` the time at which the gateway refused the operation (ISO 8601).
 */
export type PaymentOperation = {
  transaction_id: string;
  operation_id: string;
  name: PaymentOperationName;
  amount: string;
  currency: string;
  flag?: string;
  outcome: ItemOutcome;
  refused_at?: string;
};

/** The items of a capture, a cancellation or a review; none for another operation. The stores keep the same items. */
export function paymentOperationsIn({ id, name, request, state, settled_at }: StoredOperation): PaymentOperation[] {
  if (name !== 'capture' && name !== 'cancel' && name !== 'review') return [];
  return itemsOf({ name, request }).map(({ transaction_id, amount, currency, review_flag }, at) => ({
    ...{ transaction_id: String(transaction_id), operation_id: id, name },
    ...{ amount: String(amount), currency: String(currency) },
    ...(typeof review_flag === 'string' ? { flag: review_flag } : {}),
    outcome: outcomeAt(state, at) ?? 'unknown',
    ...(state.status === 'refused' && settled_at !== undefined ? { refused_at: settled_at } : {}),
  }));
}

/** A refund of a payment, as its operation names it. */
export type PaymentRefund = Pick<PaymentOperation, 'operation_id' | 'amount' | 'currency' | 'outcome'> & {
  name: 'refund';
};

/**
 * The operations on a payment: its captures, cancellations and reviews with the outcomes that count, its stored
 * refunds, and the sum of all of its refunds that count, in minor units.
 */
export type PaymentHistory = {
  operations: readonly PaymentOperation[];
  refunds: readonly PaymentRefund[];
  taken: bigint;
};

/** The history of a payment without operations. */
const noHistory: PaymentHistory = { operations: [], refunds: [], taken: 0n };

/** The histories of payments with operations, by transaction_id. */
export type Histories = ReadonlyMap<string, PaymentHistory>;

/** The history of one of these payments. */
export function historyIn(histories: Histories | undefined, transactionId: string): PaymentHistory {
  return histories?.get(transactionId) ?? noHistory;
}

/** The refunds of a payment in these operations. */
export function refundsIn(operations: readonly StoredOperation[], transactionId: string): PaymentRefund[] {
  return operations.flatMap(({ id, request, state }) =>
    refundItemsOf(request, transactionId).map(({ at, item: { refund_amount: amount, currency } }): PaymentRefund => {
      const outcome = outcomeAt(state, at) ?? 'unknown';
      return { operation_id: id, name: 'refund', amount, currency, outcome };
    }),
  );
}

/** The refunds that are in flight or unknown. */
export function undecidedRefunds(operations: readonly StoredOperation[], transactionId: string): PaymentRefund[] {
  return refundsIn(operations, transactionId).filter(({ outcome }) => outcome === 'unknown');
}

/** The period in which refusals still count: after the first moment, until the second one (ISO 8601). */
export type RefusalPeriod = { after: string; until: string };

/**
 * The period of the refusals that still count at this moment: the gateway may carry out a refused operation within
 * `absentMs` (§7). Clocks may differ a little.
 */
export function recentRefusals(now: Date, absentMs: number): RefusalPeriod {
  const at = (ms: number): string => new Date(now.getTime() + ms).toISOString();
  return { after: at(-absentMs), until: at(MAX_CLOCK_SKEW_MS) };
}

/**
 * The operations on a payment with the outcomes that count: an operation that the gateway refused in this period is
 * undecided.
 */
export function withCountedRefusals(
  operations: readonly PaymentOperation[],
  refused: RefusalPeriod,
): PaymentOperation[] {
  return operations.map((one) => {
    const { refused_at: at } = one;
    return at !== undefined && at > refused.after && at <= refused.until ? { ...one, outcome: 'unknown' } : one;
  });
}

/** The proved and possible effects of the operations on a payment, in minor units of its own currency. */
export type OperationEffects = {
  captured: bigint;
  captureUndecided: bigint;
  isCancelled: boolean;
  isRejected: boolean;
  isReviewed: boolean;
  /** The payment may be cancelled or rejected. */
  mayEnd: boolean;
};

/**
 * Adds up the operations on a payment.
 * @param rejects the values of `review_flag` that reject a payment
 */
export function effectsOn(
  currency: string,
  operations: readonly PaymentOperation[],
  rejects: readonly string[] = [],
): OperationEffects {
  const captured = (outcome: ItemOutcome): bigint =>
    operations
      .filter((one) => one.name === 'capture' && one.outcome === outcome && one.currency === currency)
      .reduce((sum, one) => sum + minorUnits(one.amount, currency), 0n);
  const succeeded = operations.filter(({ outcome }) => outcome === 'succeeded');
  return {
    captured: captured('succeeded'),
    captureUndecided: captured('unknown'),
    isCancelled: succeeded.some(({ name }) => name === 'cancel'),
    isRejected: succeeded.some((one) => isReject(one, rejects)),
    isReviewed: succeeded.some(({ name }) => name === 'review'),
    mayEnd: operations.some((one) => one.outcome === 'unknown' && mayEndPayment(one, rejects)),
  };
}

/** True for an operation after which the payment can no longer be captured. */
export function mayEndPayment(one: PaymentOperation, rejects: readonly string[]): boolean {
  return one.name === 'cancel' || isReject(one, rejects);
}

/** True for a review that rejects the payment. */
function isReject({ name, flag = '' }: PaymentOperation, rejects: readonly string[]): boolean {
  return name === 'review' && rejects.includes(flag);
}
