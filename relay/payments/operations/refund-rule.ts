import { toMinor } from '../../../shared/gateway/amounts.ts';
import { type RefundItem, refundBody } from '../../../shared/gateway/refund.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import type { StoredOperation } from './operation.ts';

/**
 * One refund of an operation: `amount` and `original` (what was paid, as the shop says) in minor units, and what the
 * caller knows to be `refunded` before, if that is given.
 */
export type Reservation = {
  transaction_id: string;
  currency: string;
  amount: bigint;
  original: bigint;
  refunded?: bigint;
};

/** Why a refund must not begin. */
export type RefundRefused =
  /** Item number `item` asks for more than the `left` minor units. */
  | { kind: 'refund_exceeds_payment'; item: number; left: bigint }
  /** Of the payment of item number `item` something else was refunded than the caller knows. */
  | { kind: 'refunded_meanwhile'; item: number }
  /** Item number `item` is not in the `currency` of its payment. */
  | { kind: 'refund_of_other_currency'; item: number; currency: string };

/**
 * What a store knows of a payment: what was paid, if the relay knows it, and of its refunds that count their `sum` in
 * minor units, the smallest original amount and the currency.
 */
export type RefundedPayment = {
  paid?: { amount: string; currency: string };
  sum?: bigint;
  original?: bigint;
  currency?: string;
};

/** What is remembered of a payment whose refunds are no longer kept: all three as in `RefundedPayment`. */
type PastRefunds = { sum: bigint; original: bigint; currency: string };

/** What is known of a payment's refunds: those that are kept, and those that are only remembered. */
export function withRemembered(payment: RefundedPayment, past: PastRefunds | undefined): RefundedPayment {
  if (!past) return payment;
  const { sum = 0n, original = past.original } = payment;
  return { ...payment, sum: sum + past.sum, original: smaller(original, past.original), currency: past.currency };
}

/** A payment as far as refunds go; `isOurs` when the relay knows what was paid. */
type Known = { isOurs: boolean; paid: bigint; currency: string; refunded: bigint };

/**
 * The first refund that takes more than is left of its payment, by itself or with those before it in the batch. Of a
 * payment that the relay did not make it knows what the shop said first: the smallest original amount, in one currency.
 */
export function refundRefusal(
  refunds: readonly Reservation[],
  paymentOf: (transactionId: string) => RefundedPayment,
): RefundRefused | undefined {
  const taken = new Map<string, Known>();
  for (const [item, refund] of refunds.entries()) {
    const { transaction_id, currency, amount, original } = refund;
    const known = taken.get(transaction_id) ?? knownOf(refund, paymentOf(transaction_id));
    if (currency !== known.currency) return { kind: 'refund_of_other_currency', item, currency: known.currency };
    if (refund.refunded !== undefined && refund.refunded !== known.refunded)
      return { kind: 'refunded_meanwhile', item };
    const paid = known.isOurs ? known.paid : smaller(original, known.paid);
    const left = paid > known.refunded ? paid - known.refunded : 0n;
    if (amount > left) return { kind: 'refund_exceeds_payment', item, left };
    taken.set(transaction_id, { ...known, paid, refunded: known.refunded + amount });
  }
  return undefined;
}

function knownOf({ original, currency }: Reservation, payment: RefundedPayment): Known {
  const { paid, sum = 0n } = payment;
  return {
    isOurs: paid !== undefined,
    paid: paid ? toMinor(paid.amount, paid.currency) : smaller(original, payment.original ?? original),
    currency: paid?.currency ?? payment.currency ?? currency,
    refunded: sum,
  };
}

function smaller(one: bigint, other: bigint): bigint {
  return other < one ? other : one;
}

/** The refunds of a refund's message. */
export function refundItems(message: Message): RefundItem[] {
  const parsed = refundBody.safeParse(message);
  return parsed.success ? parsed.data.refund_orders : [];
}

/**
 * What each refund takes of its payment.
 * @param refunded what must count as refunded of payments before, in minor units: else the refund must not begin
 */
export function reservationsOf(items: readonly RefundItem[], refunded?: ReadonlyMap<string, bigint>): Reservation[] {
  return items.map(({ transaction_id, currency, refund_amount, amount }, at) => {
    // Those before it in the batch count, too.
    const isFirst = items.findIndex((one) => one.transaction_id === transaction_id) === at;
    const before = refunded && isFirst ? { refunded: refunded.get(transaction_id) ?? 0n } : {};
    const [taken, original] = [toMinor(refund_amount, currency), toMinor(amount, currency)];
    return { transaction_id, currency, amount: taken, original, ...before };
  });
}

/**
 * Whether each refund of an operation still counts as refunded: all but those that certainly did not happen. Empty where
 * nothing changes.
 */
export function countedRefunds({ name, request, state }: StoredOperation): boolean[] {
  if (name !== 'refund') return [];
  switch (state.status) {
    case 'answered':
      return state.items.map((item) => item !== 'failed');
    case 'settled':
      return state.settlement.items.map((item) => item !== 'failed');
    case 'refused':
      if (state.reserved) return [];
      return Array.isArray(request.refund_orders) ? request.refund_orders.map(() => false) : [];
    case 'not_sent':
      return Array.isArray(request.refund_orders) ? request.refund_orders.map(() => false) : [];
    case 'in_flight':
    case 'unknown':
      return [];
  }
}

/** Blanks and invisible characters: control characters, joiners, marks of direction and the like. */
const UNSEEN = /[\s\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;

/** What is the same in two transaction_ids that differ only in letter case (A to Z), blanks or invisible characters. */
export function transactionForm(transactionId: string): string {
  return transactionId.replace(UNSEEN, '').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** An item whose transaction_id differs from a `known` one only in its form. */
export type OtherForm = { item: number; known: string };

/**
 * The first item whose transaction_id is another spelling of a known one, or of one before it in the batch. Transactions are
 * compared exactly, so the limits of a payment would not count it.
 * @param known transaction_ids of the account's payments and earlier operations that may have the form of one of the items
 */
export function otherForm(items: readonly string[], known: readonly string[]): OtherForm | undefined {
  const spellings = Map.groupBy(new Set([...known, ...items]), transactionForm);
  const exact = new Set(known);
  for (const [item, id] of items.entries()) {
    const others = spellings.get(transactionForm(id)) ?? [];
    const [other] = others;
    if (!exact.has(id) && other !== undefined && other !== id) return { item, known: other };
  }
  return undefined;
}
