import { describe, expect, it } from 'vitest';
import type { RefundRecord } from '../../../shared/gateway/refund.ts';
import { since as asked_at, unknownRefund } from '../../../test/support/payments/operations.ts';
import { codeBook } from '../../gateway/profile.ts';
import { matchRefunds, ofPayments } from './match-refunds.ts';
import type { ItemOutcome, OperationState, StoredOperation } from './operation.ts';

const codes = codeBook.parse({});
const item = { transaction_id: 'T', currency: 'BRL', amount: '129.90', refund_amount: '10.00' };
const other = { ...item, transaction_id: 'U', refund_amount: '5.00' };

const refund = (items: object[], state: OperationState, more: Partial<StoredOperation> = {}): StoredOperation =>
  unknownRefund({
    request: { refund_orders: items },
    state,
    lookup: { before: ['T-01'], asked_at, looks: 0 },
    ...more,
  });

const record = (id: string, change: Partial<RefundRecord> = {}): RefundRecord => ({
  ...item,
  order_no: 'A-1',
  refund_status: '1',
  refund_reference_id: id,
  ...change,
});

const match = (operation: StoredOperation, records: RefundRecord[]) => matchRefunds(operation, records, [], codes);

describe('a refund that searches settled in part', () => {
  const settled = refund([item, other, { ...item, refund_amount: '3.00' }], {
    status: 'settled',
    settlement: {
      by: 'refund_search',
      items: ['failed', 'succeeded', 'failed'],
      refund_reference_ids: ['U-01'],
      absent: [0, 2],
    },
  });

  it('is absent while no more of it is shown', () => {
    expect(match(settled, [record('T-01'), record('U-01', other)])).toEqual({
      kind: 'absent',
      items: ['unknown', 'succeeded', 'unknown'],
      refund_reference_ids: ['U-01'],
    });
  });

  it('is shown with what came late, each item in its place', () => {
    expect(match(settled, [record('T-03', { refund_amount: '3.00' })])).toEqual({
      kind: 'absent',
      items: ['unknown', 'succeeded', 'succeeded'],
      refund_reference_ids: ['U-01', 'T-03'],
    });
    const late = [record('T-02', { refund_status: '0' }), record('T-03', { refund_amount: '3.00' })];
    expect(match(settled, late)).toEqual({
      kind: 'found',
      items: ['failed', 'succeeded', 'succeeded'],
      refund_reference_ids: ['U-01', 'T-02', 'T-03'],
    });
  });

  it('by a person causes no search', () => {
    const byPerson = refund([item], {
      status: 'settled',
      settlement: { by: 'person', who: 'ops', items: ['succeeded'] },
    });
    expect(match(byPerson, [record('T-02')])).toEqual({
      kind: 'absent',
      items: ['succeeded'],
      refund_reference_ids: [],
    });
  });
});

describe('a refund whose answer named some of its items', () => {
  const answered = (items: ItemOutcome[], ...ids: (string | undefined)[]): StoredOperation => {
    const refund_orders = ids.map((refund_reference_id, at) => ({
      ...item,
      refund_amount: `${at + 1}.00`,
      refund_status: '7',
      refund_message: 'V7:Wait',
      refund_reference_id,
    }));
    const asked = ids.map((_, at) => ({ ...item, refund_amount: `${at + 1}.00` }));
    return refund(asked, { status: 'answered', answer: { refund_orders }, items });
  };

  it('is found once each of them is listed', () => {
    const two = answered(['unknown', 'unknown'], 'T-02', 'T-03');
    const [first, second] = [
      record('T-02', { refund_amount: '1.00' }),
      record('T-03', { refund_amount: '2.00', refund_status: '0' }),
    ];
    expect(match(two, [first, second])).toEqual({
      kind: 'found',
      items: ['succeeded', 'failed'],
      refund_reference_ids: ['T-02', 'T-03'],
    });
    expect(match(two, [first])).toEqual({
      kind: 'absent',
      items: ['succeeded', 'unknown'],
      refund_reference_ids: [],
    });
    expect(match(two, [{ ...first, refund_amount: '9.00' }, second])).toEqual({ kind: 'ambiguous' });
  });

  it('is ambiguous where two items have one name', () => {
    const two = answered(['unknown', 'unknown'], 'T-02', 'T-02');
    const equal = { ...two, request: { refund_orders: [item, item] } };
    const state = two.state.status === 'answered' ? two.state : undefined;
    const refund_orders = [1, 2].map(() => ({ ...item, refund_status: '7', refund_reference_id: 'T-02' }));
    const same: StoredOperation = {
      ...equal,
      state: { status: 'answered', items: state?.items ?? [], answer: { refund_orders } },
    };
    expect(match(same, [record('T-02')])).toEqual({ kind: 'ambiguous' });
  });

  it('keeps its result while an item without a reference is absent', () => {
    const two = answered(['succeeded', 'unknown', 'unknown'], 'T-02', 'T-03', undefined);
    const named = [record('T-02', { refund_amount: '1.00' }), record('T-03', { refund_amount: '2.00' })];
    expect(match(two, named)).toEqual({
      kind: 'absent',
      items: ['succeeded', 'succeeded', 'unknown'],
      refund_reference_ids: ['T-03'],
    });
    expect(match(two, [...named, record('T-04', { refund_amount: '3.00' })])).toEqual({
      kind: 'found',
      items: ['succeeded', 'succeeded', 'succeeded'],
      refund_reference_ids: ['T-03', 'T-04'],
    });
    expect(match(two, [...named, record('T-04', { refund_amount: '3.00', refund_status: '7' })])).toEqual({
      kind: 'undecided',
    });
  });
});

describe('a refund of unknown result', () => {
  const unknown = (items: object[]) =>
    refund(items, { status: 'unknown', reason: 'timeout', since: asked_at, evidence: {} });

  it('is ambiguous where more refunds fit an item than were asked for', () => {
    const five = { ...item, refund_amount: '5.00' };
    expect(match(unknown([item, five]), [record('T-02'), record('T-03')])).toEqual({ kind: 'ambiguous' });
  });

  it('is ambiguous if one of its payments has an additional refund', () => {
    const records = [record('T-02'), record('T-03', { refund_amount: '3.00' })];
    expect(match(unknown([item, other]), records)).toEqual({ kind: 'ambiguous' });
  });

  it('is absent by a record whose every field is another’s', () => {
    expect(match(unknown([item]), [record('U-01', { transaction_id: 'U' })])).toEqual({
      kind: 'absent',
      others: [],
      items: ['unknown'],
      refund_reference_ids: [],
    });
  });

  it('shows which of its items exist', () => {
    expect(match(unknown([other, item]), [record('T-02')])).toEqual({
      kind: 'absent',
      items: ['unknown', 'succeeded'],
      refund_reference_ids: ['T-02'],
    });
  });

  it('has the records of its payments, and those that name none', () => {
    const records = [record('T-02'), record('U-01', { transaction_id: 'U' }), record('X', { transaction_id: null })];
    expect(ofPayments([item], records)).toEqual([records[0], records[2]]);
  });
});

describe('a refund of which only a part is shown', () => {
  const small = { ...item, refund_amount: '1.00' };
  const three = { ...item, refund_amount: '3.00' };
  const search = (before: string[]) => ({ lookup: { before, asked_at, looks: 3 } });
  const notMade = (items: object[], absent: number[], before: string[] = []): StoredOperation => {
    const outcomes = items.map((): ItemOutcome => 'failed');
    return refund(
      items,
      { status: 'settled', settlement: { by: 'refund_search', items: outcomes, refund_reference_ids: [], absent } },
      search(before),
    );
  };
  const refused = (items: object[], before: string[] = []): StoredOperation =>
    refund(items, { status: 'refused', evidence: {} }, { id: 'op_2', ...search(before) });
  const late = [record('T-02', { refund_amount: '1.00' }), record('U-02', other)];
  const kindOf = (one: StoredOperation, another: StoredOperation) => {
    const found = matchRefunds(one, late, [another], codes);
    return 'contested' in found ? 'contested' : found.kind;
  };

  it('is ambiguous where that may be of another', () => {
    expect(kindOf(notMade([three, small], [0, 1]), refused([other, small]))).toBe('contested');
    expect(kindOf(refused([other, small]), notMade([three, small], [0, 1]))).toBe('found');
    expect(kindOf(refused([three, small]), notMade([other, small], [0, 1]))).toBe('contested');
  });

  it('takes what cannot be of another', () => {
    const one = notMade([three, small], [0, 1]);
    expect(kindOf(one, refused([other, three]))).toBe('absent');
    expect(kindOf(one, notMade([other, small], [0]))).toBe('absent');
    expect(kindOf(one, refused([other, small], ['T-02']))).toBe('absent');
  });
});
