import { describe, expect, it } from 'vitest';
import { approvedBy, record, setUpResolving } from '../../test/support/payments/resolving.ts';
import { sortRecords } from './sort-records.ts';

const codes = { query_result: { not_found: ['404'] } };

async function setUp() {
  const relay = await setUpResolving({
    gateway: { base_url: 'http://127.0.0.1:8081', profile: { codes } },
  });
  const sort = async (names: readonly string[], list: readonly unknown[], by: 'orders' | 'trades' = 'orders') => {
    const sorted = await sortRecords(relay.context, { account: 'demo', names, list: by }, list);
    if (!sorted) return undefined;
    const { records, unreadable, foreign } = sorted;
    const found = Object.fromEntries(
      [...records].map(([name, of]) => [name, of.map(({ transaction_id }) => transaction_id)]),
    );
    return { records: found, unreadable: [...unreadable], foreign };
  };
  return { ...relay, sort };
}

describe('the records of a query by orders', () => {
  it('belong to the orders that they name', async () => {
    const { sort } = await setUp();
    const list = [record('B', 'T-1', '3000'), record('A', 'T-2', '3000'), record('B', 'T-3', '4100')];
    expect(await sort(['A', 'B', 'C'], list)).toEqual({
      ...{ records: { A: ['T-2'], B: ['T-1', 'T-3'], C: [] }, unreadable: [], foreign: 0 },
    });
  });

  it.each(['a-1', ' A-1', 'A-1 ', '\ta-1\n'])('belong to the one order that differs in form: "%s"', async (written) => {
    const { context, sort } = await setUp();
    expect(await sort(['A-1', 'B'], [record(written, 'T-1', '3000')])).toEqual({
      ...{ records: { 'A-1': ['T-1'], B: [] }, unreadable: [], foreign: 0 },
    });
    const about = { account: 'demo', names: ['A-1'], list: 'orders' } as const;
    const sorted = await sortRecords(context, about, [record(written, 'T-1', '3000')]);
    expect(sorted?.records.get('A-1')).toEqual([record('A-1', 'T-1', '3000')]);
  });

  it('belong to none of several orders that differ in form', async () => {
    const { sort } = await setUp();
    expect(await sort(['a-1', 'A-1 '], [record('A-1', 'T-1', '3000')])).toEqual({
      ...{ records: { 'a-1': [], 'A-1 ': [] }, unreadable: [], foreign: 1 },
    });
  });

  it('do not belong to a similar order number of another order', async () => {
    const { session, sort } = await setUp();
    await session('a-1');
    expect(await sort(['A-1'], [record('a-1', 'T-1', '3000')])).toMatchObject({ records: { 'A-1': [] }, foreign: 1 });
    expect(await sort(['A-1', 'a-1'], [record('a-1', 'T-1', '3000')])).toMatchObject({
      ...{ records: { 'A-1': [], 'a-1': ['T-1'] }, foreign: 0 },
    });
  });

  it('that name no order, or another, are foreign', async () => {
    const { sort } = await setUp();
    const list = [
      record('X', 'T-1', '3000'),
      { ...record('A', 'T-2', '3000'), order_no: null },
      record('A', 'T-3', '3000'),
    ];
    expect(await sort(['A'], list)).toEqual({ records: { A: ['T-3'] }, unreadable: [], foreign: 2 });
  });

  it('of a contract that an order began are not foreign', async () => {
    const { session, pay, sort } = await setUp();
    await pay(await session('A'), approvedBy('T-1', 'R-1'));
    const later = (id: string) => ({ ...record('X', 'T-9', '3000'), subscription_result: { recurring_id: id } });
    expect(await sort(['A'], [later('R-1')])).toMatchObject({ records: { A: ['T-9'] }, foreign: 0 });
    expect(await sort(['A'], [later('R-2'), later('R-1')])).toMatchObject({ foreign: 1 });
    expect(await sort(['B'], [later('R-1')])).toMatchObject({ foreign: 1 });
  });

  it('that say that there is none are left out', async () => {
    const { sort } = await setUp();
    const none = { ...record('A', '', ''), query_result: '404' };
    const list = [
      none,
      { ...none, order_no: 'X' },
      { query_result: '404', amount: {} },
      { ...record('A', 'T-1', '3000'), query_result: '200' },
    ];
    expect(await sort(['A'], list)).toEqual({ records: { A: ['T-1'] }, unreadable: [], foreign: 0 });
  });

  it('that cannot be read hide their own order alone', async () => {
    const { sort } = await setUp();
    const broken = (order_no: string) => ({ ...record(order_no, 'T-1', '3000'), amount: { text: '10.00' } });
    expect(await sort(['A', 'B'], [broken('A'), record('B', 'T-2', '3000')])).toEqual({
      ...{ records: { A: [], B: ['T-2'] }, unreadable: ['A'], foreign: 0 },
    });
    expect(await sort(['A'], [broken('X')])).toEqual({ records: { A: [] }, unreadable: [], foreign: 1 });
  });

  it.each([['text'], [null], [{ amount: {} }], [{ order_no: 7, amount: {} }]])(
    'that cannot be read and name nothing may be of any: %j',
    async (entry) => {
      const { sort } = await setUp();
      expect(await sort(['A'], [record('A', 'T-1', '3000'), entry])).toBeUndefined();
    },
  );
});

describe('the records of a query by transactions', () => {
  it('belong to what they name exactly, and no other is foreign', async () => {
    const { sort } = await setUp();
    const list = [record('A', 'T-1', '3000'), record('A', 't-2', '3000'), record('A', 'T-9', '3000')];
    expect(await sort(['T-1', 'T-2'], list, 'trades')).toEqual({
      ...{ records: { 'T-1': ['T-1'], 'T-2': [] }, unreadable: [], foreign: 0 },
    });
  });
});
