import { describe, expect, it } from 'vitest';
import {
  DAY,
  HOUR,
  lost,
  MINUTE,
  record,
  SECOND,
  type Story,
  session,
  story,
  toIssuer,
} from '../../../test/support/payments/sessions.ts';
import { absent, away, pending, two, unanswered } from '../../../test/support/payments/stories.ts';
import { noClearQueries } from '../absence-clock.ts';
import { attemptOf } from '../order.ts';

const odd = (of: Story) => record('T9', '3000', { amount: '20.00', date: of.now() });

/** An order whose first attempt is absent, and whose second one is at the issuer's page, by another session. */
function secondAway(): Story {
  const of = absent(two());
  of.pay('at_2', { session_id: 'cs_2', method: 'PIX' });
  of.answer('at_2', { ...toIssuer, transaction_id: 'T2' });
  of.pass(5 * SECOND);
  return of;
}

describe('an attempt whose order a record holds', () => {
  it('is pending, with the record’s transaction', () => {
    const of = absent();
    of.query(record('T1', '1000'));
    const one = attemptOf(of.order(), 'at_1');
    expect(one).toMatchObject({
      transaction_id: 'T1',
      clear: noClearQueries,
      state: { status: 'pending', since: of.now().toISOString() },
    });
    expect(one).not.toHaveProperty('settled_at');
    expect(of.order().undecided).toStrictEqual({
      reason: 'pending',
      since: of.now().toISOString(),
      records: [
        {
          transaction_id: 'T1',
          payment_status: '1000',
          amount: '10.00',
          currency: 'BRL',
          date: '2026-01-01T12:00:01.000Z',
          attempt_id: 'at_1',
        },
      ],
    });
  });

  it('is pending since it was so first', () => {
    const of = pending();
    const { undecided, attempts } = of.order();
    of.pass(HOUR);
    of.query(record('T1', '1000'));
    expect(of.order().undecided?.since).toBe(undecided?.since);
    expect(of.attempt()).toEqual(attempts[0]?.state);
  });

  it('is unknown, with the reason and since when', () => {
    const of = absent();
    of.query(record('T1', '77'));
    expect(of.attempt()).toStrictEqual({
      status: 'unknown',
      reason: 'codes_not_listed',
      evidence: {},
      since: of.now().toISOString(),
    });
    expect(of.state()).toStrictEqual({
      status: 'unknown',
      attempt_id: 'at_1',
      search: {
        since: of.now().toISOString(),
        looks: 1,
        needs_attention: false,
        reason: 'codes_not_listed',
        last_look: { at: of.now().toISOString(), found: 'codes_not_listed' },
      },
    });
  });

  it('keeps its evidence where it was unknown before', () => {
    const of = story();
    of.pay();
    of.answer('at_1', { kind: 'unknown', reason: 'timeout', evidence: { http_status: 502 } });
    const since = of.now().toISOString();
    of.pass(MINUTE);
    of.query(record('T1', '77'));
    expect(of.attempt()).toEqual({
      status: 'unknown',
      reason: 'codes_not_listed',
      evidence: { http_status: 502 },
      since,
    });
  });

  it('has no transaction by a record that names none', () => {
    const of = unanswered();
    of.query(record(undefined, '77'));
    expect(attemptOf(of.order(), 'at_1')).not.toHaveProperty('transaction_id');
    expect(of.order().undecided?.records).toMatchObject([{ transaction_id: '', attempt_id: 'at_1' }]);
  });

  it('that is being sent stays so', () => {
    const of = story();
    of.pay();
    of.query(record('T1', '77'));
    expect(of.attempt()).toEqual({ status: 'in_flight' });
    expect(of.status()).toBe('processing');
    expect(of.order()).toMatchObject({ hold: 'held', undecided: { reason: 'codes_not_listed' } });
  });
});

describe('an attempt whose shopper is at the issuer’s page', () => {
  it('stays while its record has an unlisted code', () => {
    const of = away();
    of.query();
    of.query(record('T1', '77'));
    expect(of.attempt()).toMatchObject({ status: 'redirected' });
    expect(attemptOf(of.order(), 'at_1').clear).toEqual(noClearQueries);
    expect(of.state()).toEqual({ status: 'redirected', attempt_id: 'at_1' });
  });

  it('is unknown where only a person can decide', () => {
    const of = away();
    of.query(odd(of));
    expect(of.attempt()).toStrictEqual({
      status: 'unknown',
      reason: 'amount_differs',
      evidence: {},
      since: of.now().toISOString(),
    });
    expect(of.state()).toMatchObject({
      status: 'unknown',
      attempt_id: 'at_1',
      search: { reason: 'amount_differs', needs_attention: true },
    });
  });

  it('stays there where another attempt is held', () => {
    const of = secondAway();
    of.query(record('T1', '77'));
    expect(of.attempt('at_1')).toMatchObject({ status: 'unknown' });
    expect(of.attempt('at_2')).toMatchObject({ status: 'redirected' });
    expect(of.state('cs_2')).toEqual({ status: 'redirected', attempt_id: 'at_2' });
    expect(of.state('cs_1')).toMatchObject({ status: 'unknown', attempt_id: 'at_1' });
  });

  it.each([
    ['1000', 'pending'],
    ['77', 'unknown'],
  ] as const)('is unknown once back where another attempt has a record with the code %s', (code, status) => {
    const of = secondAway();
    of.returned('cs_2');
    of.query(record('T1', code));
    expect(of.attempt('at_1').status).toBe(status);
    expect(of.attempt('at_2')).toStrictEqual({
      status: 'unknown',
      reason: 'codes_not_listed',
      evidence: {},
      since: of.now().toISOString(),
    });
    expect(of.state('cs_2')).toMatchObject({ status: 'unknown', attempt_id: 'at_2' });
    expect(of.state('cs_1')).toMatchObject({ status, attempt_id: 'at_1' });
  });
});

describe('a session whose order a record holds', () => {
  it('keeps what is known of its search', () => {
    const of = unanswered();
    of.query();
    of.pass(MINUTE);
    of.query(record('T1', '1000'));
    const since = new Date(of.now().getTime() - MINUTE - 5 * SECOND).toISOString();
    expect(of.state()).toStrictEqual({
      status: 'pending',
      attempt_id: 'at_1',
      transaction_id: 'T1',
      search: {
        since,
        looks: 2,
        needs_attention: false,
        last_look: { at: of.now().toISOString(), found: 'pending' },
      },
    });
    of.query(record('T1', '77'));
    expect(of.state()).toMatchObject({ status: 'unknown', search: { since, looks: 3, reason: 'codes_not_listed' } });
  });

  it('that needed a person needs none while it is pending', () => {
    const of = unanswered();
    of.pass(DAY);
    of.query(record('T1', '77'));
    expect(of.state()).toMatchObject({ status: 'unknown', search: { needs_attention: true } });
    const late = unanswered(
      story({ sessions: [session('cs_1', { expires_at: new Date('2027-01-01').toISOString() })] }),
    );
    late.pass(DAY);
    late.query(record('T1', '77'));
    late.query(record('T1', '1000'));
    expect(late.state()).toMatchObject({ status: 'pending', search: { needs_attention: false } });
  });

  it('still needs a person where it did before', () => {
    const of = unanswered();
    of.query(odd(of));
    of.query(record('T1', '77'));
    expect(of.state()).toMatchObject({
      status: 'unknown',
      search: { reason: 'codes_not_listed', needs_attention: true },
    });
    expect(of.eventTypes()).toEqual(['session.unknown', 'session.unknown']);
  });

  it('moves the latest attempt’s session, else the latest open one', () => {
    const of = absent(two());
    of.add(session('cs_3'));
    of.query(odd(of));
    expect([of.status('cs_1'), of.status('cs_2'), of.status('cs_3')]).toEqual(['unknown', 'open', 'open']);
    const over = absent(story({ sessions: [session('cs_1', { terms: { ...session().terms, single: true } })] }));
    over.add(session('cs_2'));
    over.add(session('cs_3'));
    over.query(odd(over));
    expect([over.status('cs_1'), over.status('cs_2'), over.status('cs_3')]).toEqual(['failed', 'open', 'unknown']);
    expect(over.state('cs_3')).toMatchObject({ attempt_id: 'at_1', search: { reason: 'amount_differs' } });
  });

  it('waits for its own attempt that is held, though another waits too', () => {
    const of = absent(two());
    of.pay('at_2', { session_id: 'cs_2' });
    of.answer('at_2', lost);
    of.pass(5 * SECOND);
    of.query(record('T1', '77'));
    expect(of.state('cs_1')).toMatchObject({ status: 'unknown', attempt_id: 'at_1' });
    expect(of.state('cs_2')).toMatchObject({ status: 'unknown', attempt_id: 'at_2', search: { reason: 'timeout' } });
  });

  it('about to be paid waits for the pending payment of another', () => {
    const of = pending(two());
    expect(of.holdPaying('cs_2')).toBe(true);
    expect(of.state('cs_2')).toStrictEqual({
      status: 'pending',
      attempt_id: 'at_1',
      transaction_id: 'T1',
      search: { since: of.now().toISOString(), looks: 0, needs_attention: false },
    });
    expect(of.events.at(-1)).toEqual({ type: 'session.pending', session_id: 'cs_2' });
    expect(of.order().next_query_at).toBeDefined();
    expect(of.holdPaying('cs_2')).toBe(false);
  });

  it('ends if the order is paid, and continues if free', () => {
    const of = absent(two());
    expect(of.holdPaying('cs_2')).toBe(false);
    of.query(record('T1', '3000'));
    of.add(session('cs_3'));
    expect(of.holdPaying('cs_3')).toBe(true);
    expect(of.state('cs_3')).toEqual({ status: 'failed', reason: 'order_already_paid' });
    expect(of.events.at(-1)).toEqual({ type: 'session.failed', session_id: 'cs_3', reason: 'order_already_paid' });
  });
});
