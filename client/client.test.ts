import { describe, expect, expectTypeOf, it } from 'vitest';
import { operations } from '../shared/gateway/operations.ts';
import { scriptedKey, scriptedRelay } from '../test/support/operators/scripted-relay.ts';
import {
  type Call,
  type Client,
  ClientMisused,
  createClient,
  type EventType,
  type OperationCompleted,
  type OrderDetail,
  type SessionAnswer,
  type SettleSession,
  type WebhookEvent,
} from './index.ts';

const moment = '2026-11-21T12:00:00.000Z';
const created = {
  id: 'cs_1',
  client_secret: 'cs_1.secret',
  checkout_url: 'https://pay.example/checkout/cs_1#cs_1.secret',
  status: 'open',
  expires_at: moment,
  order_no: 'A-1',
};
const session = {
  id: 'cs_1',
  status: 'approved',
  order_no: 'A-1',
  currency: 'BRL',
  amount: '129.90',
  revision: 1,
  created_at: moment,
  expires_at: moment,
  attempts: [],
};
const settled = { ...session, transaction_id: 'T1', settled: { by: 'server', at: moment, note: 'seen in the portal' } };
const reconciled = {
  ...{ order_no: 'A 1/ä?', status: 'unknown', created_at: session.created_at, amount: '129.90', currency: 'BRL' },
  ...{ payments: [], captured: '0.00', refunded: '0.00', refund_undecided: '0.00', refundable: '0.00' },
  needs_attention: false,
  ...{ sessions: [session], timeline: [] },
};
const noted = { id: 'nt_1', at: moment, by: 'server', note: 'One cup was broken' };
const done = {
  ...{ operation_id: 'op_1', outcome: 'succeeded', metadata: { ticket: '4711' } },
  payment: {
    ...{ transaction_id: 'T1', amount: '129.90', currency: 'BRL', proof: 'answer', status: 'paid' },
    ...{ paid_at: moment, credited: true, captured: '0.00', capturable: '129.90' },
    ...{ refunded: '0.00', refund_undecided: '0.00', refundable: '129.90', order_no: 'A-1', operations: [] },
  },
};
const paid = { id: 'cs_1', order_no: 'A-1', status: 'approved', transaction_id: 'T1' };
const operation = { id: 'op_1', operation: 'refund', status: 'unknown', created_at: moment, by: 'server', request: {} };
const event = {
  id: 'msg_1',
  type: 'session.approved',
  subject: 'cs_1',
  created_at: moment,
  delivery: { status: 'failed', tries: 38, failed_at: moment, reason: 'http_503' },
  deliveries: [
    { endpoint: 'default', delivery: { status: 'failed', tries: 38, failed_at: moment, reason: 'http_503' } },
  ],
  data: { id: 'cs_1', status: 'approved' },
};
const endpoint = { id: 'default', url: 'https://shop.example/webhooks', waiting: 0, failed: 1 };
const order = { order_no: 'A-1', currency: 'BRL', amount: '129.90' };
const item = { transaction_id: 'T1', currency: 'BRL', amount: '129.90' };
const payout = { request_id: '2f1c9c3e-7f7f-4f5e-9d35-0d3c4e1b2a10', source_amount: '10', source_currency: 'USD' };

type Case = {
  method?: 'PATCH';
  path: string;
  body?: object;
  answer: object;
  call: (client: Client) => Promise<unknown>;
};

/** A method that posts this body. */
function posts<Body extends object>(
  path: string,
  body: Body,
  answer: object,
  call: (client: Client, body: Body) => Promise<unknown>,
): Case {
  return { path, body, answer, call: (client) => call(client, body) };
}

const refunds = { refund_orders: [{ refund_status: '1', unheard_of: 'kept' }] };

/** Every method: the request that it makes, and an answer to it. */
const methods: Record<string, Case> = {
  'sessions.create': posts('/v1/sessions', { order }, created, (c, body) => c.sessions.create(body)),
  'sessions.get': { path: '/v1/sessions/cs_1', answer: session, call: (c) => c.sessions.get('cs_1') },
  'sessions.update': {
    ...posts('/v1/sessions/cs_1', { order: { amount: '149.80', discount: null } }, session, (c, body) =>
      c.sessions.update('cs_1', body),
    ),
    method: 'PATCH',
  },
  'sessions.settle': posts(
    '/v1/sessions/cs_1/settle',
    { outcome: 'approved' as const, transaction_id: 'T1', note: 'seen in the portal' },
    settled,
    (c, body) => c.sessions.settle('cs_1', body),
  ),
  'sessions.expire': posts('/v1/sessions/cs_1/expire', {}, { ...session, status: 'expired' }, (c) =>
    c.sessions.expire('cs_1'),
  ),
  'orders.reconcile': posts('/v1/orders/A%201%2F%C3%A4%3F/reconcile', {}, reconciled, (c) =>
    c.orders.reconcile('A 1/ä?'),
  ),
  'orders.note': posts('/v1/orders/A-1/notes', { note: 'One cup was broken' }, noted, (c, body) =>
    c.orders.note('A-1', body),
  ),
  'orders.refund': posts('/v1/orders/A-1/refund', { amount: '1.00', reason: 'Broken' }, done, (c, body) =>
    c.orders.refund('A-1', body),
  ),
  'orders.capture': posts('/v1/orders/A-1/capture', { amount: '1.00' }, done, (c, body) =>
    c.orders.capture('A-1', body),
  ),
  'orders.cancel': posts('/v1/orders/A-1/cancel', { metadata: { ticket: '4711' } }, done, (c, body) =>
    c.orders.cancel('A-1', body),
  ),
  'orders.review': posts('/v1/orders/A-1/review', { decision: 'accept' as const }, done, (c, body) =>
    c.orders.review('A-1', body),
  ),
  'payments.create': posts('/v1/payments', { ...order, token_id: 't' }, paid, (c, body) => c.payments.create(body)),
  'payments.list': {
    path: '/v1/payments?status=authorised&capturable=true&limit=5',
    answer: { payments: [done.payment], next: '1-2' },
    call: (c) => c.payments.list({ status: 'authorised', capturable: true, limit: 5 }),
  },
  'payments.settle': posts(
    '/v1/payments/T%201%2F%C3%A4/settle',
    { outcome: 'confirmed' as const, note: 'seen in the portal' },
    done.payment,
    (c, body) => c.payments.settle('T 1/ä', body),
  ),
  'subscriptions.acknowledge': posts(
    '/v1/subscriptions/R%201%2F%C3%A4/acknowledge',
    { note: 'asked for another card' },
    {
      ...{ recurring_id: 'R 1/ä', status: 'active', order_no: 'A-1', started_at: moment, currency: 'BRL' },
      first_charge: { transaction_id: 'T1', order_no: 'A-1', at: moment, amount: '9.90', currency: 'BRL' },
      ...{ later_charges: 0, failures: 1, notifications: 0 },
    },
    (c, body) => c.subscriptions.acknowledge('R 1/ä', body),
  ),
  query: posts('/v1/query', { orders: ['A-1'] }, { orders_list: [] }, (c, body) => c.query(body)),
  refund: posts('/v1/refund', { refund_orders: [{ ...item, refund_amount: '1.00' }] }, refunds, (c, body) =>
    c.refund(body),
  ),
  refundSearch: posts('/v1/refund/search', { refund_orders: ['T1'] }, refunds, (c, body) => c.refundSearch(body)),
  review: posts('/v1/review', { review_orders: [{ ...item, review_flag: 'accept' }] }, {}, (c, body) => c.review(body)),
  capture: posts('/v1/capture', { capture_orders: [item] }, {}, (c, body) => c.capture(body)),
  cancel: posts('/v1/cancel', { cancel_orders: [item] }, {}, (c, body) => c.cancel(body)),
  subscriptionCancel: posts('/v1/subscription/cancel', { recurring_id: 'R1' }, { cancel_status: '1' }, (c, body) =>
    c.subscriptionCancel(body),
  ),
  payout: posts('/v1/payout', payout, { status: 'COMPLETED' }, (c, body) => c.payout(body)),
  'operations.get': { path: '/v1/operations/op_1', answer: operation, call: (c) => c.operations.get('op_1') },
  'operations.settle': posts('/v1/operations/op_1/settle', { outcome: 'succeeded' as const }, operation, (c, body) =>
    c.operations.settle('op_1', body),
  ),
  'events.list': { path: '/v1/events', answer: { events: [event], next: 'msg_1' }, call: (c) => c.events.list() },
  'webhooks.list': { path: '/v1/webhooks', answer: { webhooks: [endpoint] }, call: (c) => c.webhooks.list() },
  'events.get': { path: '/v1/events/msg_1', answer: event, call: (c) => c.events.get('msg_1') },
  'events.redeliver': posts('/v1/events/msg_1/redeliver', {}, event, (c) => c.events.redeliver('msg_1')),
};

describe('a client of the relay', () => {
  for (const [name, { path, body, answer, call, method = body ? 'POST' : 'GET' }] of Object.entries(methods)) {
    it(`sends ${name} to ${path} with the key and gives the answer`, async () => {
      const relay = await scriptedRelay({ status: body ? 201 : 200, body: answer });
      expect(await call(relay.client())).toEqual(answer);
      expect(relay.asked).toHaveLength(1);
      const [asked] = relay.asked;
      expect(asked).toMatchObject({ method, path });
      expect(asked?.headers.authorization).toBe(`Bearer ${scriptedKey}`);
      expect(asked?.body).toBe(body ? JSON.stringify(body) : '');
      expect(asked?.headers['content-type']).toBe(body ? 'application/json' : undefined);
      const key = expect.stringMatching(/^[\da-f-]{36}$/);
      expect(asked?.headers['idempotency-key']).toEqual(method === 'POST' ? key : undefined);
    });
  }

  it('has a method for every operation with a route', () => {
    const paths = Object.values(operations).flatMap((entry) => ('route' in entry ? [entry.route.path] : []));
    expect(Object.values(methods).map(({ path }) => path)).toEqual(expect.arrayContaining(paths));
  });

  it('accepts a relay’s address with a path, final slash or not', async () => {
    const relay = await scriptedRelay({ status: 200, body: session });
    for (const end of ['/pay', '/pay/']) await relay.client({ url: `${relay.url}${end}` }).sessions.get('cs_1');
    expect(relay.asked.map(({ path }) => path)).toEqual(['/pay/v1/sessions/cs_1', '/pay/v1/sessions/cs_1']);
  });

  it.each(['', '.', '..'])('sends nothing for an order %j, which no path can hold', async (orderNo) => {
    const relay = await scriptedRelay({ status: 200, body: reconciled });
    await expect(relay.client().orders.reconcile(orderNo)).rejects.toThrow(ClientMisused);
    expect(relay.asked).toEqual([]);
  });

  it('keeps the key that it is given for settling, expiring and reconciling', async () => {
    const known = { status: 200, body: session };
    const relay = await scriptedRelay(known, known, { status: 200, body: reconciled });
    const options = { idempotencyKey: 'mine' };
    await relay.client().sessions.settle('cs_1', { outcome: 'not_paid', note: 'gone' }, options);
    await relay.client().sessions.expire('cs_1', options);
    const order = await relay.client().orders.reconcile('A-1', options).withMeta();
    expect(relay.asked.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', 'mine', 'mine']);
    expect(order.idempotencyKey).toBe('mine');
  });

  it('sends with the fetch that it is given', async () => {
    const urls: string[] = [];
    const own = async (url: string): Promise<Response> => {
      urls.push(url);
      return Response.json(session);
    };
    await createClient({ url: 'https://pay.example', apiKey: 'key', fetch: own }).sessions.get('cs_1');
    expect(urls).toEqual(['https://pay.example/v1/sessions/cs_1']);
  });

  it('takes bodies and gives answers with the types of the interface', () => {
    type Refunds = Parameters<Client['refund']>[0]['refund_orders'];
    expectTypeOf<Refunds[number]['transaction_id']>().toEqualTypeOf<string>();
    expectTypeOf<Refunds[number]['refund_amount']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Refunds[number]['order_no']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Client['refund']>().parameter(0).not.toExtend<{ merchant_id: string }>();
    expectTypeOf<Client['payout']>().parameter(0).toHaveProperty('request_id').toEqualTypeOf<string>();
    expectTypeOf<ReturnType<Client['sessions']['get']>>().toEqualTypeOf<Call<SessionAnswer>>();
    expectTypeOf<Awaited<ReturnType<Client['query']>>>()
      .toHaveProperty('orders_list')
      .exclude<null | undefined>()
      .items.toHaveProperty('payment_status')
      .toEqualTypeOf<string | null | undefined>();
    expectTypeOf<ReturnType<Client['sessions']['settle']>>().toEqualTypeOf<Call<SessionAnswer>>();
    expectTypeOf<Parameters<Client['sessions']['settle']>[1]>().toEqualTypeOf<SettleSession>();
    type DataOf<Type extends WebhookEvent['type']> = Extract<WebhookEvent, { type: Type }>['data'];
    expectTypeOf<WebhookEvent['type']>().toEqualTypeOf<EventType>();
    expectTypeOf<DataOf<'session.expired'>>().toEqualTypeOf<SessionAnswer>();
    expectTypeOf<DataOf<'operation.completed'>>().toEqualTypeOf<OperationCompleted>();
    expectTypeOf<ReturnType<Client['orders']['reconcile']>>().toEqualTypeOf<Call<OrderDetail>>();
    expectTypeOf<Client>().not.toHaveProperty('directPayment');
  });
});
