import { describe, expect, it } from 'vitest';
import { problemReply, type Reply, scriptedRelay } from '../test/support/operators/scripted-relay.ts';
import {
  ClientMisused,
  OperationDeclined,
  type OrderFilter,
  OutcomeUnknown,
  RelayRefused,
  TurnpikeError,
} from './index.ts';

const summaryOf = (n: number) => ({
  ...{ order_no: `A-${n}`, status: 'open', created_at: '2026-11-21T12:00:00.000Z', amount: '1.00', currency: 'BRL' },
  ...{ session_id: `cs_${n}`, session_status: 'open', needs_attention: false },
  ...{ refunded: '0.00', refund_undecided: '0.00', captured: '0.00', refundable: '1.00' },
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
    first_charge: {
      transaction_id: 'T-1',
      order_no: 'A-1',
      at: '2026-11-21T12:00:00.000Z',
      amount: '9.90',
      currency: 'BRL',
    },
    ...{ later_charges: 0, failures: 0, notifications: 0 },
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

describe('an operation on an order’s payment', () => {
  /** What a refund against this reply is rejected with. */
  async function rejection(reply: Reply): Promise<unknown> {
    const relay = await scriptedRelay(reply);
    const call = relay.client().orders.refund('A-1', { reason: 'Broken' }, { idempotencyKey: 'k-1' });
    return call.then(
      () => undefined,
      (error: unknown) => error,
    );
  }

  it('that the gateway declined rejects with its code and words', async () => {
    const result = { code: 'V0006', message: 'The payment was cancelled' };
    const error = await rejection(problemReply('operation_declined', { operation_id: 'op_1', result }));
    expect(error).toBeInstanceOf(OperationDeclined);
    expect(error).toBeInstanceOf(TurnpikeError);
    const known = { name: 'OperationDeclined', operation_id: 'op_1', idempotencyKey: 'k-1' };
    expect(error).toMatchObject({ ...known, ...result, cause: { status: 409, code: 'operation_declined', result } });
  });

  it('that it declined without a code says so', async () => {
    const result = { message: 'No' };
    expect(await rejection(problemReply('operation_declined', { operation_id: 'op_1', result }))).toMatchObject({
      ...{ name: 'OperationDeclined', code: 'operation_declined', message: 'No' },
    });
  });

  it('that it may have done rejects with the operation to read', async () => {
    const error = await rejection(problemReply('outcome_unknown', { operation_id: 'op_1' }));
    expect(error).toBeInstanceOf(OutcomeUnknown);
    expect(error).toMatchObject({
      ...{ code: 'outcome_unknown', operation_id: 'op_1', idempotencyKey: 'k-1' },
      message: 'POST /v1/orders/:order_no/refund has no known outcome',
      cause: { status: 409 },
    });
  });

  it('that the relay refuses rejects with its problem', async () => {
    const transaction_ids = ['T1', 'T2'];
    const error = await rejection(problemReply('several_payments', { transaction_ids }));
    expect(error).toBeInstanceOf(RelayRefused);
    expect(error).toMatchObject({ code: 'several_payments', transactionIds: transaction_ids });
  });

  it('rejects alike with what its headers tell', async () => {
    const relay = await scriptedRelay(problemReply('outcome_unknown', { operation_id: 'op_1' }));
    await expect(relay.client().orders.cancel('A-1', {}).withMeta()).rejects.toBeInstanceOf(OutcomeUnknown);
  });
});
