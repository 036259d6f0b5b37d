import { describe, expect, it } from 'vitest';
import {
  approvedBy,
  attempt,
  DAY,
  HOUR,
  lost,
  MINUTE,
  moment,
  record,
  SECOND,
  type Story,
  session,
  story,
  toIssuer,
} from '../../test/support/payments/sessions.ts';
import { unanswered } from '../../test/support/payments/stories.ts';

const approved = { outcome: 'approved', transaction_id: 'P1' } as const;

describe('a payment that a person reported', () => {
  it('is confirmed by the record that held its order', () => {
    for (const change of [{ amount: '9.90' }, { date: moment(-40 * DAY) }]) {
      const of = unanswered();
      const odd = record('T1', '3000', change);
      of.query(odd);
      of.person({ ...approved, transaction_id: 'T1' });
      of.query(odd);
      expect(of.order().payments).toMatchObject([{ transaction_id: 'T1', proof: 'record' }]);
      of.query(odd, record('T2', '3000', { date: moment(MINUTE) }));
      expect(of.order().payments.map(({ transaction_id }) => transaction_id)).toEqual(['T1', 'T2']);
      expect(of.eventTypes().at(-1)).toBe('session.paid_twice');
    }
  });

  it('gives way to a payment of another attempt of its session', () => {
    const of = unanswered();
    const declined = record('T1', '4100');
    of.query(declined);
    of.pass(HOUR);
    of.pay('at_2');
    of.answer('at_2', lost);
    of.pass(5 * SECOND);
    of.query(declined, record('T2', '1000', { date: of.now() }));
    of.person({ ...approved, transaction_id: 'T1' });
    expect(of.state()).toMatchObject({ attempt_id: 'at_1', transaction_id: 'T1' });
    of.query(declined, record('T2', '3000', { date: of.now() }));
    expect(of.state()).toMatchObject({ status: 'approved', transaction_id: 'T2', attempt_id: 'at_2' });
    expect(of.order().payments).toMatchObject([{ transaction_id: 'T2', proof: 'record', attempt_id: 'at_2' }]);
    expect(of.attempt('at_1')).toEqual({ status: 'not_paid', reason: 'absent' });
    expect(of.eventTypes().at(-1)).toBe('session.approved');
  });

  it('is not confirmed by a payment of another attempt', () => {
    const of = story({ sessions: [session('cs_1'), session('cs_2')] });
    of.pay('at_1', { method: 'PIX' });
    of.answer('at_1', { ...toIssuer, transaction_id: 'T1' });
    of.returned();
    for (let queries = 0; queries < 4; queries++) {
      of.query();
      of.pass(2 * SECOND);
    }
    of.pay('at_2', { session_id: 'cs_2' });
    of.answer('at_2', lost);
    of.person({ ...approved, transaction_id: 'T2' }, 'cs_2');
    of.query(record('T1', '3000'));
    expect(of.status('cs_1')).toBe('approved');
    expect(of.order().payments).toMatchObject([
      { transaction_id: 'T2', proof: 'person', attempt_id: 'at_2' },
      { transaction_id: 'T1', proof: 'record', attempt_id: 'at_1' },
    ]);
    expect(of.eventTypes()).not.toContain('session.paid_twice');
    of.query(record('T1', '3000'), record('T2', '3000'));
    expect(of.eventTypes().at(-1)).toBe('session.paid_twice');
  });

  const settled = (): Story => {
    const of = unanswered();
    of.person(approved);
    of.pass(MINUTE);
    return of;
  };

  it('is confirmed by its record', () => {
    const of = settled();
    of.query(record('P1', '3000'));
    expect(of.order().payments).toMatchObject([{ transaction_id: 'P1', proof: 'record' }]);
    expect(of.eventTypes()).toEqual(['session.unknown', 'session.approved']);
  });

  it('is replaced by the first approved record', () => {
    const of = settled();
    of.query(record('T1', '3000'));
    expect(of.order().payments).toMatchObject([{ transaction_id: 'T1', proof: 'record', attempt_id: 'at_1' }]);
    expect(of.state()).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    expect(of.eventTypes()).not.toContain('session.paid_twice');
    of.query(record('T1', '3000'), record('T2', '3000'));
    expect(of.events.at(-1)).toMatchObject({ type: 'session.paid_twice', transaction_ids: ['T1', 'T2'] });
  });

  it('is replaced by the attempt’s own late answer', () => {
    const of = settled();
    of.answer('at_1', approvedBy('T1'));
    expect(of.order().payments).toMatchObject([{ transaction_id: 'T1', proof: 'answer' }]);
    expect(of.state()).toMatchObject({ status: 'approved', transaction_id: 'T1' });
  });

  it('stays approved when the gateway declines it, and needs attention', () => {
    const of = settled();
    for (let queries = 0; queries < 2; queries++) of.query(record('P1', '4100'));
    expect(of.state()).toMatchObject({ status: 'approved', transaction_id: 'P1', needs_attention: true });
    expect(of.eventTypes()).toEqual(['session.unknown', 'session.approved', 'session.approved']);
    of.query(record('P1', '4100'), record('T1', '3000'));
    expect(of.state()).not.toHaveProperty('needs_attention');
  });

  it('of a deleted attempt is replaced', () => {
    const payment = { transaction_id: 'P1', amount: '10.00', currency: 'BRL', proof: 'person' } as const;
    const of = story({
      sessions: [session('cs_1', { state: { status: 'failed' } })],
      attempts: [attempt('at_1', { state: { status: 'not_paid', reason: 'settled' } })],
      payments: [{ ...payment, date: moment(0).toISOString() }],
    });
    of.query(record('T1', '3000'));
    expect(of.order().payments).toEqual([
      expect.objectContaining({
        ...payment,
        transaction_id: 'T1',
        proof: 'record',
        date: moment(SECOND).toISOString(),
      }),
    ]);
    expect(of.events).toEqual([]);
  });

  it('is no second payment until it is proved', () => {
    const of = story({ sessions: [session('cs_1'), session('cs_2')] });
    unanswered(of);
    of.person(approved);
    expect(of.order().payments).toHaveLength(1);
    of.query(record('P1', '3000'), record('T2', '3000'));
    expect(of.eventTypes().filter((type) => type === 'session.paid_twice')).toHaveLength(1);
  });
});
