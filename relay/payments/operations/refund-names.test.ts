import { describe, expect, it } from 'vitest';
import { since, unknownRefund } from '../../../test/support/payments/operations.ts';
import { codeBook } from '../../gateway/profile.ts';
import type { ItemOutcome, OperationState } from './operation.ts';
import { hidesRefunds, namesByItem, namesOf, unnamedItems } from './refund-names.ts';

const codes = codeBook.parse({});
const item = { transaction_id: 'T', currency: 'BRL', amount: '9.00', refund_amount: '1.00' };
const other = { ...item, transaction_id: 'U' };
const refund_orders = [item, other];

const result = (of: object, refund_reference_id?: string | null, refund_status = '7') => ({
  ...of,
  refund_status,
  refund_message: refund_status === '1' ? 'V0000:Done' : 'V7:No',
  refund_reference_id,
});
const answered = (items: ItemOutcome[], ...results: unknown[]): OperationState => ({
  status: 'answered',
  answer: { refund_orders: results },
  items,
});
const refund = (state: OperationState, settled_at?: string) =>
  unknownRefund({ request: { refund_orders }, state, ...(settled_at === undefined ? {} : { settled_at }) });

describe('the names of an operation’s refunds', () => {
  it('are those of its answer and of the search that settled it', () => {
    const answer = answered(['unknown', 'unknown'], result(item, 'R-1'), result(other, ''), null, 'x');
    expect(namesOf(refund(answer))).toEqual(['R-1']);
    const settled: OperationState = {
      ...answer,
      status: 'settled',
      settlement: { by: 'refund_search', items: ['succeeded', 'failed'], refund_reference_ids: ['R-2'] },
    };
    expect(namesOf(refund(settled))).toEqual(['R-1', 'R-2']);
    expect(namesOf(refund({ ...settled, settlement: { by: 'person', who: 'ops', items: [] } }))).toEqual(['R-1']);
    expect(namesOf(refund({ status: 'answered', answer: {}, items: [] }))).toEqual([]);
    expect(namesOf(refund({ status: 'in_flight' }))).toEqual([]);
  });

  it('are those of its items, in the order of the request', () => {
    const answer = answered(['unknown', 'unknown'], result(other, 'R-2'), result(item, 'R-1'));
    expect(namesByItem(refund(answer))).toEqual(['R-1', 'R-2']);
    expect(namesByItem(refund(answered(['unknown', 'unknown'], result(other, 'R-2'))))).toEqual([undefined, 'R-2']);
    expect(namesByItem(refund({ status: 'in_flight' }))).toEqual([undefined, undefined]);
  });

  it('are missing for unknown items that the answer did not name', () => {
    const answer = (...items: ItemOutcome[]) => answered(items, result(item, 'R-1'), result(other, null));
    expect(unnamedItems(refund(answer('unknown', 'unknown')))).toEqual([1]);
    expect(unnamedItems(refund(answer('unknown', 'failed')))).toEqual([]);
    expect(unnamedItems(refund({ status: 'in_flight' }))).toEqual([]);
  });
});

describe('a refund without a name', () => {
  const before = '2026-11-21T08:59:59.999Z';
  const byPerson = (...items: ItemOutcome[]): OperationState => ({
    status: 'settled',
    settlement: { by: 'person', who: 'ops', items },
  });

  it.each<[string, OperationState, string | undefined, boolean]>([
    ['in flight', { status: 'in_flight' }, undefined, true],
    ['unknown', { status: 'unknown', reason: 'timeout', since, evidence: {} }, undefined, true],
    ['refused and reserved', { status: 'refused', evidence: {}, reserved: true }, undefined, true],
    ['refused for good', { status: 'refused', evidence: {} }, undefined, false],
    ['not sent', { status: 'not_sent' }, undefined, false],
    ['named in full', answered(['succeeded'], result(item, 'R-1', '1')), undefined, false],
    ['without a name', answered(['succeeded'], result(item, '', '1')), undefined, true],
    ['without a name, in part', answered(['succeeded'], result(item, 'R-1'), result(other)), undefined, true],
    ['without a name, at that moment', answered(['succeeded'], result(item, '', '1')), since, true],
    ['without a name, before', answered(['succeeded'], result(item, '', '1')), before, false],
    ['failed without a name', answered(['failed'], result(item, '', '0')), undefined, false],
    ['made by a person’s word', byPerson('failed', 'succeeded'), undefined, true],
    ['failed by a person’s word', byPerson('failed', 'failed'), undefined, false],
    [
      'found by a search',
      { status: 'settled', settlement: { by: 'refund_search', items: ['succeeded'], refund_reference_ids: ['R-1'] } },
      undefined,
      false,
    ],
  ])('may hide behind an operation that is %s', (_, state, settled_at, expected) => {
    expect(hidesRefunds(refund(state, settled_at), since, codes)).toBe(expected);
  });
});
