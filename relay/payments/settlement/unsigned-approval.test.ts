import { describe, expect, it } from 'vitest';
import { lost, record, result, type Story, story } from '../../../test/support/payments/sessions.ts';
import { paidWith } from '../../../test/support/payments/stories.ts';
import type { Outcome } from '../../gateway/outcome.ts';

const unsigned = (transaction_id: string): Outcome => ({ kind: 'approved', transaction_id, result, unsigned: true });

/** An alternative payment that the gateway's unsigned answer approved as T1. */
function approvedUnsigned(): Story {
  const of = story();
  of.pay('at_1', { method: 'PIX' });
  of.answer('at_1', unsigned('T1'));
  return of;
}

describe('a transaction that only an unsigned answer reported', () => {
  it('pays the order', () => {
    const of = approvedUnsigned();
    expect(of.state()).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    expect(of.eventTypes()).toEqual(['session.approved']);
  });

  it('is replaced by the proved payment, not counted twice', () => {
    const of = approvedUnsigned();
    for (let queries = 0; queries < 2; queries++) of.query(record('T2', '3000'));
    expect(paidWith(of)).toEqual(['T2']);
    expect(of.state()).toMatchObject({ status: 'approved', transaction_id: 'T2' });
    expect(of.eventTypes()).toEqual(['session.approved', 'session.approved']);
  });

  it('is proved by its own record', () => {
    const of = approvedUnsigned();
    of.query(record('T1', '3000'));
    expect(of.order().payments).toMatchObject([{ transaction_id: 'T1', proof: 'record' }]);
    expect(of.order().payments[0]).not.toHaveProperty('unsigned');
    expect(of.eventTypes()).toEqual(['session.approved']);
  });

  it.each([
    ['one query shows both', [[record('T2', '3000'), record('T1', '3000')]]],
    ['two queries do', [[record('T2', '3000')], [record('T1', '3000'), record('T2', '3000')]]],
  ])('is one of two where %s', (_, queries) => {
    const of = approvedUnsigned();
    for (const records of queries) of.query(...records);
    expect(paidWith(of).toSorted()).toEqual(['T1', 'T2']);
    expect(of.eventTypes().filter((type) => type === 'session.paid_twice')).toHaveLength(1);
  });

  it('is not replaced by a record of another amount', () => {
    const of = approvedUnsigned();
    of.query(record('T2', '3000', { amount: '20.00' }));
    expect(of.state()).toMatchObject({ transaction_id: 'T1' });
    expect(of.eventTypes()).toEqual(['session.approved']);
    of.query(record('T1', '3000'), record('T2', '3000', { amount: '20.00' }));
    expect(of.eventTypes()).toEqual(['session.approved', 'session.paid_twice']);
  });

  it('reports two proved ones of another amount', () => {
    const of = approvedUnsigned();
    for (const id of ['T2', 'T3']) of.query(record(id, '3000', { amount: '20.00' }));
    const paid_twice = { type: 'session.paid_twice', session_id: 'cs_1', transaction_ids: ['T2', 'T3'] };
    expect(of.events.filter(({ type }) => type === 'session.paid_twice')).toEqual([paid_twice]);
  });

  it('takes no proof from what a record proved before', () => {
    const of = story();
    of.pay('at_1', { method: 'PIX' });
    of.answer('at_1', lost);
    of.query(record('T1', '3000'));
    of.answer('at_1', unsigned('T1'));
    expect(of.order().payments).toMatchObject([{ transaction_id: 'T1', proof: 'record' }]);
    expect(of.order().payments[0]).not.toHaveProperty('unsigned');
    of.query(record('T1', '3000'), record('T2', '3000'));
    expect(of.events.at(-1)).toMatchObject({ type: 'session.paid_twice', transaction_ids: ['T1', 'T2'] });
  });
});

describe('the payment that a person reported', () => {
  it('is replaced by an unsigned answer, and that by a record', () => {
    const of = story();
    of.pay('at_1', { method: 'PIX' });
    of.answer('at_1', lost);
    of.person({ outcome: 'approved', transaction_id: 'T0' });
    of.answer('at_1', unsigned('T1'));
    expect(paidWith(of)).toEqual(['T1']);
    of.query(record('T2', '3000'));
    expect(paidWith(of)).toEqual(['T2']);
    expect(of.eventTypes()).not.toContain('session.paid_twice');
  });
});
