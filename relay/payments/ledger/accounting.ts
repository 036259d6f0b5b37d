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
import type { RecordSays } from './record.ts';

/**
 * One item of an operation on a payment that is to begin, with its amount in minor units. A refund has its `original`, what was paid
 * as the shop says, and `refunded`, what its caller knows to be refunded before, if that is given. `capture` tells how the payment is
 * captured, `record` what the gateway's record says of it, `rejects` which values of `review_flag` reject one, `refused` which refusals of operations still count.
 */
export type Reservation = {
  transaction_id: string;
  currency: string;
  amount: bigint;
  capture?: CaptureMode;
  record?: RecordSays | undefined;
  rejects?: readonly string[];
  refused?: RefusalPeriod;
} & (
  | { name: 'refund'; original: bigint; refunded?: bigint }
  | { name: Exclude<PaymentOperationName, 'review'> }
  | { name: 'review'; flag: string }
);

/** A refund that is to begin. */
export type RefundReservation = Extract<Reservation, { name: 'refund' }>;

/** Why an operation on a payment must not begin. */
type Reason =
  /** A refund of more than the `left` minor units, or beside refunds that its caller does not know. */
  | { kind: 'refund_exceeds_payment'; left: bigint }
  | { kind: 'refunded_meanwhile' }
  | { kind: 'capture_exceeds_payment'; left: bigint }
  | { kind: 'nothing_to_capture' }
  | { kind: 'payment_cancelled' }
  | { kind: 'payment_rejected' }
  | { kind: 'payment_reversed' }
  | { kind: 'payment_held' }
  /** The payment was made in this currency, or is of this amount in minor units. */
  | { kind: 'currency_differs'; currency: string }
  | { kind: 'amount_differs'; amount: bigint }
  /** These operations on the payment are in flight, or their outcome is unknown. */
  | { kind: 'operation_undecided'; ids: readonly string[] };

/** Why an operation must not begin: because of its item number `item`. */
export type Refusal = Reason & { item: number };

/**
 * What a store knows of a payment: what was paid, if the relay knows it; of its refunds that count their `sum` in minor units, the
 * smallest original amount and the currency; its captures, cancellations and reviews. Where an operation waits for refunds, also the
 * ids of the operations whose refunds of it are in flight or unknown.
 */
export type KnownPayment = {
  paid?: { amount: string; currency: string };
  sum?: bigint;
  original?: bigint;
  currency?: string;
  operations?: readonly PaymentOperation[];
  undecidedRefunds?: readonly string[];
};

/** What is remembered of a payment whose refunds are no longer kept: all three as in `KnownPayment`. */
type PastRefunds = { sum: bigint; original: bigint; currency: string };

/** What is known of a payment's refunds: those that are kept, and those that are only remembered. */
export function withRemembered(payment: KnownPayment, past: PastRefunds | undefined): KnownPayment {
  if (!past) return payment;
  const { sum = 0n, original = past.original } = payment;
  return { ...payment, sum: sum + past.sum, original: smaller(original, past.original), currency: past.currency };
}

/**
 * The first item of an operation that its payment does not allow, by itself or with those before it in the batch. What is in flight or
 * unknown counts against what may still be done. Of a payment that the relay did not make only the operations are known, and of its
 * refunds what the shop said: the smallest original amount, in one currency.
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

/** Another request asked for the same, and it may be done: an equal capture, a cancellation, a review. */
function undecidedEqual({ name, amount, currency }: Reservation, payment: KnownPayment): Reason | undefined {
  return undecided(payment, (one) => {
    const isEqual = name !== 'capture' || (one.currency === currency && minorUnits(one.amount, currency) === amount);
    return one.name === name && isEqual;
  });
}

/** What ends a payment waits for captures and refunds of it: what they took must be known first. */
function undecidedTaking(payment: KnownPayment): Reason | undefined {
  return undecided(payment, ({ name }) => name === 'capture', payment.undecidedRefunds);
}

/** The operations on the payment, of those that are asked for, whose outcome is not known. */
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
  // Of a payment that the relay did not make, what took money first tells its currency.
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

/** True for operations that wait for refunds of their payments. */
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
