import { describe, expect, it } from 'vitest';
import type { RefundRecord } from '../../../shared/gateway/refund.ts';
import { checkConfig } from '../../config/load.ts';
import { matchRefunds } from './match-refunds.ts';
import type { OperationState, StoredOperation } from './operation.ts';

const { codes } = checkConfig(
  {
    public_url: 'http://127.0.0.1:8080',
    gateway: { base_url: 'http://127.0.0.1:8081' },
    accounts: [
      {
        id: 'demo',
        merchant_id: '1',
        account_id: '2',
        signing_secret: 's',
        allowed_origins: ['https://shop.example'],
        api_keys: [{ name: 'all', sha256: 'a'.repeat(64), scopes: ['*'] }],
      },
    ],
  },
  {},
).gateway.profile;

const asked_at = '2026-11-21T09:00:00.000Z';
const item = { transaction_id: 'T', currency: 'BRL', amount: '129.90', refund_amount: '10.00' };
const unknown: OperationState = { status: 'unknown', reason: 'timeout', since: asked_at, evidence: {} };

function refund(items: object[], more: Partial<StoredOperation> = {}): StoredOperation {
  const known = {
    id: 'op_1',
    account: 'demo',
    name: 'refund',
    by: 'server',
    created_at: asked_at,
    version: 2,
  } as const;
  const lookup = { before: ['T-01'], asked_at, looks: 0 };
  return { ...known, request: { refund_orders: items }, state: unknown, lookup, ...more };
}

function record(id: string, change: Partial<RefundRecord> = {}): RefundRecord {
  return { ...item, order_no: 'A-1', refund_status: '1', refund_reference_id: id, ...change };
}

const match = (items: object[], records: RefundRecord[], ...others: StoredOperation[]) =>
  matchRefunds(refund(items), records, others, codes);

const older = record('T-01');

describe('a refund of unknown result', () => {
  it.each<[string, object[], RefundRecord[], object]>([
    ['found when it is there and was not before', [item], [older, record('T-02')], { items: ['succeeded'] }],
    ['found failed when the gateway says so', [item], [record('T-02', { refund_status: '0' })], { items: ['failed'] }],
    ['found by amount, however it is written', [item], [record('T-02', { refund_amount: '10.0' })], { kind: 'found' }],
    ['found once though the search lists it twice', [item], [record('T-02'), record('T-02')], { kind: 'found' }],
    [
      'found among refunds of other payments',
      [item],
      [record('T-02'), record('U', { transaction_id: 'U' })],
      { kind: 'found' },
    ],
    [
      'found twice where two equal ones were asked for',
      [item, item],
      [record('T-02'), record('T-03')],
      { items: ['succeeded', 'succeeded'] },
    ],
    ['found by order_no where the item has one', [{ ...item, order_no: 'A-1' }], [record('T-02')], { kind: 'found' }],
    ['absent when only older ones are there', [item], [older], { kind: 'absent' }],
    ['absent when there is none', [item], [], { kind: 'absent' }],
    ['absent while one of two is missing', [item, item], [record('T-02')], { kind: 'absent' }],
    [
      'absent when the new one is of another amount',
      [item],
      [record('T-02', { refund_amount: '10.01' })],
      { kind: 'absent' },
    ],
    [
      'absent when the new one is in another currency',
      [item],
      [record('T-02', { currency: 'USD' })],
      { kind: 'absent' },
    ],
    ['found when the currency is in small letters', [item], [record('T-02', { currency: 'brl' })], { kind: 'found' }],
    [
      'ambiguous when the new one says no currency',
      [item],
      [record('T-02', { currency: null })],
      { kind: 'ambiguous' },
    ],
    [
      'ambiguous when the new one is of another order',
      [{ ...item, order_no: 'B' }],
      [record('T-02')],
      { kind: 'ambiguous' },
    ],
    [
      'ambiguous when the new one has a name that cannot be kept',
      [item],
      [record('T'.repeat(256))],
      { kind: 'ambiguous' },
    ],
    ['ambiguous when more came than were asked for', [item], [record('T-02'), record('T-03')], { kind: 'ambiguous' }],
    [
      'ambiguous when one more came of another amount',
      [item],
      [record('T-02'), record('T-03', { refund_amount: '1' })],
      { kind: 'ambiguous' },
    ],
    [
      'ambiguous when one payment has one more, and another one less',
      [item, { ...item, transaction_id: 'U' }],
      [record('T-02'), record('T-03')],
      { kind: 'ambiguous' },
    ],
    [
      'ambiguous when one new refund fits two different items',
      [{ ...item, order_no: 'B-1' }, item],
      [record('T-02', { order_no: 'B-1' }), record('T-03')],
      { kind: 'ambiguous' },
    ],
    [
      'ambiguous when one new refund would have to stand for two',
      [{ ...item, order_no: 'B-1' }, item, item],
      [record('T-02', { order_no: 'B-1' }), record('T-03')],
      { kind: 'ambiguous' },
    ],
    ['ambiguous when the new one has no name', [item], [record('')], { kind: 'ambiguous' }],
    [
      'ambiguous when a new one names no payment',
      [item],
      [record('T-02'), record('T-03', { transaction_id: null })],
      { kind: 'ambiguous' },
    ],
    [
      'ambiguous when one name stands for two refunds',
      [item],
      [record('T-02'), record('T-02', { refund_amount: '1.00' })],
      { kind: 'ambiguous' },
    ],
    [
      'undecided while its status is not listed',
      [item],
      [record('T-02', { refund_status: '7' })],
      { kind: 'undecided' },
    ],
    [
      'undecided while one of two has no listed status',
      [item, item],
      [record('T-02'), record('T-03', { refund_status: '7' })],
      { kind: 'undecided' },
    ],
  ])('is %s', (_, items, records, expected) => {
    expect(match(items, records)).toMatchObject(expected);
  });

  it('lists its items in the request’s order, each refund by name', () => {
    const items = [{ ...item, refund_amount: '2.00' }, item, { ...item, transaction_id: 'U' }];
    const records = [
      record('U-01', { transaction_id: 'U', refund_status: '0' }),
      record('T-03'),
      record('T-02', { refund_amount: '2.00' }),
    ];
    expect(match(items, records)).toEqual({
      kind: 'found',
      items: ['succeeded', 'succeeded', 'failed'],
      refund_reference_ids: ['T-02', 'T-03', 'U-01'],
    });
  });

  it('is ambiguous when one of two failed and it matters which', () => {
    const records = [record('T-02'), record('T-03', { refund_status: '0' })];
    expect(match([item, item], records)).toMatchObject({ kind: 'found', items: ['succeeded', 'failed'] });
    const reasons = [
      { ...item, refund_reason: 'a cup' },
      { ...item, refund_reason: 'a pot' },
    ];
    expect(match(reasons, records)).toEqual({ kind: 'ambiguous' });
    expect(match(reasons, [record('T-02'), record('T-03')])).toMatchObject({ kind: 'found' });
  });
});

describe('a refund that was refused', () => {
  const refused: OperationState = { status: 'refused', evidence: {}, reserved: true };
  it.each<[string, RefundRecord[], string]>([
    ['absent when only older ones are there', [older], 'absent'],
    ['absent when the new one is of another amount', [record('T-02', { refund_amount: '9.00' })], 'absent'],
    ['absent when the new one is in another currency', [record('T-02', { currency: 'USD' })], 'absent'],
    ['found when it is there after all', [older, record('T-02')], 'found'],
    ['ambiguous if a new one has no amount', [record('T-02', { refund_amount: null })], 'ambiguous'],
    ['ambiguous when a new one has no name', [record('')], 'ambiguous'],
  ])('is %s', (_, records, kind) => {
    expect(matchRefunds(refund([item], { state: refused }), records, [], codes).kind).toBe(kind);
  });

  it('is never found, but may be absent, without earlier refunds known', () => {
    const blind = refund([item], { state: refused, lookup: { asked_at, looks: 0 } });
    expect(matchRefunds(blind, [], [], codes)).toMatchObject({ kind: 'absent', others: [] });
    const other = record('T-09', { refund_amount: '9.00' });
    expect(matchRefunds(blind, [other], [], codes)).toMatchObject({ kind: 'absent', others: ['T-09'] });
    expect(matchRefunds(blind, [record('T-02')], [], codes)).toEqual({ kind: 'ambiguous' });
  });
});

describe('a refund that was answered with a code that is not listed', () => {
  const results = (...ids: (string | undefined)[]): OperationState => ({
    status: 'answered',
    answer: {
      refund_orders: ids.map((refund_reference_id, at) => {
        const told = at === 0 ? ['1', 'V0000:OK'] : ['7', 'V7:Wait'];
        return { ...item, refund_status: told[0], refund_message: told[1], refund_reference_id };
      }),
    },
    items: ids.map((_, at) => (at === 0 ? 'succeeded' : 'unknown')),
  });
  const two = (state: OperationState, more: Partial<StoredOperation> = {}) => refund([item, item], { state, ...more });

  it.each<[string, RefundRecord[], object]>([
    [
      'found by its own name',
      [record('T-02'), record('T-03', { refund_status: '0' })],
      { items: ['succeeded', 'failed'] },
    ],
    ['undecided while its own record is', [record('T-03', { refund_status: '7' })], { kind: 'undecided' }],
    ['absent while its own record is not there', [record('T-02'), record('T-04')], { kind: 'absent' }],
    ['ambiguous when its name is another payment’s', [record('T-03', { transaction_id: 'U' })], { kind: 'ambiguous' }],
    [
      'ambiguous when its name stands for two',
      [record('T-03'), record('T-03', { refund_date: 'x' })],
      { kind: 'ambiguous' },
    ],
  ])('is %s', (_, records, expected) => {
    const { lookup: _lookup, ...named } = two(results('T-02', 'T-03'));
    expect(matchRefunds(named, records, [], codes)).toMatchObject(expected);
  });

  it('is found without a reference among new unmatched refunds', () => {
    const records = [older, record('T-02'), record('T-03')];
    const found = { kind: 'found', items: ['succeeded', 'succeeded'], refund_reference_ids: ['T-03'] };
    expect(matchRefunds(two(results('T-02', undefined)), records, [], codes)).toEqual(found);
    const blind = two(results('T-02', undefined), { lookup: { asked_at, looks: 0 } });
    expect(matchRefunds(blind, records, [], codes)).toEqual({ kind: 'ambiguous' });
  });
});

describe('another operation of the same payment', () => {
  const before = '2026-11-21T08:59:59.999Z';
  const after = '2026-11-21T09:00:01.000Z';
  const answer = (id?: string, refund_status = '1') => ({
    refund_orders: [
      { ...item, refund_status, refund_message: refund_status === '1' ? 'V0000:OK' : 'V1:No', refund_reference_id: id },
    ],
  });
  const other = (state: OperationState, settled_at?: string): StoredOperation =>
    refund([item], { id: 'op_2', state, ...(settled_at === undefined ? {} : { settled_at }) });
  const answered = (id?: string, status?: string): OperationState => ({
    status: 'answered',
    answer: answer(id, status),
    items: ['succeeded'],
  });
  const byPerson = (outcome: 'succeeded' | 'failed'): OperationState => ({
    status: 'settled',
    settlement: { by: 'person', who: 'ops', items: [outcome] },
  });
  const bySearch: OperationState = {
    status: 'settled',
    settlement: { by: 'refund_search', items: ['succeeded'], refund_reference_ids: ['T-02'] },
  };

  it.each<[string, StoredOperation, string]>([
    ['is in flight, so the new refund may be its own', other({ status: 'in_flight' }), 'contested'],
    ['is unknown too', other(unknown), 'contested'],
    ['was answered meanwhile without a name', other(answered(), after), 'ambiguous'],
    ['was settled meanwhile by a person as done', other(byPerson('succeeded'), after), 'ambiguous'],
    ['has the new refund for its own, by its answer', other(answered('T-02'), after), 'absent'],
    ['has the new refund for its own, by a search', other(bySearch, after), 'absent'],
    ['was answered before without a name', other(answered(), before), 'found'],
    ['was settled before by a person', other(byPerson('succeeded'), before), 'found'],
    ['has failed by a person’s word', other(byPerson('failed'), after), 'found'],
    ['has failed by the gateway’s', other(answered(undefined, '0'), after), 'found'],
    ['has another refund for its own', other(answered('T-09'), after), 'found'],
    ['was refused', other({ status: 'refused', evidence: {} }), 'found'],
    ['was refused just now', other({ status: 'refused', evidence: {}, reserved: true }), 'contested'],
    ['was not sent', other({ status: 'not_sent' }), 'found'],
  ])('that %s', (_, one, kind) => {
    const found = match([item], [older, record('T-02')], one);
    expect('contested' in found ? 'contested' : found.kind).toBe(kind);
  });
});
