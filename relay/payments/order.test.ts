import { describe, expect, it } from 'vitest';
import { attempt, orderWith, result, session } from '../../test/support/payments/sessions.ts';
import { amountDue, isOrderChanged } from './amount-due.ts';
import type { AttemptState } from './attempt.ts';
import {
  attemptOf,
  emptyOrder,
  isBeingPaid,
  isPaid,
  needsQueryFirst,
  type OrderPayment,
  provedPayments,
  sessionOf,
} from './order.ts';
import { orderDigest, type Session } from './session.ts';

const payment: OrderPayment = {
  transaction_id: 'T1',
  amount: '10.00',
  currency: 'BRL',
  proof: 'record',
  date: '2026-01-01T12:00:01.000Z',
};

describe('an order', () => {
  it('is free and unpaid while nothing is known of it', () => {
    const order = emptyOrder('demo', 'A');
    expect(order).toEqual({
      account: 'demo',
      order_no: 'A',
      version: 0,
      hold: 'free',
      payments: [],
      decided: [],
      queries: { failures: 0 },
      notices: 0,
      noticed: 0,
      sessions: [],
      attempts: [],
    });
    expect([isPaid(order), isBeingPaid(order), needsQueryFirst(order)]).toEqual([false, false, false]);
  });

  it('is paid by a payment, even one deleted since', () => {
    expect(isPaid({ payments: [payment] })).toBe(true);
    expect(isPaid({ payments: [], wasPaid: true })).toBe(true);
    expect(isPaid({ payments: [] })).toBe(false);
  });

  it.each<[AttemptState, boolean]>([
    [{ status: 'in_flight' }, true],
    [{ status: 'unknown', reason: 'timeout', evidence: {} }, false],
  ])('with an attempt in the state %j is being paid: %s', (state, expected) => {
    expect(
      isBeingPaid({ attempts: [attempt('at_0', { state: { status: 'approved' } }), attempt('at_1', { state })] }),
    ).toBe(expected);
  });

  it('is queried before another payment if one may be booked', () => {
    const declined = attempt('at_1', { state: { status: 'declined', result, proof: 'answer' } });
    const absent = attempt('at_2', { state: { status: 'not_paid', reason: 'absent' } });
    const unsent = attempt('at_3', { state: { status: 'not_sent' } });
    expect(needsQueryFirst(orderWith({ attempts: [declined] }))).toBe(false);
    expect(needsQueryFirst(orderWith({ attempts: [declined, absent] }))).toBe(true);
    expect(needsQueryFirst(orderWith({ attempts: [declined], notices: 2, noticed: 1 }))).toBe(true);
    expect(needsQueryFirst(orderWith({ attempts: [declined], notices: 2, noticed: 2 }))).toBe(false);
    expect(needsQueryFirst(orderWith({ attempts: [unsent], notices: 2, noticed: 1 }))).toBe(false);
    expect(needsQueryFirst(orderWith({ attempts: [unsent, declined], notices: 2, noticed: 1 }))).toBe(true);
  });

  it('is proved paid only by signed answers and records', () => {
    const payments: OrderPayment[] = [
      { ...payment, transaction_id: 'P', proof: 'person' },
      { ...payment, transaction_id: 'U', proof: 'answer', unsigned: true },
      { ...payment, transaction_id: 'S', proof: 'answer' },
      payment,
    ];
    expect(provedPayments(orderWith({ payments })).map(({ transaction_id }) => transaction_id)).toEqual(['S', 'T1']);
  });

  it('has the sessions and attempts that it was loaded with', () => {
    const order = orderWith({
      sessions: [session('cs_1'), session('cs_2')],
      attempts: [attempt('at_1'), attempt('at_2')],
    });
    expect(sessionOf(order, 'cs_2').id).toBe('cs_2');
    expect(attemptOf(order, 'at_2').id).toBe('at_2');
    expect(() => sessionOf(order, 'cs_3')).toThrow(new TypeError('the order has no such session'));
    expect(() => attemptOf(order, 'at_3')).toThrow(new TypeError('the order has no such attempt'));
  });
});

describe('what a session asks for', () => {
  const terms = session().terms;
  const dearer = { ...terms, order: { ...terms.order, amount: '12.00' } };
  const paying = (change: Partial<Session>): Session =>
    session('cs_1', { state: { status: 'processing', attempt_id: 'at_1' }, ...change });

  it('is its order while no attempt decides', () => {
    expect(amountDue(session('cs_1', { revision: 3 }), [attempt()])).toEqual({
      amount: '10.00',
      currency: 'BRL',
      revision: 3,
    });
    expect(isOrderChanged(session('cs_1', { revision: 3, terms: dearer }), [attempt()])).toBe(false);
  });

  it('is what the deciding attempt was sent with', () => {
    const changed = paying({ revision: 2, terms: dearer });
    const attempts = [attempt('at_0', { amount: '9.00' }), attempt('at_1', { revision: 1 })];
    expect(amountDue(changed, attempts)).toEqual({ amount: '10.00', currency: 'BRL', revision: 1 });
    expect(isOrderChanged(changed, attempts)).toBe(true);
  });

  it('is changed if only its currency differs', () => {
    const inDollars = paying({ revision: 2, terms: { ...terms, order: { ...terms.order, currency: 'USD' } } });
    const attempts = [attempt('at_1', { revision: 1 })];
    expect(amountDue(inDollars, attempts)).toEqual({ amount: '10.00', currency: 'BRL', revision: 1 });
    expect(isOrderChanged(inDollars, attempts)).toBe(true);
  });

  it('is not changed where its amount is that of the attempt', () => {
    expect(isOrderChanged(paying({}), [attempt('at_1', { revision: 1 })])).toBe(false);
    expect(isOrderChanged(paying({}), [attempt('at_1')])).toBe(false);
  });

  it('is changed by another revision of the same sum, unless changed back', () => {
    const attempts = [attempt('at_1', { revision: 1 })];
    const sent = { 1: orderDigest(terms.order) };
    expect(isOrderChanged(paying({ revision: 2 }), attempts)).toBe(true);
    expect(isOrderChanged(paying({ revision: 3, terms: { ...terms, sent_orders: sent } }), attempts)).toBe(false);
    const other = { 1: orderDigest({ ...terms.order, amount: '11.00' }) };
    expect(isOrderChanged(paying({ revision: 3, terms: { ...terms, sent_orders: other } }), attempts)).toBe(true);
  });

  it('keeps its revision where an attempt of another session decides', () => {
    const attempts = [attempt('at_1', { session_id: 'cs_2', amount: '11.00', revision: 7 })];
    expect(amountDue(paying({ revision: 2 }), attempts)).toEqual({ amount: '11.00', currency: 'BRL', revision: 2 });
    expect(isOrderChanged(paying({ revision: 2 }), attempts)).toBe(true);
    const inDollars = attempt('at_1', { session_id: 'cs_2', currency: 'USD' });
    expect(isOrderChanged(paying({ revision: 2 }), [inDollars])).toBe(true);
    expect(isOrderChanged(paying({ revision: 2 }), [{ ...inDollars, currency: 'BRL' }])).toBe(false);
  });
});
