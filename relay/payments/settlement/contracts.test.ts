import { describe, expect, it } from 'vitest';
import type { OrderRecord } from '../../../shared/gateway/query.ts';
import {
  approvedBy,
  attempt,
  DAY,
  moment,
  record,
  rules,
  session,
  story,
} from '../../../test/support/payments/sessions.ts';
import { emptyOrder } from '../order.ts';
import { startDecision } from '../transitions.ts';
import { chargesIn, failingContracts, failuresOf, noteCharges, payRenewal } from './contracts.ts';

const first = record('T1', '3000', { recurring_id: 'R1' });

const charge = (id: string, day: number, code = '3000', change: Partial<OrderRecord> = {}): OrderRecord =>
  record(id, code, { recurring_id: 'R1', date: moment(day * DAY), amount: '12.00', ...change });

/** A paid order whose payment began the contract R1, a hundred days later. */
function begun() {
  const of = story();
  of.pay();
  of.answer('at_1', approvedBy('T1', 'R1'));
  of.query(first);
  of.pass(100 * DAY);
  of.events.length = 0;
  of.payments.length = 0;
  return of;
}

const told = (of: ReturnType<typeof begun>) =>
  of.contracts.map(({ type, charge, failures }) => [type, charge.transaction_id, failures]);

describe('a later charge with the number of the order', () => {
  it('is a payment of its own, and is reported once', () => {
    const of = begun();
    for (let queries = 0; queries < 2; queries++) of.query(first, charge('C1', 31));
    expect(of.order().payments).toMatchObject([
      { transaction_id: 'T1', attempt_id: 'at_1' },
      { transaction_id: 'C1', origin: 'renewal', recurring_id: 'R1', method: 'card', amount: '12.00', ready: 'sent' },
    ]);
    expect(of.order().payments[1]?.attempt_id).toBeUndefined();
    expect(of.payments).toEqual([{ type: 'payment.ready', transaction_id: 'C1', confirmed: true }]);
    expect(told(of)).toEqual([['subscription.charged', 'C1', 0]]);
    expect(of.contracts[0]?.subject).toBe('cs_1');
    expect(of.eventTypes()).toEqual([]);
  });

  it('is not reported again if an earlier version reported it', () => {
    const of = begun();
    const before = startDecision({ ...of.order(), told_charges: ['C1'] });
    const after = noteCharges(before, chargesIn(of.order(), [charge('C1', 31)], rules), of.now());
    expect(after.order.payments[1]).toMatchObject({ transaction_id: 'C1', origin: 'renewal' });
    expect(after.order.payments[1]?.ready).toBeUndefined();
    expect(after.contracts).toBeUndefined();
  });

  it('pays nothing twice, whichever comes first', () => {
    const of = begun();
    of.query(charge('C1', 31), first, charge('C2', 61));
    of.query(charge('C2', 61), record('T2', '3000'));
    expect(of.eventTypes()).toEqual(['session.paid_twice']);
    expect(of.events.at(-1)).toMatchObject({ transaction_ids: ['T1', 'T2'] });
  });

  it('is held, and ready once it is accepted', () => {
    const of = begun();
    of.query(first, charge('C1', 31, '3900'));
    of.query(first, charge('C1', 31));
    expect(of.payments.map(({ type }) => type)).toEqual(['payment.held', 'payment.accepted', 'payment.ready']);
    expect(told(of)).toEqual([['subscription.charged', 'C1', 0]]);
  });

  it('is reversed later, and no failed charge', () => {
    const of = begun();
    of.query(first, charge('C1', 31));
    of.query(first, charge('C1', 31, '4100'));
    expect(of.payments.map(({ type }) => type)).toEqual(['payment.ready', 'payment.reversed']);
    expect(told(of)).toEqual([['subscription.charged', 'C1', 0]]);
    expect(of.order().charges).toMatchObject([{ transaction_id: 'C1' }]);
  });

  it('is none while a query does not count', () => {
    const of = begun();
    of.settle({
      begun: { at: of.now().toISOString(), process: 'run_1', monotonic_ms: 0 },
      notices: 0,
      counted: false,
      fault: 'query_refused',
      records: [charge('C1', 31)],
    });
    expect(of.order().charges).toBeUndefined();
    expect(of.order().payments).toHaveLength(1);
  });
});

describe('a failed charge', () => {
  it('sends one webhook, and counts until one succeeds', () => {
    const of = begun();
    for (let queries = 0; queries < 2; queries++)
      of.query(first, charge('C1', 31, '4100', { decline_reason: 'no money' }));
    expect(of.order().payments).toHaveLength(1);
    expect(of.contracts).toMatchObject([
      { type: 'subscription.charge_failed', failures: 1, charge: { failed: { code: '4100', message: 'no money' } } },
    ]);
    expect(failingContracts(of.order())).toMatchObject([{ last: { transaction_id: 'C1' } }]);
    of.query(charge('C1', 31, '4100'), charge('C2', 33, '4100'), charge('C3', 35));
    expect(told(of).slice(1)).toEqual([
      ['subscription.charge_failed', 'C2', 0],
      ['subscription.charged', 'C3', 0],
    ]);
    expect(failingContracts(of.order())).toEqual([]);
  });

  it('counts by the date of its record', () => {
    const of = begun();
    of.query(first, charge('C2', 61));
    of.query(first, charge('C1', 31, '4100'));
    expect(told(of)).toEqual([
      ['subscription.charged', 'C2', 0],
      ['subscription.charge_failed', 'C1', 0],
    ]);
    of.query(first, charge('C3', 91, '4100'));
    expect(failuresOf(of.order().charges, 'R1')).toBe(1);
    of.query(first, charge('C4', 75));
    expect(told(of).at(-1)).toEqual(['subscription.charged', 'C4', 1]);
  });

  it('succeeds where its record is approved later', () => {
    const of = begun();
    of.query(first, charge('C1', 31, '4100'));
    of.query(first, charge('C1', 31));
    expect(told(of)).toEqual([
      ['subscription.charge_failed', 'C1', 1],
      ['subscription.charged', 'C1', 0],
    ]);
    expect(of.order().payments).toHaveLength(2);
    expect(of.order().charges).toHaveLength(1);
  });

  it('is no decline of the order’s own attempts', () => {
    const of = begun();
    of.query(first, record('T1', '4100', { recurring_id: 'R1', date: moment(31 * DAY) }));
    expect(of.contracts).toEqual([]);
    expect(of.payments.map(({ type }) => type)).toEqual(['payment.reversed']);
  });
});

describe('a later charge with a number of its own', () => {
  const own = charge('C1', 31, '3000', { order_no: 'A-R2' });

  it('is found by the order that began its contract', () => {
    const order = begun().order();
    expect(chargesIn(order, [first, own], rules)).toMatchObject([
      { charge: { transaction_id: 'C1', order_no: 'A-R2' } },
    ]);
    const others = [
      charge('C2', 0.5, '3000', { order_no: 'A-R2' }),
      charge('C3', 31, '1000', { order_no: 'A-R2' }),
      charge('C4', 31, '3000', { order_no: '' }),
      charge('', 31, '3000', { order_no: 'A-R2' }),
      charge('C5', 31, '3000', { order_no: 'A-R2', transaction_date: '' }),
      { ...own, subscription_result: { recurring_id: 'R2' } },
    ];
    expect(chargesIn(order, others, rules)).toEqual([]);
    expect(chargesIn(emptyOrder('demo', 'A'), [own], rules)).toEqual([]);
  });

  it('pays its own order, and is noted with the other', () => {
    const order = begun().order();
    const [shown] = chargesIn(order, [own], rules);
    if (!shown) throw new TypeError('no charge');
    const paid = payRenewal(startDecision(emptyOrder('demo', 'A-R2')), order, shown, moment(40 * DAY));
    expect(paid.order).toMatchObject({ hold: 'paid', payments: [{ transaction_id: 'C1', origin: 'renewal' }] });
    expect(paid.contracts).toMatchObject([{ type: 'subscription.charged', subject: 'cs_1', failures: 0 }]);
    expect(payRenewal(paid, order, shown, moment(41 * DAY))).toBe(paid);
    const noted = noteCharges(startDecision(order), [shown], moment(40 * DAY));
    expect(noted.order.payments).toEqual(order.payments);
    expect(noted.order.charges).toMatchObject([{ transaction_id: 'C1', order_no: 'A-R2' }]);
    expect(noted.contracts).toBeUndefined();
    expect(noteCharges(noted, [shown], moment(41 * DAY))).toBe(noted);
  });

  it('holds no order that a charge of another contract paid', () => {
    const order = begun().order();
    const [shown] = chargesIn(order, [own], rules);
    if (!shown) throw new TypeError('no charge');
    const paid = payRenewal(startDecision(emptyOrder('demo', 'A-R2')), order, shown, moment(40 * DAY));
    const of = story(paid.order);
    of.query(own, charge('C9', 31, '3000', { order_no: 'A-R2', subscription_result: { recurring_id: 'R2' } }));
    expect(of.order().payments).toMatchObject([{ transaction_id: 'C1' }]);
    expect(of.order()).not.toHaveProperty('undecided');
  });

  it('has the contract’s name of its record, else of its session', () => {
    const named = { contract_name: 'Tea', recurring_id: 'R1' };
    const of = begun();
    of.query(first, charge('C1', 31, '4100', { subscription_result: named }), charge('C2', 32, '4100'));
    expect(of.contracts.map(({ contract_name }) => contract_name)).toEqual(['Tea', undefined]);
  });
});

it('webhooks of a contract without an attempt name the latest session', () => {
  const payment = { transaction_id: 'T1', amount: '10.00', currency: 'BRL', date: moment(0).toISOString() };
  const of = story({
    sessions: [session(), session('cs_2', { state: { status: 'failed' } })],
    attempts: [attempt('at_1', { state: { status: 'not_paid', reason: 'absent' } })],
    payments: [{ ...payment, proof: 'record', recurring_id: 'R1' }],
  });
  of.pass(40 * DAY);
  of.query(charge('C1', 31));
  expect(of.contracts[0]?.subject).toBe('cs_2');
});
