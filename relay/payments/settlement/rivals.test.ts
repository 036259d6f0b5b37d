import { describe, expect, it } from 'vitest';
import { approvedBy, DAY, lost, record, story } from '../../../test/support/payments/sessions.ts';
import { paidWith } from '../../../test/support/payments/stories.ts';

const declined = record('T1', '4100');
const approved = record('T2', '3000');

/** An attempt whose answer was lost, after queries that showed these records. */
function queried(...queries: Parameters<ReturnType<typeof story>['query']>[]) {
  const of = story();
  of.pay('at_1');
  of.answer('at_1', lost);
  for (const records of queries) of.query(...records);
  return of;
}

describe('an attempt that a record paid', () => {
  it.each([
    ['in the same query', [[declined, approved]]],
    ['later', [[approved], [declined, approved]]],
  ])('is watched while another record may be its own, shown %s', (_, queries) => {
    const of = queried(...queries);
    expect(paidWith(of)).toEqual(['T2']);
    expect(of.order().attempts).toMatchObject([{ state: { status: 'approved' }, other_id: 'T1' }]);
    expect(of.order().next_query_at).toBeDefined();
    of.query(record('T1', '3000'), approved);
    expect(paidWith(of).toSorted()).toEqual(['T1', 'T2']);
    expect(of.eventTypes()).toContain('session.paid_twice');
  });

  it.each([
    ['has another amount', record('T1', '4100', { amount: '20.00' })],
    ['is older than the attempt', record('T1', '4100', { transaction_date: '20200101000000' })],
  ])('is not watched for a record that %s', (_, other) => {
    const of = queried([other, approved]);
    expect(paidWith(of)).toEqual(['T2']);
    expect(of.order().attempts[0]).not.toHaveProperty('other_id');
  });

  it('is not watched for a charge of its contract', () => {
    const of = queried([record('T2', '3000', { recurring_id: 'R1' })]);
    of.pass(31 * DAY);
    const later = { recurring_id: 'R1', date: of.now() };
    of.query(record('T2', '3000', { recurring_id: 'R1' }), record('T9', '4100', later));
    expect(of.order().attempts[0]).not.toHaveProperty('other_id');
    expect(of.contracts.map(({ type }) => type)).toEqual(['subscription.charge_failed']);
  });

  it('is not watched for what may be of another attempt', () => {
    const of = queried();
    of.absent();
    of.pay('at_2');
    of.answer('at_2', lost);
    of.query(declined, record('T2', '3000', { date: of.now() }));
    expect(paidWith(of)).toEqual(['T2']);
    for (const attempt of of.order().attempts) expect(attempt).not.toHaveProperty('other_id');
  });

  it('is not watched for tries at the page of an issuer', () => {
    const of = story();
    of.pay('at_1', { method: 'PIX' });
    of.answer('at_1', lost);
    of.query(declined, approved);
    expect(paidWith(of)).toEqual(['T2']);
    expect(of.order().attempts[0]).not.toHaveProperty('other_id');
  });

  it('is not watched where its own answer named the transaction', () => {
    const of = story();
    of.pay('at_1');
    of.answer('at_1', approvedBy('T2'));
    of.query(declined, approved);
    expect(of.order().attempts[0]).not.toHaveProperty('other_id');
  });
});
