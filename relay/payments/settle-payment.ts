import type { Histories } from './ledger/payment-operation.ts';
import { recordKey } from './ledger/record.ts';
import { decisionOn } from './ledger/standing.ts';
import type { OrderPayment, PaymentRules, StoredOrder } from './order.ts';
import { withNextQuery } from './schedule.ts';
import type { Settler } from './session.ts';
import { withAlarm } from './settlement/alarm.ts';
import { followPayments } from './settlement/confirmation.ts';
import { type Decision, startDecision, withOrder } from './transitions.ts';

/** A person's decision about a payment. */
export type PaymentVerdict = NonNullable<OrderPayment['decided']>['outcome'];

/**
 * Applies a person's decision about a payment: its record is awaited no more. `confirmed` accepts a held payment and restores a reversed
 * one; `reversed` reverses any payment. The decision holds until the record changes. Undefined if the order has no such payment, or the
 * same was decided before.
 * @param histories what operations did to the order's payments, read after the order
 */
export function settlePayment(
  order: StoredOrder,
  transactionId: string,
  outcome: PaymentVerdict,
  settler: Settler,
  histories: Histories,
  now: Date,
  rules: PaymentRules,
): Decision | undefined {
  const payment = order.payments.find(({ transaction_id }) => transaction_id === transactionId);
  if (!payment || decisionOn(payment)?.outcome === outcome) return undefined;
  const { record } = payment;
  const decided = { ...settler, outcome, ...(record ? { record: recordKey(record) } : {}) };
  const settled = { ...payment, decided };
  const payments = order.payments.map((one) => (one === payment ? settled : one));
  const shown = { records: [], counted: false, at: settler.at, histories };
  const followed = followPayments(withOrder(startDecision(order), { payments }), shown, now, rules);
  return withNextQuery(withAlarm(followed, payment, settled), now, rules);
}
