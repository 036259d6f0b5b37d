import { expect, it, onTestFinished } from 'vitest';
import { approve, nextOperation, operation, processing, refund } from '../../test/store/fixtures.ts';
import { testContext } from '../../test/support/stores/context.ts';
import type { Context } from '../context/context.ts';
import { everyOrder, findOrders } from './find.ts';

/** A relay with three paid orders, one of them refunded in part, and a count of the reads of refunds. */
async function setUp() {
  const context = await testContext();
  onTestFinished(() => context.store.close());
  const { store } = context;
  for (const n of [1, 2, 3]) await approve(store, await processing(store, `cs_${n}`, `A${n}`), `T${n}`);
  await store.operations.begin(operation('op_1'), [refund(250n, 1000n, 'BRL', 'T2')]);
  const reads: number[] = [];
  const refunded: Context['store']['operations']['refunded'] = (account, ids) => {
    reads.push(ids.length);
    return store.operations.refunded(account, ids);
  };
  return { context: { ...context, store: { ...store, operations: { ...store.operations, refunded } } }, reads };
}

const search = { account: 'demo', groups: [['all']], limit: 100 } as const;

it('the refunds of a page of orders are read at once', async () => {
  const { context, reads } = await setUp();
  const { orders } = await findOrders(context, search);
  const told = orders.map(({ order_no, refunded }) => [order_no, refunded]);
  expect(Object.fromEntries(told)).toEqual({ A1: '0.00', A2: '2.50', A3: '0.00' });
  expect(orders[0]).not.toHaveProperty('payments');
  expect(reads).toEqual([3]);
});

it('a refund counts when it begins, and not after it fails', async () => {
  const { context } = await setUp();
  const sum = async () =>
    (await findOrders(context, search)).orders.find(({ order_no }) => order_no === 'A2')?.refunded;
  const more = operation('op_2');
  await context.store.operations.begin(more, [refund(100n, 1000n, 'BRL', 'T2')]);
  expect(await sum()).toBe('3.50');
  const failed = nextOperation(more, { status: 'answered', answer: {}, items: ['failed'] });
  await context.store.operations.finish({ operation: failed, counted: [false], events: [] });
  expect(await sum()).toBe('2.50');
});

it('every order comes once, page by page', async () => {
  const { context, reads } = await setUp();
  const pages: string[][] = [];
  for await (const orders of everyOrder(context, { ...search, limit: 2 })) {
    pages.push(orders.map(({ order_no }) => order_no));
  }
  expect(pages.map(({ length }) => length)).toEqual([2, 1]);
  expect(pages.flat().toSorted()).toEqual(['A1', 'A2', 'A3']);
  expect(reads).toEqual([2, 1]);
});
