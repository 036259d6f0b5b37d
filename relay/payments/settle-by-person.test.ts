import { describe, expect, it } from 'vitest';
import {
  approvedBy,
  DAY,
  declinedOf,
  HOUR,
  lost,
  moment,
  record,
  SECOND,
  session,
  story,
  toIssuer,
} from '../../test/support/payments/sessions.ts';
import { unanswered } from '../../test/support/payments/stories.ts';

const approved = { outcome: 'approved', transaction_id: 'P1' } as const;
const notPaid = { outcome: 'not_paid' } as const;

describe('a person who decides about an order', () => {
  it('makes it paid', () => {
    const of = unanswered();
    expect(of.person(approved)).toBe(true);
    expect(of.state()).toMatchObject({ status: 'approved', transaction_id: 'P1' });
    expect(of.order()).toMatchObject({
      hold: 'paid',
      payments: [{ transaction_id: 'P1', amount: '10.00', currency: 'BRL', proof: 'person', attempt_id: 'at_1' }],
      sessions: [{ settled: { by: 'key', note: 'n' } }],
      next_query_at: expect.any(String),
    });
    expect(of.events.at(-1)).toEqual({ type: 'session.approved', session_id: 'cs_1' });
  });

  it('may say that another amount was paid', () => {
    const of = unanswered();
    of.person({ ...approved, amount: '12.00', currency: 'USD' });
    expect(of.order().payments).toMatchObject([{ amount: '12.00', currency: 'USD' }]);
  });

  it('frees it, and the attempt stays watched', () => {
    const of = unanswered();
    expect(of.person(notPaid)).toBe(true);
    expect(of.state()).toMatchObject({ status: 'open', notice: 'not_paid' });
    expect(of.attempt()).toEqual({ status: 'not_paid', reason: 'settled' });
    expect(of.order()).toMatchObject({ hold: 'free', next_query_at: expect.any(String) });
    expect(of.events.at(-1)).toEqual({ type: 'session.declined', session_id: 'cs_1', reason: 'settled' });
  });

  it('does so through any of its sessions', () => {
    const of = unanswered(story({ sessions: [session('cs_1'), session('cs_2')] }));
    of.person(approved, 'cs_2');
    expect(of.state('cs_1')).toMatchObject({ status: 'approved', transaction_id: 'P1' });
    expect(of.state('cs_2')).toEqual({ status: 'failed', reason: 'order_already_paid' });
  });

  it('cannot decide if nothing is undecided', () => {
    const of = story();
    expect(of.person(notPaid)).toBe(false);
    of.pay();
    expect(of.person(notPaid)).toBe(false);
    of.answer('at_1', declinedOf());
    expect(of.person(approved)).toBe(false);
    of.pay('at_2');
    of.answer('at_2', approvedBy('T1'));
    expect(of.person(notPaid)).toBe(false);
  });

  it('cannot end a payment that is sent, though another holds the order', () => {
    for (const verdict of [approved, notPaid]) {
      const of = story();
      of.pay();
      of.query(record('T0', '3000', { date: moment(-365 * DAY) }));
      expect(() => of.person(verdict)).not.toThrow();
      expect(of.status()).toBe('processing');
    }
  });

  it('decides about the records known then, unless they change', () => {
    for (const [code, change] of [
      ['77', { payment_status: '78' }],
      ['77', { amount: '20.00' }],
      ['1000', { payment_status: '77' }],
    ] as const) {
      const of = unanswered();
      const seen = record('T1', code);
      of.query(seen);
      of.person(notPaid);
      of.query(seen);
      expect(of.order().hold).toBe('free');
      of.query({ ...seen, ...change });
      expect(of.order().hold).toBe('held');
    }
  });

  it('frees an order that another amount holds, until that is gone', () => {
    const of = unanswered();
    const odd = record('T1', '3000', { amount: '20.00' });
    of.query(odd);
    of.person(notPaid);
    of.query(odd);
    expect(of.order()).toMatchObject({ hold: 'free', payments: [] });
    expect(of.status()).toBe('open');
    of.query(odd, record('T2', '3000'));
    expect(of.order().payments).toMatchObject([{ transaction_id: 'T2' }, { transaction_id: 'T1' }]);
    expect(of.eventTypes().at(-1)).toBe('session.paid_twice');
  });

  it('decides about one record without a transaction_id, not about the next', () => {
    const of = unanswered();
    const nameless = record(undefined, '77');
    of.query(nameless);
    of.person(notPaid);
    of.pass(HOUR);
    of.pay('at_2');
    of.answer('at_2', lost);
    of.pass(5 * SECOND);
    of.absent(nameless, record(undefined, '77', { date: moment(HOUR + SECOND) }));
    expect(of.order().hold).toBe('held');
  });

  it('is reported by a webhook, whatever the session waits for', () => {
    const away = story();
    away.pay('at_1', { method: 'PIX' });
    away.answer('at_1', toIssuer);
    away.person(notPaid);
    expect(away.events.at(-1)).toMatchObject({ type: 'session.declined', reason: 'settled' });

    const single = story({ sessions: [session('cs_1', { terms: { ...session().terms, single: true } })] });
    single.pay();
    single.answer('at_1', lost);
    single.absent();
    single.query(record('T1', '77'));
    expect(single.status()).toBe('failed');
    single.person(notPaid);
    expect(single.events.at(-1)).toMatchObject({ type: 'session.failed', reason: 'settled' });
    expect(single.order().hold).toBe('free');

    const secondTry = story();
    secondTry.pay('at_1', { method: 'PIX' });
    secondTry.answer('at_1', toIssuer);
    secondTry.returned();
    secondTry.query(record('T1', '4100'));
    secondTry.query(record('T1', '4100'), record('T2', '77'));
    expect(secondTry.status()).toBe('unknown');
    secondTry.person(notPaid);
    expect(secondTry.events.at(-1)).toMatchObject({ type: 'session.declined', reason: 'settled' });
  });

  it('is not kept with a session that the gateway proved paid', () => {
    const of = story({ sessions: [session('cs_1'), session('cs_2')] });
    of.pay('at_1');
    of.answer('at_1', declinedOf('T1'));
    of.pay('at_2', { session_id: 'cs_2', method: 'PIX' });
    of.answer('at_2', toIssuer);
    of.query(record('T1', '3000'));
    of.person(notPaid, 'cs_1');
    expect(of.order().sessions).toMatchObject([
      { state: { status: 'approved' } },
      { settled: { outcome: 'not_paid' } },
    ]);
    expect(of.order().sessions[0]).not.toHaveProperty('settled');
  });

  it('is about the attempt whose transaction they name', () => {
    const of = story({ sessions: [session('cs_1'), session('cs_2')] });
    of.pay('at_1');
    of.answer('at_1', declinedOf('T1'));
    of.pay('at_2', { session_id: 'cs_2', method: 'PIX', amount: '99.90' });
    of.answer('at_2', toIssuer);
    of.person({ outcome: 'approved', transaction_id: 'T1' }, 'cs_1');
    expect(of.order().payments).toMatchObject([{ attempt_id: 'at_1', transaction_id: 'T1', amount: '10.00' }]);
    expect(of.order().sessions[0]?.settled).toMatchObject({ amount: '10.00' });
    // The record of another sum is the other attempt's payment, and no proof of what they said.
    of.query(record('T9', '3000', { amount: '99.90' }));
    expect(of.order().payments).toMatchObject([
      { attempt_id: 'at_1', transaction_id: 'T1', proof: 'person' },
      { attempt_id: 'at_2', transaction_id: 'T9', proof: 'record' },
    ]);
    expect(of.order().sessions).toMatchObject([
      { state: { transaction_id: 'T1' } },
      { state: { status: 'approved', transaction_id: 'T9' } },
    ]);
  });

  it('keeps what they said of the payment', () => {
    const of = unanswered();
    of.person({ ...approved, amount: '9.00', currency: 'EUR' });
    expect(of.order().sessions[0]?.settled).toEqual({
      by: 'key',
      at: expect.any(String),
      note: 'n',
      outcome: 'approved',
      transaction_id: 'P1',
      amount: '9.00',
      currency: 'EUR',
    });
  });
});

describe('a session that ends', () => {
  it('by its time is expired', () => {
    const of = story();
    expect(of.expire()).toBe(true);
    expect(of.state()).toEqual({ status: 'expired' });
    expect(of.eventTypes()).toEqual(['session.expired']);
    expect(of.expire()).toBe(false);
  });

  it('by the shop’s will says whose it was', () => {
    const of = story();
    of.expire('cs_1', 'key');
    expect(of.state()).toEqual({ status: 'expired', withdrawn_by: 'key' });
    expect(of.eventTypes()).toEqual(['session.expired']);
  });

  it('is not ended while a payment is under way', () => {
    expect(unanswered().expire()).toBe(false);
  });
});
