import { describe, expect, it } from 'vitest';
import { order as orderTerms } from '../../shared/checkout/session.ts';
import {
  rules as allRules,
  attempt,
  moment,
  orderWith,
  SECOND,
  session,
} from '../../test/support/payments/sessions.ts';
import { standingsOf } from '../payments/ledger/order-status.ts';
import type { Histories } from '../payments/ledger/payment-operation.ts';
import type { OrderPayment, PaymentRules, StoredOrder } from '../payments/order.ts';
import { headlineOf, summaryOf } from './summary.ts';

const rules: PaymentRules = { ...allRules, capture: { card: 'automatic' } };
const paidAt = moment(5 * SECOND).toISOString();
const payment: OrderPayment = {
  ...{ transaction_id: 'T1', amount: '10.00', currency: 'BRL' },
  ...{ proof: 'record', date: paidAt, method: 'card' },
};

const seenWith = (order: StoredOrder, histories: Histories = new Map()) => ({
  standings: standingsOf(order, histories, rules),
  rules,
  now: moment(10 * SECOND),
});

/** An order that its only session paid. */
function paidOrder(): StoredOrder {
  const order = orderTerms.parse({
    ...{ order_no: 'A', currency: 'BRL', amount: '10.00' },
    ...{ shopper_email: 'ana@shop.example' },
  });
  const approved = session('cs_1', { state: { status: 'approved', attempt_id: 'at_1', transaction_id: 'T1' } });
  return orderWith({
    sessions: [{ ...approved, terms: { ...approved.terms, order } }],
    attempts: [attempt('at_1', { state: { status: 'approved' }, card: '411111******1111', transaction_id: 'T1' })],
    payments: [{ ...payment, attempt_id: 'at_1' }],
  });
}

describe('the summary of an order', () => {
  it('has the payment, the session and the sums of a paid order', () => {
    const refund = { operations: [], refunds: [], taken: 250n };
    const order = paidOrder();
    expect(summaryOf(order, seenWith(order, new Map([['T1', refund]])))).toEqual({
      ...{ order_no: 'A', status: 'partially_refunded', created_at: moment(0).toISOString() },
      ...{ amount: '10.00', currency: 'BRL', payment_method: 'card', transaction_id: 'T1' },
      ...{ session_id: 'cs_1', session_status: 'approved', needs_attention: false },
      ...{ card: '411111******1111', shopper_email: 'a•••@shop.example' },
      ...{ captured: '10.00', refunded: '2.50', refund_undecided: '0.00', refundable: '7.50' },
    });
  });

  it('is undefined if the sessions were deleted', () => {
    const order = { ...paidOrder(), sessions: [] };
    expect([headlineOf(order, seenWith(order)), summaryOf(order, seenWith(order))]).toEqual([undefined, undefined]);
  });

  it('begins with the payment if the order has only a contract’s charge', () => {
    const order = orderWith({ payments: [{ ...payment, recurring_id: 'R1' }] });
    const summary = summaryOf(order, seenWith(order));
    expect(summary).toMatchObject({ created_at: paidAt, status: 'paid', amount: '10.00', transaction_id: 'T1' });
    expect(summary).not.toHaveProperty('session_id');
    expect(summary).not.toHaveProperty('shopper_email');
  });
});
