import { describe, expect, it } from 'vitest';
import { declinedOf, lost, record, SECOND, type Story, session, story } from '../../test/support/payments/sessions.ts';
import { two, unanswered } from '../../test/support/payments/stories.ts';

const approved = { outcome: 'approved', transaction_id: 'P1' } as const;
const notPaid = { outcome: 'not_paid' } as const;

/** The attempts that the person's decision was applied to, with their amounts. */
const meant = (of: Story) => of.order().payments.map(({ attempt_id, amount }) => [attempt_id, amount]);

/** Two sessions, each with an attempt of another amount that is absent. */
function bothAbsent(): Story {
  const of = two();
  for (const [id, session_id, amount] of [
    ['at_1', 'cs_1', '10.00'],
    ['at_2', 'cs_2', '12.00'],
  ] as const) {
    of.pay(id, { session_id, amount });
    of.answer(id, lost);
    of.pass(5 * SECOND);
    of.absent();
  }
  return of;
}

describe('a person’s word that an order is paid', () => {
  it('is about the session’s own open attempt', () => {
    const of = bothAbsent();
    of.query(record('T1', '77', { date: of.now() }), record('T2', '77', { amount: '12.00', date: of.now() }));
    expect([of.attempt('at_1').status, of.attempt('at_2').status]).toEqual(['unknown', 'unknown']);
    of.person(approved, 'cs_2');
    expect(meant(of)).toEqual([['at_2', '12.00']]);
    expect(of.attempt('at_1')).toEqual({ status: 'not_paid', reason: 'settled' });
  });

  it('is about the oldest open attempt where the session has none', () => {
    const of = two();
    of.pay('at_0', { session_id: 'cs_2', amount: '12.00' });
    of.answer('at_0', declinedOf());
    of.pay('at_1');
    of.answer('at_1', lost);
    of.person(approved, 'cs_2');
    expect(meant(of)).toEqual([['at_1', '10.00']]);
  });

  it('is about the attempt that the session waits for, though it ended', () => {
    const of = bothAbsent();
    of.query(record('T9', '3000', { amount: '20.00', date: of.now() }));
    of.holdPaying('cs_1');
    expect(of.state('cs_1')).toMatchObject({ status: 'unknown', attempt_id: 'at_2' });
    of.person(approved, 'cs_1');
    expect(meant(of)).toEqual([['at_2', '12.00']]);
  });

  it('is about the session’s latest attempt where it waits for none', () => {
    const of = bothAbsent();
    of.query(record('T9', '3000', { amount: '20.00', date: of.now() }));
    expect(of.status('cs_1')).toBe('open');
    of.person(approved, 'cs_1');
    expect(meant(of)).toEqual([['at_1', '10.00']]);
  });

  it('is about the order’s latest attempt where the session made none', () => {
    const of = bothAbsent();
    of.add(session('cs_3'));
    of.query(record('T9', '3000', { amount: '20.00', date: of.now() }));
    of.person(approved, 'cs_3');
    expect(meant(of)).toEqual([['at_2', '12.00']]);
  });

  it('is about the attempt with that transaction', () => {
    const of = two();
    of.pay('at_1', { amount: '12.00' });
    of.answer('at_1', declinedOf('P1'));
    of.pay('at_2', { session_id: 'cs_2' });
    of.answer('at_2', lost);
    of.person(approved, 'cs_2');
    expect(of.order().payments).toMatchObject([{ attempt_id: 'at_1', transaction_id: 'P1', proof: 'person' }]);
    expect(of.attempt('at_2')).toEqual({ status: 'not_paid', reason: 'settled' });
  });
});

describe('a person’s word that an order is not paid', () => {
  it('is reported of the open session that they said it through', () => {
    const of = unanswered(two());
    of.person(notPaid, 'cs_2');
    expect(of.events.slice(-2)).toEqual([
      { type: 'session.declined', session_id: 'cs_1', reason: 'settled' },
      { type: 'session.declined', session_id: 'cs_2', reason: 'settled' },
    ]);
    expect(of.state('cs_2')).toEqual({ status: 'open' });
    expect(of.order().sessions.map(({ settled }) => settled?.outcome)).toEqual(['not_paid', 'not_paid']);
  });

  it.each([
    ['expired', 'session.expired'],
    ['failed', 'session.failed'],
  ] as const)('is reported of a session that is %s', (status, type) => {
    const of = unanswered(story({ sessions: [session('cs_1'), session('cs_2', { state: { status } })] }));
    of.person(notPaid, 'cs_2');
    expect(of.events.at(-1)).toEqual({ type, session_id: 'cs_2', reason: 'settled' });
    expect(of.state('cs_2')).toEqual({ status });
  });

  it('is reported once of the session that waited', () => {
    const of = unanswered();
    of.person(notPaid);
    expect(of.eventTypes()).toEqual(['session.unknown', 'session.declined']);
    expect(of.order().sessions[0]?.settled).toEqual({
      by: 'key',
      at: of.now().toISOString(),
      note: 'n',
      outcome: 'not_paid',
    });
  });

  it('leaves other open sessions as they were', () => {
    const of = unanswered(two());
    of.person(notPaid);
    expect(of.order().sessions[1]).not.toHaveProperty('settled');
    expect(of.eventTypes()).toEqual(['session.unknown', 'session.declined']);
  });

  it('keeps what was held for the records to be known again', () => {
    const of = unanswered();
    of.query(record('T1', '77'));
    of.person(notPaid);
    expect(of.order()).toMatchObject({ hold: 'free', decided: [{ transaction_id: 'T1', payment_status: '77' }] });
    expect(of.order()).not.toHaveProperty('undecided');
  });

  it('decides about no record where they say that it is paid', () => {
    const of = unanswered();
    of.query(record('T1', '77'));
    of.person(approved);
    expect(of.order().decided).toEqual([]);
    expect(of.order()).not.toHaveProperty('undecided');
  });
});
