import type { PaymentStatus } from '../../../shared/api/order-payment.ts';
import { isOver } from '../ledger/ledger.ts';
import { type Histories, historyIn, type PaymentHistory } from '../ledger/payment-operation.ts';
import { meaningOf, type RecordMeaning, recordFacts } from '../ledger/record.ts';
import { decisionOn, recordOf, standingOf } from '../ledger/standing.ts';
import type { OrderPayment, PaymentRules } from '../order.ts';
import { sinceOf } from '../order-clock.ts';
import { type Decision, type PaymentEvent, withOrder } from '../transitions.ts';
import { withAlarm } from './alarm.ts';
import type { BookRecord } from './records.ts';

/** The records of a query that began at `at` (ISO 8601), whether it counted, and the operations on the order's payments. */
export type Shown = {
  records: readonly BookRecord[];
  counted: boolean;
  at: string;
  histories: Histories | undefined;
};

/**
 * Applies the records of a query to the order's payments, and adds the events that report their status: held for a review, reversed,
 * not in the gateway's books, and once that the order may be delivered (`payment.ready`).
 * @param shown undefined if the order changed without a query, and histories were not read: only payments without a record are
 *   followed then
 */
export function followPayments(before: Decision, shown: Shown | undefined, now: Date, rules: PaymentRules): Decision {
  const followed = before.order.payments.filter(({ record }) => shown !== undefined || record === undefined);
  return followed.reduce((decision, payment) => {
    const awaited = withRecord(payment, shown, rules);
    const history = historyIn(shown?.histories, payment.transaction_id);
    const { payment: next, events } = reportPayment(
      decision,
      endWait(awaited, decision, shown, now, rules),
      history,
      now,
      rules,
    );
    if (next === payment && events.length === 0) return decision;
    const payments = decision.order.payments.map((one) => (one === payment ? next : one));
    const changed = withAlarm(withOrder(decision, { payments }), payment, next);
    return events.length === 0 ? changed : { ...changed, payments: [...(changed.payments ?? []), ...events] };
  }, before);
}

/**
 * The payment with the facts of its record. Without a record, or with an unclear one, a counted query is noted as unsuccessful.
 */
function withRecord(payment: OrderPayment, shown: Shown | undefined, rules: PaymentRules): OrderPayment {
  if (!shown) return payment;
  const { records, counted, at } = shown;
  const record = records.find(({ transaction_id }) => transaction_id === payment.transaction_id);
  if (record && (counted || record.meaning === 'approved')) {
    const facts = recordFacts(record.latest ?? record.source, at);
    if (record.meaning === 'pending') return markAsked(payment);
    if (meaningOf(facts, rules) === 'unclear') return markAsked({ ...payment, unclear: facts.payment_status });
    const { awaited: _, unconfirmed: __, unclear: ___, ...rest } = payment;
    return { ...rest, record: facts };
  }
  return counted ? markAsked(payment) : payment;
}

/** Notes that a counted query did not show the awaited record. */
function markAsked(payment: OrderPayment): OrderPayment {
  const { awaited } = payment;
  return awaited && !awaited.asked ? { ...payment, awaited: { ...awaited, asked: true } } : payment;
}

/**
 * Ends the wait for the record: by a person's decision, or after the time, as `unconfirmed` if a counted query did not show it.
 */
function endWait(
  payment: OrderPayment,
  { order }: Decision,
  shown: Shown | undefined,
  now: Date,
  { resolve }: PaymentRules,
): OrderPayment {
  const { awaited, ...rest } = payment;
  if (decisionOn(payment)) {
    const { unconfirmed, ...known } = rest;
    return awaited || unconfirmed ? known : payment;
  }
  if (!awaited) return payment;
  if (resolve.confirm_ms === 0) return rest;
  if (!shown) return payment;
  const waited = now.getTime() - sinceOf(awaited.since, order, now);
  if (waited < Math.max(resolve.absent_ms, resolve.confirm_ms)) return payment;
  return awaited.asked ? { ...rest, unconfirmed: true } : rest;
}

/** The payment with its newly reported status, and the events that report it. */
function reportPayment(
  { order }: Decision,
  followed: OrderPayment,
  history: PaymentHistory,
  now: Date,
  rules: PaymentRules,
): { payment: OrderPayment; events: PaymentEvent[] } {
  const { undecided, ...decided } = followed;
  const payment = undecided ? decided : followed;
  const { transaction_id } = payment;
  const events: PaymentEvent[] = [];
  if (payment.unconfirmed && !wasUnconfirmed(order, transaction_id)) {
    events.push({ type: 'payment.unconfirmed', transaction_id });
  }
  const says = recordOf(payment, rules);
  // An operation of ours may explain the record. Its end reports the change and makes the order due.
  if (mayComeFromOperation(history, says))
    return { payment: undecided ? followed : { ...followed, undecided: true }, events };
  const { status } = standingOf(order, payment, history, rules);
  const byRecord = statusByRecord(payment, status, history, rules, order);
  let next = payment;
  if (byRecord !== payment.told) {
    const { told: before, told_at: _, ...rest } = payment;
    next = byRecord === undefined ? rest : { ...rest, told: byRecord, told_at: now.toISOString() };
    const type = byRecord === undefined ? undefined : eventOf[byRecord];
    if (type) events.push({ type, transaction_id });
    if (byRecord === 'reversed' && next.ready === 'sent') next = { ...next, ready: 'withdrawn' };
    if (before === 'held' && says === 'approved' && !isOver(status) && !wasReviewed(history)) {
      events.push({ type: 'payment.accepted', transaction_id });
    }
  }
  const isOpen = next.awaited !== undefined || next.unconfirmed === true || status === 'held';
  if ((next.ready === 'due' || next.ready === 'withdrawn') && !isOpen && !isOver(status)) {
    const restored = next.ready === 'withdrawn' ? { restored: true as const } : {};
    events.push({ type: 'payment.ready', transaction_id, confirmed: isConfirmed(next), ...restored });
    next = { ...next, ready: 'sent' };
  }
  return { payment: next, events };
}

function wasUnconfirmed({ payments }: Decision['order'], transactionId: string): boolean {
  return payments.some(({ transaction_id, unconfirmed }) => transaction_id === transactionId && unconfirmed === true);
}

/**
 * Whether an operation of ours with an unknown outcome may explain the record, or end the payment. A refund explains only a record that
 * is neither approved nor held.
 */
function mayComeFromOperation({ operations, refunds }: PaymentHistory, says: RecordMeaning | undefined): boolean {
  const isOfRefund = says !== undefined && says !== 'approved' && says !== 'held';
  return (
    operations.some(({ name, outcome }) => outcome === 'unknown' && name !== 'capture') ||
    (isOfRefund && refunds.some(({ outcome }) => outcome === 'unknown'))
  );
}

/** Whether the gateway's books confirm the payment, or a person who looked at them. */
function isConfirmed({ record, decided }: OrderPayment): boolean {
  return record !== undefined || decided?.outcome === 'confirmed';
}

/** The status that the payment has by its record or by a person's decision about it, if our own operations do not explain it. */
function statusByRecord(
  payment: OrderPayment,
  status: PaymentStatus,
  history: PaymentHistory,
  rules: PaymentRules,
  order: Decision['order'],
): PaymentStatus | undefined {
  if (status === 'held' || status === 'reversed') return status;
  if (payment.record === undefined || eventOf[status] === undefined) return undefined;
  const { record: _, decided: __, ...own } = payment;
  return standingOf(order, own, history, rules).status === status ? undefined : status;
}

/** The events that report a status by the record. */
const eventOf: Partial<Record<PaymentStatus, PaymentEvent['type']>> = {
  held: 'payment.held',
  reversed: 'payment.reversed',
  refunded: 'payment.refunded',
  partially_refunded: 'payment.refunded',
  cancelled: 'payment.cancelled',
};

function wasReviewed({ operations }: PaymentHistory): boolean {
  return operations.some(({ name, outcome }) => name === 'review' && outcome === 'succeeded');
}
