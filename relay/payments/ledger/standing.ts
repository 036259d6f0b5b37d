import { minorUnits } from '../../../shared/gateway/amounts.ts';
import type { OrderPayment, PaymentRules, StoredOrder } from '../order.ts';
import { captureMode, type Ledger, ledgerOf, methodOf } from './ledger.ts';
import type { PaymentHistory } from './payment-operation.ts';
import { type RecordSays, saysOf } from './record.ts';

/** How a payment stands, by all that is known of it. */
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
    // One that was decided since the sum was read still counts as it did then.
    refunded: taken > refundUndecided ? taken - refundUndecided : 0n,
    record: recordOf(payment, rules),
    decided: decisionOn(payment),
  });
}

/** What the record of a payment says; undefined while there is none. */
export function recordOf({ record }: OrderPayment, rules: PaymentRules): RecordSays | undefined {
  return saysOf(record, rules);
}

/** What a person decided about a payment, while its record is still as it was then. */
function decisionOn({ decided, record }: OrderPayment): 'confirmed' | 'reversed' | undefined {
  return decided && decided.payment_status === record?.payment_status ? decided.outcome : undefined;
}
