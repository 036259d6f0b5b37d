import { describe, expect, it } from 'vitest';
import {
  approvedBy,
  DAY,
  declinedOf,
  HOUR,
  lost,
  record,
  refused,
  SECOND,
  type Story,
  session,
  story,
} from '../../../test/support/payments/sessions.ts';
import { absent, away, isHeld, paidWith, pending, unanswered } from '../../../test/support/payments/stories.ts';

describe('an approved record', () => {
  it('may write its currency in small letters', () => {
    const of = unanswered();
    of.query(record('T1', '3000', { currency: 'brl' }));
    expect(of.order()).toMatchObject({ hold: 'paid', payments: [{ transaction_id: 'T1', currency: 'BRL' }] });
  });

  it.each<[string, () => Story]>([
    ['unknown', unanswered],
    ['pending', pending],
    ['at the issuer’s page', away],
    ['absent', absent],
    [
      'declined by the gateway’s signed answer',
      () => {
        const of = story();
        of.pay();
        of.answer('at_1', declinedOf('T1'));
        return of;
      },
    ],
    [
      'declined by a record',
      () => {
        const of = unanswered();
        of.query(record('T1', '4100'));
        expect(of.attempt()).toMatchObject({ status: 'declined', proof: 'record' });
        return of;
      },
    ],
    [
      'refused',
      () => {
        const of = story();
        of.pay();
        of.answer('at_1', refused);
        return of;
      },
    ],
    [
      'abandoned',
      () => {
        const of = pending();
        of.abandon();
        return of;
      },
    ],
    [
      'settled by a person',
      () => {
        const of = unanswered();
        of.person({ outcome: 'not_paid' });
        return of;
      },
    ],
  ])('makes an order paid whose attempt was %s', (_, before) => {
    const of = before();
    of.query(record('T1', '3000'));
    expect(of.state()).toMatchObject({ status: 'approved', transaction_id: 'T1', attempt_id: 'at_1' });
    expect(of.attempt()).toMatchObject({ status: 'approved' });
    expect(of.order()).toMatchObject({ hold: 'paid', payments: [{ transaction_id: 'T1', proof: 'record' }] });
    expect(of.events.at(-1)).toEqual({ type: 'session.approved', session_id: 'cs_1' });
  });

  it('is credited to the attempt with its transaction_id', () => {
    const of = story();
    of.pay('at_1');
    of.answer('at_1', declinedOf('T1'));
    of.pay('at_2');
    of.answer('at_2', lost);
    of.query(record('T1', '3000'));
    expect(of.state()).toMatchObject({ attempt_id: 'at_1' });
    expect(of.order().payments).toMatchObject([{ attempt_id: 'at_1' }]);
    expect(of.attempt('at_2')).toMatchObject({ status: 'unknown' });
  });

  it('is credited to the oldest unsettled attempt, else to the latest', () => {
    const unsettled = story();
    unsettled.pay('at_1');
    unsettled.answer('at_1', refused);
    unsettled.pay('at_2');
    unsettled.answer('at_2', lost);
    unsettled.query(record('T1', '3000'));
    expect(unsettled.order().payments).toMatchObject([{ attempt_id: 'at_2' }]);
    const settled = story();
    for (const id of ['at_1', 'at_2']) {
      settled.pay(id);
      settled.answer(id, refused);
    }
    settled.query(record('T1', '3000'));
    expect(settled.order().payments).toMatchObject([{ attempt_id: 'at_2' }]);
  });

  it('is credited to no attempt of another transaction where one is free', () => {
    const of = story();
    of.pay('at_1');
    of.answer('at_1', refused);
    of.pass(SECOND);
    of.pay('at_2');
    of.answer('at_2', declinedOf('T2'));
    of.query(record('T1', '3000'));
    expect(of.order().payments).toMatchObject([{ transaction_id: 'T1', attempt_id: 'at_1' }]);
    expect(of.attempt('at_2')).toMatchObject({ status: 'declined' });
    of.query(record('T1', '3000'), record('T3', '3000'));
    expect(of.order().payments).toMatchObject([{}, { transaction_id: 'T3', attempt_id: 'at_1' }]);
  });

  it('is credited to an attempt of its amount that was sent before', () => {
    const of = story();
    of.pay('at_1', { amount: '20.00' });
    of.answer('at_1', refused);
    of.pass(HOUR);
    of.pay('at_2', { amount: '10.00' });
    of.answer('at_2', refused);
    of.pass(HOUR);
    of.pay('at_3', { amount: '20' });
    of.query(record('T1', '3000', { amount: '20.0' }));
    expect(of.order().payments).toMatchObject([{ attempt_id: 'at_1' }]);
    expect(of.state()).toMatchObject({ status: 'approved', attempt_id: 'at_1' });
  });

  it('moves to another attempt whose own answer approves it', () => {
    const of = story();
    of.pay('at_1');
    of.answer('at_1', refused);
    of.pass(SECOND);
    of.pay('at_2');
    of.query(record('T2', '3000'));
    expect(of.order().payments).toMatchObject([{ transaction_id: 'T2', attempt_id: 'at_2' }]);
    of.answer('at_2', lost);
    of.answer('at_1', approvedBy('T2'));
    expect(of.order()).toMatchObject({
      hold: 'paid',
      payments: [{ transaction_id: 'T2', attempt_id: 'at_1', proof: 'answer' }],
    });
    expect(of.eventTypes()).not.toContain('session.paid_twice');
  });

  it('is reported as late if the session was over', () => {
    const failed = story({ sessions: [session('cs_1', { terms: { ...session().terms, single: true } })] });
    failed.pay();
    failed.answer('at_1', refused);
    expect(failed.status()).toBe('failed');
    failed.query(record('T1', '3000'));
    expect(failed.events.at(-1)).toEqual({ type: 'session.approved', session_id: 'cs_1', late: true });
    const expired = absent();
    expired.pass(DAY);
    expired.expire();
    expired.query(record('T1', '3000'));
    expect(expired.events.at(-1)).toEqual({ type: 'session.approved', session_id: 'cs_1', late: true });
    const past = absent();
    past.pass(DAY);
    past.query(record('T1', '3000'));
    expect(past.events.at(-1)).toMatchObject({ late: true });
  });

  it('counts even if the gateway also lists a declined one', () => {
    const of = unanswered();
    of.query(record('T1', '4100'), record('T2', '3000'));
    expect(paidWith(of)).toEqual(['T2']);
    expect(of.status()).toBe('approved');
  });

  it('counts beside a weaker record of its transaction', () => {
    for (const other of ['4100', '1000', '77']) {
      const of = unanswered();
      of.query(record('T1', '3000'), record('T1', other));
      expect(of.status()).toBe('approved');
    }
  });

  it('without a transaction_id proves nothing', () => {
    const of = unanswered();
    of.query(record(undefined, '3000'));
    expect(of.state()).toMatchObject({ status: 'unknown', search: { reason: 'codes_not_listed' } });
    for (const id of ['', 'T'.repeat(256), 'T\u200b1', 'T\n1']) of.query(record(id, '3000'));
    expect(of.status()).toBe('unknown');
  });

  it('of another order changes nothing', () => {
    const of = unanswered();
    of.query(record('T1', '3000', { order_no: 'B' }));
    expect(of.status()).toBe('unknown');
    expect(of.order().payments).toEqual([]);
  });

  it('keeps its subscription’s contract', () => {
    const of = unanswered();
    of.query(record('T1', '3000', { recurring_id: 'R1' }));
    expect(of.state()).toMatchObject({ recurring_id: 'R1' });
    expect(of.order().payments).toMatchObject([{ recurring_id: 'R1' }]);
  });
});

describe('a hosted page with two tries', () => {
  it.each(['T1', 'T2'])('is paid by the second one, listed as %s', (second) => {
    const of = away();
    of.query(record('T1', '4100'));
    expect(of.status()).toBe('redirected');
    expect(isHeld(of)).toBe(true);
    of.returned();
    of.query(...(second === 'T1' ? [] : [record('T1', '4100')]), record(second, '3000'));
    expect(of.state()).toMatchObject({ status: 'approved', transaction_id: second });
  });

  it('is open with the decline shown once the shopper returns', () => {
    const of = away();
    of.query(record('T1', '4100', { decline_reason: 'no funds' }));
    of.returned();
    of.query(record('T1', '4100', { decline_reason: 'no funds' }));
    expect(of.state()).toMatchObject({
      status: 'open',
      notice: 'declined',
      result: { code: '4100', message: 'no funds' },
      last_method: 'PIX',
    });
    expect(of.events.at(-1)).toEqual({ type: 'session.declined', session_id: 'cs_1', reason: 'declined' });
    expect(of.order()).toMatchObject({ hold: 'free', next_query_at: expect.any(String) });
    of.query(record('T1', '4100'), record('T2', '3000'));
    expect(of.state()).toMatchObject({ status: 'approved', transaction_id: 'T2' });
  });

  it('is expired at its end without being unknown before', () => {
    for (const records of [[record('T1', '4100')], []]) {
      const of = away();
      of.pass(DAY);
      of.absent(...records);
      expect(of.state()).toMatchObject({ status: 'expired', reason: records.length > 0 ? 'declined' : 'absent' });
      expect(of.eventTypes()).toEqual(['session.redirected', 'session.expired']);
    }
  });
});
