import type { PaymentStatus } from '../../../shared/api/order-payment.ts';
import { type Histories, historyIn, type PaymentHistory } from '../ledger/payment-operation.ts';
import { recordFacts, saysOf } from '../ledger/record.ts';
import { decisionOn, standingOf } from '../ledger/standing.ts';
import type { OrderPayment, PaymentRules } from '../order.ts';
import { sinceOf } from '../schedule.ts';
import { type Decision, type PaymentEvent, withOrder } from '../transitions.ts';
import { withAlarm } from './alarm.ts';
import type { BookRecord } from './records.ts';

/**
 * What is known of an order's payments beside the order: the records of a query that began at `at` (ISO 8601), whether it counted, and
 * what operations did to the payments.
 */
export type Shown = {
  records: readonly BookRecord[];
  counted: boolean;
  at: string;
  histories: Histories | undefined;
};

/** Of a payment with such a status nothing is delivered. */
const over: readonly PaymentStatus[] = ['reversed', 'cancelled', 'rejected', 'refunded'];

/**
 * The decision with what a query's records say of the order's payments, and the events that tell the shop how these stand: held for a
 * review, reversed, not in the gateway's books, and once that the order may be delivered (`payment.ready`).
 * @param shown nothing where the order changed without a query, and histories were not read: only payments without a record are followed then
 */
export function followPayments(before: Decision, shown: Shown | undefined, now: Date, rules: PaymentRules): Decision {
  const followed = before.order.payments.filter(({ record }) => shown !== undefined || record === undefined);
  return followed.reduce((decision, payment) => {
    const awaited = withRecord(payment, shown, rules);
    const history = historyIn(shown?.histories, payment.transaction_id);
    const { payment: next, events } = told(decision, waitedFor(awaited, decision, now, rules), history, now, rules);
    if (next === payment && events.length === 0) return decision;
    const payments = decision.order.payments.map((one) => (one === payment ? next : one));
    const changed = withAlarm(withOrder(decision, { payments }), payment, next);
    return events.length === 0 ? changed : { ...changed, payments: [...(changed.payments ?? []), ...events] };
  }, before);
}

/** The payment with what its record says in this query, or that a counted one did not show it, or not what it means. */
function withRecord(payment: OrderPayment, shown: Shown | undefined, rules: PaymentRules): OrderPayment {
  if (!shown) return payment;
  const { records, counted, at } = shown;
  const record = records.find(({ transaction_id }) => transaction_id === payment.transaction_id);
  if (record && (counted || record.meaning === 'approved')) {
    const facts = recordFacts(record.source, at);
    if (saysOf(facts, rules) === 'unclear') return asked({ ...payment, record: facts });
    const { awaited: _, unconfirmed: __, ...rest } = payment;
    return { ...rest, record: facts };
  }
  return counted ? asked(payment) : payment;
}

/** The payment, of which a counted query did not confirm what it awaits. */
function asked(payment: OrderPayment): OrderPayment {
  const { awaited } = payment;
  return awaited && !awaited.asked ? { ...payment, awaited: { ...awaited, asked: true } } : payment;
}

/**
 * The payment, once its record is awaited no more: a person decided about it; or it was long enough, and it is unconfirmed if the
 * gateway was asked, and did not show it.
 */
function waitedFor(payment: OrderPayment, { order }: Decision, now: Date, { resolve }: PaymentRules): OrderPayment {
  const { awaited, ...rest } = payment;
  if (decisionOn(payment)) {
    const { unconfirmed, ...known } = rest;
    return awaited || unconfirmed ? known : payment;
  }
  if (!awaited) return payment;
  if (resolve.confirm_ms === 0) return rest;
  const waited = now.getTime() - sinceOf(awaited.since, order, now);
  if (waited < Math.max(resolve.absent_ms, resolve.confirm_ms)) return payment;
  return awaited.asked ? { ...rest, unconfirmed: true } : rest;
}

/** The payment with what the shop is told of it now, and the events that do so. */
function told(
  { order }: Decision,
  payment: OrderPayment,
  history: PaymentHistory,
  now: Date,
  rules: PaymentRules,
): { payment: OrderPayment; events: PaymentEvent[] } {
  const { transaction_id } = payment;
  const { status } = standingOf(order, payment, history, rules);
  const byRecord = statusByRecord(payment, status, history, rules, order);
  const events: PaymentEvent[] = [];
  let next = payment;
  if (byRecord !== payment.told) {
    const { told: before, told_at: _, ...rest } = payment;
    next = byRecord === undefined ? rest : { ...rest, told: byRecord, told_at: now.toISOString() };
    const type = byRecord === undefined ? undefined : eventOf[byRecord];
    if (type) events.push({ type, transaction_id });
    if (before === 'held' && byRecord === undefined && !over.includes(status) && !wasReviewed(history)) {
      events.push({ type: 'payment.accepted', transaction_id });
    }
    if (before === 'reversed' && payment.ready && !over.includes(status) && status !== 'held') {
      events.push({ type: 'payment.ready', transaction_id, confirmed: true, restored: true });
      next = { ...next, ready: 'sent' };
    }
  }
  if (next.unconfirmed && !order.payments.some((one) => one.transaction_id === transaction_id && one.unconfirmed)) {
    events.push({ type: 'payment.unconfirmed', transaction_id });
  }
  const isOpen = next.awaited !== undefined || next.unconfirmed === true || status === 'held';
  if (next.ready === 'due' && !isOpen && !over.includes(status)) {
    events.push({ type: 'payment.ready', transaction_id, confirmed: isConfirmed(next) });
    next = { ...next, ready: 'sent' };
  }
  return { payment: next, events };
}

/** Confirmed by the gateway's books, or by a person who looked at them. */
function isConfirmed({ record, decided }: OrderPayment): boolean {
  return record !== undefined || decided?.outcome === 'confirmed';
}

/** A status that the payment has by its record, or by a person's decision about that, and not by our own operations. */
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

/** The events that tell of a status by the record. */
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
