import { expect, it } from 'vitest';
import { orderNumbersIn } from './request.ts';

it('the orders of a batch are named once each', () => {
  const capture_orders = [{ order_no: 'A' }, { order_no: 'B' }, { order_no: 'A' }, {}, { order_no: 7 }, null, 'C'];
  expect(orderNumbersIn('capture', { capture_orders })).toEqual(['A', 'B']);
});

it('only the largest batch that may be sent is read', () => {
  const capture_orders = Array.from({ length: 51 }, (_, at) => ({ order_no: `A-${at}` }));
  expect(orderNumbersIn('capture', { capture_orders })).toEqual(
    capture_orders.slice(0, 50).map(({ order_no }) => order_no),
  );
});

it.each([
  undefined,
  null,
  'text',
  [],
  { capture_orders: 'A' },
  { capture_orders: { order_no: 'A' } },
  { orders: ['A'] },
])('a body that is no batch names no order: %j', (body) => expect(orderNumbersIn('capture', body)).toEqual([]));

it('what is no batch names no order', () => {
  expect(orderNumbersIn('payout', { order_no: 'A', undefined: [{ order_no: 'A' }] })).toEqual([]);
});
