import { minorUnits, toMinor } from '../../../shared/gateway/amounts.ts';
import type { EffectName } from '../../../shared/gateway/operations.ts';
import { type CaptureMode, left, takenOf } from './ledger.ts';
import {
  effectsOn,
  mayEndPayment,
  type PaymentOperation,
  type PaymentOperationName,
  type RefusalPeriod,
  withCountedRefusals,
} from './payment-operation.ts';
import type { RecordMeaning } from './record.ts';

/** One item of an operation on a payment that is about to begin. Amounts are in minor units. */
export type Reservation = {
  transaction_id: string;
  currency: string;
  amount: bigint;
  /** How the payment is captured. */
  capture?: CaptureMode;
  /** What the gateway's record says about the payment. */
  record?: RecordMeaning | undefined;
  /** The values of `review_flag` that reject a payment. */
  rejects?: readonly string[];
  /** The period in which refusals of operations still count as undecided. */
  refused?: RefusalPeriod;
} /** `original`: the amount of the payment in the request. `refunded`: the sum of the refunds that the client knows. */ & (
  | { name: 'refund'; original: bigint; refunded?: bigint }
  | { name: Exclude<PaymentOperationName, 'review'> }
  | { name: 'review'; flag: string }
);

/** A refund that is about to begin. */
export type RefundReservation = Extract<Reservation, { name: 'refund' }>;

/** Why an operation on a payment must not begin. */
type Reason =
  /** The refund exceeds the `left` minor units, or its client does not know an earlier refund. */
  | { kind: 'refund_exceeds_payment'; left: bigint }
  | { kind: 'refunded_meanwhile' }
  | { kind: 'capture_exceeds_payment'; left: bigint }
  | { kind: 'nothing_to_capture' }
  | { kind: 'payment_cancelled' }
  | { kind: 'payment_rejected' }
  | { kind: 'payment_reversed' }
  | { kind: 'payment_held' }
  /** The payment has this currency, or this amount in minor units. */
  | { kind: 'currency_differs'; currency: string }
  | { kind: 'amount_differs'; amount: bigint }
  /** These operations on the payment are in flight, or their outcome is unknown. */
  | { kind: 'operation_undecided'; ids: readonly string[] };

/** Why an operation must not begin, by its item with the number `item`. */
export type Refusal = Reason & { item: number };

/** A payment in the store, with its operations. Amounts as `bigint` are in minor units. */
export type KnownPayment = {
  /** The payment's amount, if the relay knows the payment. */
  paid?: { amount: string; currency: string };
  /** The sum of its refunds that count. */
  sum?: bigint;
  /** The smallest original amount of these refunds. */
  original?: bigint;
  /** The currency of these refunds. */
  currency?: string;
  /** Its captures, cancellations and reviews. */
  operations?: readonly PaymentOperation[];
  /** The ids of the operations with undecided refunds of this payment, if the new operation must wait for them. */
  undecidedRefunds?: readonly string[];
};

/** The sums of deleted refunds; the three fields are those of `KnownPayment`. */
type PastRefunds = { sum: bigint; original: bigint; currency: string };

/** The payment with the sums of its deleted refunds. */
export function withRemembered(payment: KnownPayment, past: PastRefunds | undefined): KnownPayment {
  if (!past) return payment;
  const { sum = 0n, original = past.original } = payment;
  return { ...payment, sum: sum + past.sum, original: smaller(original, past.original), currency: past.currency };
}

/**
 * The first item of an operation that its payment does not permit, alone or after the items before it in the batch.
 * Undecided operations reduce what is left. Of a payment that another system made, only the operations are known: its
 * amount is the smallest original amount of its refunds, in one currency.
 */
export function refusalOf(
  items: readonly Reservation[],
  paymentOf: (transactionId: string) => KnownPayment,
): Refusal | undefined {
  for (const [item, wanted] of items.entries()) {
    const { operations = [], ...others } = paymentOf(wanted.transaction_id);
    const payment = {
      ...others,
      operations: wanted.refused ? withCountedRefusals(operations, wanted.refused) : operations,
    };
    const before = items.slice(0, item).filter(({ transaction_id }) => transaction_id === wanted.transaction_id);
    const reason =
      undecidedEqual(wanted, payment) ?? otherCurrency(wanted, payment, before) ?? reasonOf(wanted, payment, before);
    if (reason) return { ...reason, item };
  }
  return undefined;
}

function reasonOf(wanted: Reservation, payment: KnownPayment, before: readonly Reservation[]): Reason | undefined {
  switch (wanted.name) {
    case 'refund':
      return refundReason(wanted, payment, before.filter(isRefund));
    case 'capture':
      return captureReason(wanted, payment, before);
    case 'cancel':
      return cancelReason(wanted, payment);
    case 'review':
      return wanted.rejects?.includes(wanted.flag) ? undecidedTaking(payment) : undefined;
  }
}

/** An undecided operation that is equal to the new one: a capture of the same amount, a cancellation or a review. */
function undecidedEqual({ name, amount, currency }: Reservation, payment: KnownPayment): Reason | undefined {
  return undecided(payment, (one) => {
    const isEqual = name !== 'capture' || (one.currency === currency && minorUnits(one.amount, currency) === amount);
    return one.name === name && isEqual;
  });
}

/** The undecided captures and refunds of a payment. An operation that ends the payment waits for them. */
function undecidedTaking(payment: KnownPayment): Reason | undefined {
  return undecided(payment, ({ name }) => name === 'capture', payment.undecidedRefunds);
}

/** The operations on the payment with an unknown outcome, of those that the filter selects. */
function undecided(
  { operations = [] }: KnownPayment,
  isAskedFor: (one: PaymentOperation) => boolean,
  others: readonly string[] = [],
): Reason | undefined {
  const found = operations.filter((one) => one.outcome === 'unknown' && isAskedFor(one));
  const ids = [...new Set([...others, ...found.map(({ operation_id }) => operation_id)])];
  return ids.length > 0 ? { kind: 'operation_undecided', ids } : undefined;
}

function otherCurrency(
  { name, currency }: Reservation,
  { paid, currency: refundedIn, operations = [] }: KnownPayment,
  [first]: readonly Reservation[],
): Reason | undefined {
  // The first capture or refund of a payment that another system made determines its currency.
  const captured = operations.find((one) => one.name === 'capture' && one.outcome !== 'failed')?.currency;
  const taken = name === 'refund' || name === 'capture' ? (refundedIn ?? captured ?? first?.currency) : undefined;
  const known = paid?.currency ?? taken;
  return known === undefined || known === currency ? undefined : { kind: 'currency_differs', currency: known };
}

function refundReason(
  { amount, original, currency, refunded, capture = 'unknown', record, rejects }: RefundReservation,
  payment: KnownPayment,
  before: readonly RefundReservation[],
): Reason | undefined {
  const { paid, operations = [], sum = 0n } = payment;
  const used = before.reduce((all, one) => all + one.amount, sum);
  if (refunded !== undefined && refunded !== used) return { kind: 'refunded_meanwhile' };
  const { captured, isCancelled, isRejected } = effectsOn(currency, operations, rejects);
  const isWholeCancelled = isCancelled && (captured === 0n || capture === 'automatic');
  if (isWholeCancelled || record === 'cancelled') return { kind: 'payment_cancelled' };
  if (isRejected) return { kind: 'payment_rejected' };
  const waiting = undecided(payment, (one) => mayEndPayment(one, rejects ?? []));
  if (waiting) return waiting;
  const originals = [...before, { original: payment.original ?? original }].map((one) => one.original);
  const whole = paid ? toMinor(paid.amount, paid.currency) : originals.reduce(smaller, original);
  const taken = takenOf(whole, capture, captured);
  if (record === 'reversed' && !isCancelled && used < taken) return { kind: 'payment_reversed' };
  const most = record === 'refunded' ? 0n : left(taken, used);
  return amount > most ? { kind: 'refund_exceeds_payment', left: most } : undefined;
}

function captureReason(
  { amount, currency, capture, record, rejects }: Reservation,
  payment: KnownPayment,
  before: readonly Reservation[],
): Reason | undefined {
  const { paid, operations = [] } = payment;
  if (capture === 'automatic') return { kind: 'nothing_to_capture' };
  const done = effectsOn(currency, operations, rejects);
  const { captured, captureUndecided, isCancelled, isRejected } = done;
  if (isCancelled || record === 'cancelled') return { kind: 'payment_cancelled' };
  if (isRejected) return { kind: 'payment_rejected' };
  if (record === 'held' && !done.isReviewed) return { kind: 'payment_held' };
  const waiting = undecided(payment, (one) => mayEndPayment(one, rejects ?? []));
  if (waiting) return waiting;
  if (record === 'reversed') return { kind: 'payment_reversed' };
  if (!paid) return undefined;
  const used = before.reduce((all, one) => all + one.amount, captured + captureUndecided);
  const most = record === 'refunded' ? 0n : left(toMinor(paid.amount, paid.currency), used);
  return amount > most ? { kind: 'capture_exceeds_payment', left: most } : undefined;
}

function cancelReason({ amount, record }: Reservation, payment: KnownPayment): Reason | undefined {
  const { paid, operations = [] } = payment;
  if (record === 'cancelled') return { kind: 'payment_cancelled' };
  if (operations.some((one) => one.name === 'cancel' && one.outcome === 'succeeded'))
    return { kind: 'payment_cancelled' };
  const waiting = undecidedTaking(payment);
  if (waiting || !paid) return waiting;
  const whole = toMinor(paid.amount, paid.currency);
  return amount === whole ? undefined : { kind: 'amount_differs', amount: whole };
}

/** True for an operation that must wait for the refunds of its payment. */
export function waitsForRefunds(name: EffectName): boolean {
  return name === 'cancel' || name === 'review';
}

/** True for a refund. */
export function isRefund(one: Reservation): one is RefundReservation {
  return one.name === 'refund';
}

function smaller(one: bigint, other: bigint): bigint {
  return other < one ? other : one;
}
