import { describe, expect, it } from 'vitest';
import { scriptedRelay } from '../test/support/operators/scripted-relay.ts';
import { ClientMisused, type OrderFilter } from './index.ts';

const summaryOf = (n: number) => ({
  ...{ order_no: `A-${n}`, status: 'open', created_at: '2026-11-21T12:00:00.000Z', amount: '1.00', currency: 'BRL' },
  ...{ session_id: `cs_${n}`, session_status: 'open', needs_attention: false, refunded: '0.00' },
});
const page = (numbers: number[], next?: string) => ({
  status: 200,
  body: { orders: numbers.map(summaryOf), ...(next === undefined ? {} : { next }) },
});

describe('the client’s list of orders', () => {
  it('asks for what the filter says, in an address', async () => {
    const relay = await scriptedRelay(page([]));
    await relay.client().orders.list({ email: 'ada+1@example.com', needs_attention: true, limit: 50 });
    await relay.client().orders.list();
    expect(relay.asked.map(({ path }) => path)).toEqual([
      '/v1/orders?email=ada%2B1%40example.com&needs_attention=true&limit=50',
      '/v1/orders',
    ]);
  });

  it('can be walked through to its end, past an empty page', async () => {
    const relay = await scriptedRelay(page([5], '9-5'), page([], '9-2'), page([1]));
    const numbers: string[] = [];
    for await (const { order_no } of relay.client().orders.each({ status: 'open' })) numbers.push(order_no);
    expect(numbers).toEqual(['A-5', 'A-1']);
    expect(relay.asked.map(({ path }) => path)).toEqual([
      '/v1/orders?status=open',
      '/v1/orders?status=open&before=9-5',
      '/v1/orders?status=open&before=9-2',
    ]);
  });

  it.each<[string, OrderFilter]>([
    ['a client secret', { order_no: 'cs_mwqk3v00Zr8b1YpT5uWcXfGh2JnLs9Qe.s3cret' }],
    ['an empty text', { email: '' }],
  ])('puts no %s into an address', async (_, filter) => {
    const relay = await scriptedRelay(page([]));
    await expect(relay.client().orders.list(filter)).rejects.toBeInstanceOf(ClientMisused);
    expect(relay.asked).toEqual([]);
  });
});

it('the client’s list of contracts can be walked through to its end', async () => {
  const contract = (recurring_id: string) => ({
    ...{ recurring_id, status: 'active', order_no: 'A-1', started_at: '2026-11-21T12:00:00.000Z', currency: 'BRL' },
    ...{ first_charge: { transaction_id: 'T-1' }, later_charges: 0, notifications: 0 },
  });
  const relay = await scriptedRelay(
    { status: 200, body: { subscriptions: [contract('R-2')], next: '9-2' } },
    { status: 200, body: { subscriptions: [contract('R-1')] } },
  );
  const found: string[] = [];
  for await (const { recurring_id } of relay.client().subscriptions.each({ limit: 1 })) found.push(recurring_id);
  expect(found).toEqual(['R-2', 'R-1']);
  expect(relay.asked.map(({ path }) => path)).toEqual([
    '/v1/subscriptions?limit=1',
    '/v1/subscriptions?limit=1&before=9-2',
  ]);
});
