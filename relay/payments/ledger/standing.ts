import type { PaymentStatus } from '../../../shared/api/order-payment.ts';
import { minorUnits } from '../../../shared/gateway/amounts.ts';
import type { OrderPayment, PaymentRules, StoredOrder } from '../order.ts';
import { captureMode, type Ledger, ledgerOf, methodOf } from './ledger.ts';
import type { PaymentHistory } from './payment-operation.ts';
import { meaningOf, type RecordMeaning, type RecordRules, recordKey } from './record.ts';

/** The status and the sums of a payment. */
export function standingOf(
  order: Pick<StoredOrder, 'attempts'>,
  payment: OrderPayment,
  { operations, refunds, taken }: PaymentHistory,
  rules: PaymentRules,
): Ledger {
  const { amount, currency } = payment;
  const refundUndecided = refunds
    .filter(({ outcome }) => outcome === 'unknown')
    .reduce((sum, one) => sum + minorUnits(one.amount, currency), 0n);
  return ledgerOf({
    ...{ amount: minorUnits(amount, currency), currency, operations, rejects: rules.rejects, refundUndecided },
    capture: captureMode(rules.capture, methodOf(order, payment)),
    // A refund that was decided since the sum was read counts as it did at that time.
    refunded: taken > refundUndecided ? taken - refundUndecided : 0n,
    record: recordOf(payment, rules),
  });
}

/** The meaning of a payment's record, or a person's decision about that record; undefined if there is neither. */
export function recordOf(payment: OrderPayment, rules: RecordRules): RecordMeaning | undefined {
  const decision = decisionOn(payment);
  if (!decision) return meaningOf(payment.record, rules);
  return decision.outcome === 'reversed' ? 'reversed' : 'approved';
}

/** A person's decision about a payment, if its record has not changed since. */
export function decisionOn({ record, decided }: OrderPayment): OrderPayment['decided'] {
  return decided?.record === (record && recordKey(record)) ? decided : undefined;
}

const DAY_MS = 86_400_000;

/**
 * The time (ISO 8601) from which a person must look at a payment because it has been authorised for too long; undefined
 * for a payment that is not authorised or has no known date.
 */
export function captureDueAt(
  { date }: OrderPayment,
  status: PaymentStatus,
  { authorisationDays }: PaymentRules,
): string | undefined {
  const due = Date.parse(date) + authorisationDays * DAY_MS;
  return status === 'authorised' && !Number.isNaN(due) ? new Date(due).toISOString() : undefined;
}

/** The reasons for which a payment needs a person. */
export type PaymentAlarm = 'held' | 'reversed' | 'unconfirmed';

/**
 * The reason for which a payment needs a person: it is held, reversed, not in the gateway's records, or has a record
 * whose code has no meaning. Undefined if a person has decided about that.
 */
export function alarmOf(payment: OrderPayment): PaymentAlarm | undefined {
  const { told, unconfirmed, unclear } = payment;
  if (decisionOn(payment)) return undefined;
  if (told === 'held' || told === 'reversed') return told;
  return unconfirmed || unclear !== undefined ? 'unconfirmed' : undefined;
}
