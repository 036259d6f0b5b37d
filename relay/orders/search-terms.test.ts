import { expect, it } from 'vitest';
import { orderQuery } from '../../shared/api/order.ts';
import { attempt, session } from '../../test/store/fixtures.ts';
import { testContext } from '../../test/support/stores/context.ts';
import { accountOf } from '../context/context.ts';
import type { StoredOrder } from '../payments/order.ts';
import { emptyOrder } from '../payments/order.ts';
import { summaryFacts } from './find.ts';
import { describeOrder, searchOf, termsOfOperation } from './search-terms.ts';

/** A paid order whose payment has these facts. */
function orderWith(paid: { transaction_id?: string; amount?: string; currency?: string }, card = ''): StoredOrder {
  const one = session('cs_1');
  const payment = { transaction_id: 'T', amount: '12.50', currency: 'BRL', proof: 'record', date: '' } as const;
  return {
    ...emptyOrder('demo', 'A'),
    hold: 'paid',
    sessions: [one],
    attempts: [attempt('at_1', one, { card })],
    payments: [{ ...payment, attempt_id: 'at_1', ...paid }],
  };
}

async function setUp() {
  const context = await testContext();
  const account = accountOf(context, 'demo');
  const termsOf = (order: StoredOrder) => describeOrder(order, account, summaryFacts(context)(order, new Map()))?.terms;
  return { account, termsOf };
}

it('an order is found only by queries that match it', async () => {
  const { account, termsOf } = await setUp();
  const terms = new Set(termsOf(orderWith({}, '411111******1111')));
  const isFound = (query: object): boolean =>
    searchOf(orderQuery.parse(query), account).groups.every((group) => group.some((term) => terms.has(term)));
  for (const query of [{}, { currency: 'BRL', amount: '12.5' }, { currency: 'BRL', amount: '12.500' }]) {
    expect(isFound(query), JSON.stringify(query)).toBe(true);
  }
  for (const query of [
    { currency: 'BRL', amount: '12.501' },
    { currency: 'USD', amount: '12.50' },
    { last4: '1112' },
    { needs_attention: 'true' },
  ]) {
    expect(isFound(query), JSON.stringify(query)).toBe(false);
  }
});

it('finds an order by its number in any case, or its end', async () => {
  const { termsOf } = await setUp();
  const numbered = (order_no: string) =>
    (termsOf({ ...orderWith({}), order_no }) ?? []).filter((term) => /^(order|number|ending) /.test(term));
  expect(numbered('Ab-😀1')).toEqual(['order Ab-😀1', 'number ab-😀1', 'ending 1😀-ba']);
  expect(numbered('ab1')).toEqual(['order ab1', 'ending 1ba']);
});

it('an order is listed whatever the gateway reported about it', async () => {
  const { termsOf } = await setUp();
  for (const odd of ['', 'x', '1,5', '9'.repeat(400), 'a\nb', '\0', '\ud83d', '1e3']) {
    const terms = termsOf(orderWith({ transaction_id: odd, amount: odd, currency: odd }, odd));
    expect(terms, odd).toEqual(expect.arrayContaining(['all', 'order A', 'status paid']));
    for (const term of terms ?? []) expect(term).toMatch(/^[^\n\0]{1,300}$/);
  }
});

it('an operation is found by its items’ names or by its contract', () => {
  const one = {
    ...{ id: 'op', account: 'demo', by: 'server', created_at: '', version: 1 },
    state: { status: 'in_flight' },
  } as const;
  const items = [{ order_no: 'A', transaction_id: 'T' }, { transaction_id: 'T' }, { order_no: 7 }];
  expect(termsOfOperation({ ...one, name: 'capture', request: { capture_orders: items } })).toEqual([
    'order A',
    'transaction T',
    'order 7',
  ]);
  const ended = { recurring_id: 'R', contract_name: 'c' };
  expect(termsOfOperation({ ...one, name: 'subscription_cancel', request: ended })).toEqual(['contract R']);
  expect(termsOfOperation({ ...one, name: 'payout', request: {} })).toEqual([]);
});
