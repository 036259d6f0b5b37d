import { expect, it } from 'vitest';
import { record, setUpResolving } from '../../test/support/payments/resolving.ts';
import type { CallResult } from '../gateway/call.ts';
import { type OrderQueryAnswer, queryOrders } from './query-orders.ts';

/** How a query fails instead of being answered, the profile, and how long ago the gateway answered another. */
type More = { failure?: CallResult; profile?: object; answeredMs?: number };

/** Asks once. Gives what was traced, asked and kept, and what was applied. */
async function ask(
  names: string[],
  list: 'orders' | 'trades' = 'orders',
  change: object = {},
  { failure, profile = {}, answeredMs }: More = {},
) {
  const gateway = { base_url: 'http://127.0.0.1:8081', profile };
  const { context, account, books, logged, metric } = await setUpResolving({ gateway });
  if (answeredMs !== undefined) context.lastAnswers.query.set('demo', context.monotonic() - answeredMs);
  const traced: unknown[] = [];
  const { work } = context.tracer;
  context.tracer = {
    ...context.tracer,
    work: (name, about, ...rest) => {
      traced.push([name, about]);
      return work(name, about, ...rest);
    },
  };
  books.records = [record('A', 'T-1', '3000')];
  books.change = change;
  const calls: unknown[][] = [];
  const { call } = context;
  context.call = (...asked) => {
    calls.push(asked.slice(2));
    return failure ? Promise.resolve(failure) : call(...asked);
  };
  const applied: [string, OrderQueryAnswer][] = [];
  const kept: string[] = [];
  const apply = async (asked: ReadonlyMap<string, OrderQueryAnswer>) => applied.push(...asked);
  const keep = async (left: readonly string[]) => kept.push(left.join());
  await queryOrders(context, account, names, { apply, keep }, list);
  return { context, traced, calls, kept, applied, logged, metric };
}

it('a query about one order names it in the trace', async () => {
  const about = { 'turnpike.account': 'demo', 'turnpike.orders': 1, 'turnpike.order_no': 'A' };
  expect((await ask(['A'])).traced).toEqual([['reconcile', about]]);
  const several = { ...about, 'turnpike.orders': 2, 'turnpike.order_no': undefined };
  expect((await ask(['A', 'B'])).traced).toEqual([['reconcile', several]]);
  const trade = { ...about, 'turnpike.order_no': undefined };
  expect((await ask(['T-1'], 'trades', { orders_list: [] })).traced).toEqual([['reconcile', trade]]);
});

it('a query is sent with all names, and its parts once each', async () => {
  expect((await ask(['A', 'B'])).calls).toEqual([[{ orders: 'A,B' }, {}, undefined]]);
  const foreign = { orders_list: [record('X', 'T-1', '3000')] };
  const { calls, kept, context } = await ask(['A', 'B', 'C'], 'orders', foreign);
  expect(calls).toEqual([
    [{ orders: 'A,B,C' }, {}, undefined],
    [{ orders: 'A,B' }, {}, 30_000],
    [{ orders: 'A' }, {}, 30_000],
    [{ orders: 'B' }, {}, 30_000],
    [{ orders: 'C' }, {}, 30_000],
  ]);
  expect(kept).toEqual(['A,B,C', 'A,B,C', 'B,C', 'C']);
  expect(context.splitQueries.size).toBe(0);
});

it('a query brings the records of each order', async () => {
  const { applied, context } = await ask(['A', 'B']);
  expect(applied).toEqual([
    ['A', { counted: true, records: [record('A', 'T-1', '3000')] }],
    ['B', { counted: true, records: [] }],
  ]);
  expect(context.lastAnswers.query.get('demo')).toBe(context.monotonic());
});

it('a query for another account does not count', async () => {
  const fault = { counted: false, fault: 'query_unanswered', own: false, apart: false };
  for (const change of [{ merchant_id: '9' }, { account_id: '9' }]) {
    const { applied, calls, context } = await ask(['A', 'B'], 'orders', change);
    expect(applied).toEqual([
      ['A', fault],
      ['B', fault],
    ]);
    expect(calls).toHaveLength(1);
    expect(context.lastAnswers.query.size).toBe(0);
  }
});

it('a query without success is the order’s own where it stands alone', async () => {
  const refused = { counted: false, fault: 'query_refused', own: true, apart: false };
  for (const change of [{ return_status: '0' }, { return_status: undefined }]) {
    expect((await ask(['A'], 'orders', change)).applied).toEqual([['A', refused]]);
  }
});

it('a query without a list does not count, which is logged', async () => {
  const { applied, calls, logged } = await ask(['A', 'B'], 'orders', { orders_list: undefined });
  const fault = { counted: false, fault: 'query_unanswered', own: true, apart: false };
  expect(applied).toEqual([
    ['A', fault],
    ['B', fault],
  ]);
  expect(calls).toHaveLength(1);
  const [line = '{}'] = logged('a query was answered without orders_list, so it does not count');
  expect(JSON.parse(line)).toMatchObject({ account: 'demo' });
});

it('a query with foreign records proves only their contents', async () => {
  const orders_list = [record('X', 'T-9', '3000'), record('A', 'T-1', '3000')];
  const { applied, logged, metric } = await ask(['A'], 'orders', { orders_list });
  const records = [record('A', 'T-1', '3000')];
  expect(applied).toEqual([['A', { counted: false, fault: 'query_unanswered', own: true, apart: true, records }]]);
  expect(await metric('turnpike_foreign_records_total')).toBe(1);
  const [line = '{}'] = logged('a query brought records of orders that it did not name, so it proves no absence');
  expect(JSON.parse(line)).toMatchObject({ account: 'demo', count: 1 });
});

it('a record that cannot be read spoils its own order', async () => {
  const orders_list = [{ order_no: 'A', amount: {} }];
  expect((await ask(['A', 'B'], 'orders', { orders_list })).applied).toEqual([
    ['A', { counted: false, fault: 'query_unanswered', own: true }],
    ['B', { counted: true, records: [] }],
  ]);
});

it('a record without a name spoils a batch until it is split', async () => {
  const { applied, calls } = await ask(['A', 'B'], 'orders', { orders_list: [{ amount: {} }] });
  const fault = { counted: false, fault: 'query_unanswered', own: true, apart: true };
  expect(applied).toEqual([
    ['A', fault],
    ['B', fault],
  ]);
  expect(calls).toHaveLength(3);
});

it('an empty list may be left out where the profile says so', async () => {
  const profile = { query_without_list: 'empty' };
  expect((await ask(['A'], 'orders', { orders_list: undefined }, { profile })).applied).toEqual([
    ['A', { counted: true, records: [] }],
  ]);
});

it.each<[string, CallResult, object]>([
  ['refused', { kind: 'refused', status: 403, evidence: {} }, { fault: 'query_refused', own: false, apart: false }],
  [
    'refused for its content',
    { kind: 'refused', status: 400, evidence: {} },
    { fault: 'query_refused', own: true, apart: true },
  ],
  ['not sent', { kind: 'not_sent' }, { fault: 'query_unanswered', own: false, apart: false }],
  [
    'too large',
    { kind: 'unusable', fault: 'answer_too_large', evidence: {} },
    { fault: 'query_unanswered', own: true, apart: true },
  ],
  [
    'answered with a 500',
    { kind: 'unusable', fault: 'http_status', evidence: { http_status: 500 } },
    { fault: 'query_unanswered', own: false, apart: false },
  ],
])('a query that is %s does not count', async (_, failure, asked) => {
  expect((await ask(['A'], 'orders', {}, { failure })).applied).toEqual([['A', { counted: false, ...asked }]]);
});

it('blames a failed query’s content while the gateway is up', async () => {
  const change = { return_status: '0' };
  const fault = { counted: false, fault: 'query_refused', own: true };
  const up = await ask(['A', 'B'], 'orders', change, { answeredMs: 59_999 });
  expect(up.applied).toEqual([
    ['A', { ...fault, apart: true }],
    ['B', { ...fault, apart: true }],
  ]);
  expect(up.calls).toHaveLength(3);
  const down = await ask(['A', 'B'], 'orders', change, { answeredMs: 60_000 });
  expect(down.applied).toEqual([
    ['A', { ...fault, own: false, apart: false }],
    ['B', { ...fault, own: false, apart: false }],
  ]);
});
