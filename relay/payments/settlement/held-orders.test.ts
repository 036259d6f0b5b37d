import { describe, expect, it } from 'vitest';
import { approvedBy, DAY, declinedOf, HOUR, moment, record, story } from '../../../test/support/payments/sessions.ts';
import { absent, paidWith, pending, two, unanswered } from '../../../test/support/payments/stories.ts';
import { amountDue, isOrderChanged } from '../amount-due.ts';
import { sessionOf } from '../order.ts';

describe('what is pending', () => {
  it('makes the session pending, and holds the order without an alarm', () => {
    const of = pending();
    expect(of.state()).toMatchObject({
      status: 'pending',
      attempt_id: 'at_1',
      transaction_id: 'T1',
      search: { needs_attention: false },
    });
    expect(of.attempt()).toMatchObject({ status: 'pending' });
    expect(of.order()).toMatchObject({ hold: 'held', undecided: { reason: 'pending' } });
    expect(of.eventTypes().filter((type) => type === 'session.pending')).toHaveLength(1);
    of.pass(HOUR);
    of.query(record('T1', '1000'));
    expect(of.eventTypes().filter((type) => type === 'session.pending')).toHaveLength(1);
  });

  it('needs a person at the session’s end, and stays pending', () => {
    const of = pending();
    of.pass(DAY);
    for (let queries = 0; queries < 2; queries++) of.query(record('T1', '1000'));
    expect(of.state()).toMatchObject({ status: 'pending', search: { needs_attention: true } });
    expect(of.eventTypes().filter((type) => type === 'session.pending')).toHaveLength(2);
  });

  it('is given up by the shopper, and then holds nothing', () => {
    const of = pending();
    expect(of.abandon()).toBe('abandoned');
    expect(of.state()).toMatchObject({ status: 'open', notice: 'not_paid' });
    expect(of.events.at(-1)).toEqual({ type: 'session.declined', session_id: 'cs_1', reason: 'abandoned' });
    of.query(record('T1', '1000'));
    expect(of.status()).toBe('open');
    expect(of.order().hold).toBe('free');
    expect(of.abandon()).toBe('not_awaited');
    of.query(record('T1', '3000'));
    expect(of.status()).toBe('approved');
  });

  it('is given up through any session of the order', () => {
    const of = pending(two());
    of.holdPaying('cs_2');
    expect(of.status('cs_2')).toBe('pending');
    expect(of.abandon()).toBe('abandoned');
    expect([of.status('cs_1'), of.status('cs_2')]).toEqual(['open', 'open']);
  });

  it('decides about another session, whose revision stays its own', () => {
    const of = pending(two());
    of.holdPaying('cs_2');
    const order = of.order();
    const changed = { ...sessionOf(order, 'cs_2'), revision: 2 };
    expect(changed.state).toMatchObject({ status: 'pending' });
    expect(amountDue(changed, order.attempts)).toMatchObject({ amount: '10.00', revision: 2 });
    expect(isOrderChanged(changed, order.attempts)).toBe(false);
  });

  it.each(['card', 'token'])('by %s is not given up, but settled', (method) => {
    const of = pending(story(), method);
    expect(of.abandon()).toBe('cannot_abandon');
    expect(of.status()).toBe('pending');
    expect(of.person({ outcome: 'not_paid' })).toBe(true);
    expect(of.status()).toBe('open');
  });

  it('is declined by a record of its own', () => {
    const of = pending();
    of.query(record('T1', '4100'));
    expect(of.state()).toMatchObject({ status: 'open', notice: 'declined' });
    expect(of.events.at(-1)).toMatchObject({ type: 'session.declined', reason: 'declined' });
  });

  it('becomes unknown where its code is not listed any more', () => {
    const of = pending();
    of.query(record('T1', '77'));
    expect(of.state()).toMatchObject({ status: 'unknown', search: { reason: 'codes_not_listed' } });
    of.query(record('T1', '1000'));
    expect(of.status()).toBe('pending');
  });
});

describe('a record of another amount', () => {
  it.each<[string, object]>([
    ['3000', { amount: '20.00' }],
    ['1000', { amount: '20.00' }],
    ['77', { currency: 'USD' }],
  ])('with the code %s holds the order for a person', (code, sum) => {
    const of = unanswered();
    of.query(record('T1', code, sum));
    expect(of.state()).toMatchObject({
      status: 'unknown',
      search: { reason: 'amount_differs', needs_attention: true },
    });
    expect(of.order()).toMatchObject({ hold: 'held', undecided: { reason: 'amount_differs' } });
    of.pass(HOUR);
    for (let queries = 0; queries < 4; queries++) of.query(record('T1', code, sum));
    expect(of.status()).toBe('unknown');
    expect(of.eventTypes().filter((type) => type === 'session.unknown')).toHaveLength(2);
  });

  it.each(['1000', '77'])('with the code %s from before the first attempt holds nothing', (code) => {
    const of = unanswered();
    of.query(record('T1', code, { amount: '20.00', date: moment(-365 * DAY) }));
    expect(of.order().undecided).toBeUndefined();
    expect(of.state()).toMatchObject({ status: 'unknown', search: { reason: 'timeout' } });
  });

  it('moves an open session that is to be paid', () => {
    const of = absent(two());
    of.query(record('T1', '3000', { amount: '20.00' }));
    expect(of.order().hold).toBe('held');
    expect(of.state('cs_1')).toMatchObject({ status: 'unknown', search: { needs_attention: true } });
    of.holdPaying('cs_2');
    expect(of.state('cs_2')).toMatchObject({ status: 'unknown', search: { reason: 'amount_differs' } });
  });

  it('is a second payment where the order is paid', () => {
    const of = story();
    of.pay();
    of.answer('at_1', approvedBy('T1'));
    of.query(record('T1', '3000'), record('T2', '3000', { amount: '20.00' }));
    expect(of.events.at(-1)).toEqual({
      type: 'session.paid_twice',
      session_id: 'cs_1',
      transaction_ids: ['T1', 'T2'],
    });
    expect(of.order().payments).toMatchObject([{ transaction_id: 'T1' }, { transaction_id: 'T2', amount: '20.00' }]);
  });

  it('frees the order when it goes', () => {
    const of = absent();
    of.query(record('T1', '77', { amount: '20.00' }));
    expect(of.status()).toBe('unknown');
    of.query();
    expect(of.status()).toBe('open');
    expect(of.order().hold).toBe('free');
  });
});

describe('a payment of long ago', () => {
  const old = record('T0', '3000', { date: moment(-25 * HOUR) });

  it('holds an unpaid order for a person, and does not pay it', () => {
    const of = unanswered();
    of.query(old);
    expect(of.state()).toMatchObject({ status: 'unknown', search: { reason: 'paid_before', needs_attention: true } });
    expect(of.order()).toMatchObject({ hold: 'held', payments: [] });
    of.person({ outcome: 'not_paid' });
    expect(of.order().hold).toBe('free');
    of.query(old);
    expect(of.order().hold).toBe('free');
  });

  it('is no second payment', () => {
    const of = unanswered();
    of.query(old, record('T1', '3000'));
    expect(paidWith(of)).toEqual(['T1']);
    of.query(old, record('T1', '3000'));
    expect(of.eventTypes()).toEqual(['session.unknown', 'session.approved']);
  });

  it('holds an unpaid order again by a later charge of its contract', () => {
    const begun = record('T0', '3000', { date: moment(-25 * HOUR), recurring_id: 'R0' });
    const charge = record('C1', '3000', { date: moment(30 * DAY), recurring_id: 'R0' });
    const of = unanswered();
    of.query(begun);
    of.person({ outcome: 'not_paid' });
    of.query(begun, charge);
    expect(of.order()).toMatchObject({ hold: 'held', payments: [], undecided: { reason: 'paid_before' } });
    expect(of.order().undecided?.records).toMatchObject([{ transaction_id: 'C1' }]);
    of.person({ outcome: 'not_paid' });
    of.query(begun, charge);
    expect(of.order()).toMatchObject({ hold: 'free', payments: [] });
    expect(of.eventTypes()).not.toContain('session.approved');
  });

  it('is no second payment by a later charge of its contract', () => {
    const begun = record('T0', '3000', { date: moment(-25 * HOUR), recurring_id: 'R0' });
    const charge = record('C1', '3000', { date: moment(30 * DAY), recurring_id: 'R0' });
    const of = unanswered();
    of.query(record('T1', '3000'));
    of.query(begun, record('T1', '3000'), charge);
    expect(paidWith(of)).toEqual(['T1']);
    expect(of.eventTypes()).not.toContain('session.paid_twice');
  });

  it('pays the order where an attempt has its transaction_id', () => {
    const of = story();
    of.pay();
    of.answer('at_1', declinedOf('T0'));
    of.query(old);
    expect(of.status()).toBe('approved');
  });
});
