import { describe, expect, it } from 'vitest';
import {
  approvedBy,
  DAY,
  HOUR,
  MINUTE,
  moment,
  record,
  SECOND,
  type Story,
  story,
} from '../../../test/support/payments/sessions.ts';
import { absent, paidWith, unanswered } from '../../../test/support/payments/stories.ts';

describe('an order that is paid', () => {
  const paid = (of = story()): Story => {
    of.pay();
    of.answer('at_1', approvedBy('T1', 'R1'));
    of.pass(5 * SECOND);
    return of;
  };

  it('is not changed by records that are not approved', () => {
    for (const code of ['4100', '1000', '77']) {
      const of = paid();
      of.query(record('T1', code), record('T2', code), record('T3', code, { amount: '20.00' }));
      expect(of.state()).toMatchObject({ status: 'approved', transaction_id: 'T1' });
      expect(of.order()).toMatchObject({ hold: 'paid' });
      expect(of.order().undecided).toBeUndefined();
      expect(of.eventTypes()).toEqual(['session.approved']);
    }
  });

  it('is paid twice by another approved record, with one webhook', () => {
    const of = paid();
    for (let queries = 0; queries < 2; queries++) of.query(record('T1', '3000'), record('T2', '3000'));
    expect(paidWith(of)).toEqual(['T1', 'T2']);
    expect(of.eventTypes()).toEqual(['session.approved', 'session.paid_twice']);
    expect(of.events.at(-1)).toMatchObject({ transaction_ids: ['T1', 'T2'] });
    of.query(record('T3', '3000'));
    expect(of.events.at(-1)).toMatchObject({ type: 'session.paid_twice', transaction_ids: ['T1', 'T3'] });
  });

  it('needs a person at once for a contradicted second payment', () => {
    const of = story();
    of.pay();
    of.query({ ...record('T1', '3000'), transaction_id: undefined });
    of.answer('at_1', approvedBy('T1'));
    of.person({ outcome: 'approved', transaction_id: 'T2' });
    of.query(record('T1', '4100'));
    for (let queries = 0; queries < 2; queries++) {
      of.query(record('T1', '3000'), record('T2', '4100'));
      expect(of.state()).toMatchObject({ transaction_id: 'T1', needs_attention: true });
      expect(of.eventTypes()).toEqual(['session.approved', 'session.approved']);
    }
  });

  it('is not paid twice by its own record alone', () => {
    const of = paid();
    of.query(record('T1', '3000'));
    expect(of.eventTypes()).toEqual(['session.approved']);
  });

  it('is not paid twice by a later charge despite clock skew', () => {
    const of = story();
    // The clock of the relay that sends it is so far ahead of the gateway's.
    of.pass(HOUR);
    of.pay();
    of.answer('at_1', approvedBy('T1', 'R1'));
    const first = record('T1', '3000', { date: moment(0), recurring_id: 'R1' });
    of.query(first, record('T2', '3000', { date: moment(DAY), recurring_id: 'R1' }));
    expect(of.eventTypes()).toEqual(['session.approved']);
    expect(of.order().payments).toMatchObject([
      { transaction_id: 'T1', date: moment(0).toISOString() },
      { transaction_id: 'T2', origin: 'renewal' },
    ]);
  });

  it('keeps the contract’s first date over a later record', () => {
    const of = paid();
    const before = of.order().payments[0]?.date;
    of.pass(31 * DAY);
    of.query(record('T1', '3000', { date: of.now(), recurring_id: 'R1' }));
    expect(of.order().payments).toMatchObject([{ recurring_id: 'R1', date: before }]);
  });

  it('is not paid twice by later charges of its subscription', () => {
    const of = paid();
    of.pass(31 * DAY);
    const later = [1, 30].map((days) =>
      record(`R${days}`, '3000', { date: moment(days * DAY), recurring_id: 'R1', amount: '12.00' }),
    );
    for (let queries = 0; queries < 2; queries++) of.query(record('T1', '3000', { recurring_id: 'R1' }), ...later);
    expect(of.eventTypes()).toEqual(['session.approved']);
    expect(paidWith(of)).toEqual(['T1', 'R1', 'R30']);
  });

  it('is paid twice by a same-day record of the contract', () => {
    const of = paid();
    of.query(record('T2', '3000', { date: moment(HOUR), recurring_id: 'R1' }));
    expect(of.eventTypes()).toEqual(['session.approved', 'session.paid_twice']);
  });

  it('is found paid twice by one query', () => {
    const of = unanswered();
    of.query(record('T1', '3000'), record('T2', '3000', { date: moment(MINUTE) }));
    expect(paidWith(of)).toEqual(['T1', 'T2']);
    expect(of.eventTypes()).toEqual(['session.unknown', 'session.approved', 'session.paid_twice']);
  });

  it('is found paid twice by a late signed answer', () => {
    const of = absent();
    of.pay('at_2');
    of.answer('at_2', approvedBy('T2'));
    of.answer('at_1', approvedBy('T1'));
    expect(of.events.at(-1)).toMatchObject({ type: 'session.paid_twice', transaction_ids: ['T2', 'T1'] });
  });
});
