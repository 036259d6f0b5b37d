import { provedPayments } from '../../../../relay/payments/order.ts';
import * as right from '../../../../relay/payments/settlement/credit.ts';

export * from '../../../../relay/payments/settlement/credit.ts';

type Credit = typeof right.creditRecords;

/** Wrong: a payment without an attempt is reported as paid twice only beside a payment that the gateway proved. */
export const creditRecords: Credit = (before, records, now) => {
  const credited = right.creditRecords(before, records, now);
  if (provedPayments(before.order).length > 0) return credited;
  const events = credited.decision.events.filter(({ type }) => type !== 'session.paid_twice');
  return { ...credited, decision: { ...credited.decision, events } };
};
