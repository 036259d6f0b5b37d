import { describe, expect, it } from 'vitest';
import { approvedBy, lost, record, story } from '../../../test/support/payments/sessions.ts';
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

  it('is not watched where its own answer named the transaction', () => {
    const of = story();
    of.pay('at_1');
    of.answer('at_1', approvedBy('T2'));
    of.query(declined, approved);
    expect(of.order().attempts[0]).not.toHaveProperty('other_id');
  });
});
