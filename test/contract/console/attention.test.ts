import { describe, expect, it } from 'vitest';
import { attention } from '../../../shared/api/attention.ts';
import { operations } from '../../../shared/gateway/operations.ts';
import { done, refunding } from '../../support/gateways/refunding.ts';
import {
  approvedAs,
  bookDate,
  oneStore,
  patient,
  setUpSettlement,
  storesOf,
} from '../../support/gateways/settlement.ts';
import { documented } from '../../support/relays/documented.ts';
import { apiKey, otherAccountKey, queryOnlyKey, startTestRelay, type TestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const DAY_MS = 86_400_000;

/** The groups with cases, by kind. */
async function waiting(relay: TestRelay, key = apiKey) {
  const answer = await relay.get('/v1/attention', key);
  expect(answer.status).toBe(200);
  documented().check('get', '/v1/attention', answer);
  const { groups } = attention.parse(answer.body);
  return Object.fromEntries(groups.flatMap((group) => (group.count > 0 ? [[group.kind, group]] : [])));
}

/** The same once exactly these kinds have cases. The list of orders is updated a moment after an order changes. */
async function waitingOnce(relay: TestRelay, ...kinds: readonly string[]) {
  let found = await waiting(relay);
  await until(`${kinds} and no more wait`, async () => {
    found = await waiting(relay);
    return Object.keys(found).sort().join() === [...kinds].sort().join();
  });
  return found;
}

describe.each(oneStore)('what waits for a person, with %s', (store) => {
  const newStore = storesOf(store);

  it('is listed by kind, with the link to each case', async () => {
    const { relay, books, scripts, session, byCard, becomes } = await setUpSettlement(newStore);
    expect(await waiting(relay)).toEqual({});
    const [asked, pending, wrong] = [await session(), await session(), await session()];
    for (const { secret } of [asked, pending, wrong]) await byCard(secret);
    books.write(pending.orderNo, 'T1', '2000');
    books.write(wrong.orderNo, 'T2', '3000', { amount: '1.00' });
    await becomes(pending.id, { status: 'pending' });
    await becomes(wrong.id, { unknown: { reason: 'amount_differs' } });
    const { query } = scripts;
    scripts.query = (received, res, req) => {
      if (received.path === operations.capture.path) return void res.destroy();
      query(received, res, req);
    };
    const item = { transaction_id: 'T9', order_no: 'A-9', currency: 'BRL', amount: '7.00' };
    const captured = await relay.post('/v1/capture', apiKey, { capture_orders: [item] });
    const other = { ...item, amount: '8.00' };
    await relay.post('/v1/capture', apiKey, { capture_orders: [other, other] });
    const sum = { amount: '129.90', currency: 'BRL' };
    const kinds = ['order_asked', 'order_pending', 'order_contradicted', 'operation_unknown'];
    const found = await waitingOnce(relay, ...kinds);
    expect(found).toEqual({
      order_asked: expect.objectContaining({
        ...{ count: 1, oldest: found.order_asked?.cases[0]?.since },
        cases: [
          {
            ...{ since: expect.any(String), why: 'connection_lost', next_query_at: expect.any(String), ...sum },
            ...{ order_no: asked.orderNo, session_id: asked.id, payment_method: 'card' },
          },
        ],
      }),
      order_pending: expect.objectContaining({
        cases: [expect.objectContaining({ why: 'pending', order_no: pending.orderNo, session_id: pending.id })],
      }),
      order_contradicted: expect.objectContaining({
        cases: [expect.objectContaining({ why: 'amount_differs', order_no: wrong.orderNo, ...sum })],
      }),
      operation_unknown: expect.objectContaining({
        count: 2,
        cases: [
          {
            ...{ since: expect.any(String), why: expect.any(String), operation: 'capture', items: 1, ...item },
            operation_id: captured.headers.get('x-operation-id'),
          },
          expect.not.objectContaining({ order_no: 'A-9' }),
        ],
      }),
    });
    expect(found.operation_unknown?.cases[1]).toMatchObject({ operation: 'capture', items: 2 });
    expect(await waiting(relay, otherAccountKey)).toEqual({});
    expect((await relay.get('/v1/attention', queryOnlyKey)).status).toBe(403);
  });

  it('is an order that stays unknown for a day', async () => {
    const { relay, session, byCard, becomes, notify } = await setUpSettlement(newStore);
    const { id, secret, orderNo } = await session();
    await byCard(secret);
    await waitingOnce(relay, 'order_asked');
    relay.pass(DAY_MS + 1000);
    await notify(id);
    await becomes(id, { unknown: { needs_attention: true } });
    const found = await waitingOnce(relay, 'order_unknown');
    expect(found.order_unknown?.cases).toMatchObject([{ order_no: orderNo, session_id: id, amount: '129.90' }]);
  });

  it('is an order paid twice, until one payment is refunded', async () => {
    const { relay, books, scripts, session, byCard, reconcile } = await setUpSettlement(newStore, { resolve: patient });
    const { secret, orderNo } = await session();
    scripts.pay = approvedAs('T1');
    expect((await byCard(secret)).body).toMatchObject({ status: 'approved' });
    books.write(orderNo, 'T1', '3000');
    books.write(orderNo, 'T2', '3000', { transaction_date: bookDate() });
    await reconcile(orderNo);
    const found = await waitingOnce(relay, 'paid_twice');
    expect(found).toMatchObject({
      paid_twice: {
        count: 1,
        cases: [{ why: 'paid_twice', order_no: orderNo, transaction_id: 'T2', amount: '129.90', currency: 'BRL' }],
      },
    });
    const { query } = scripts;
    scripts.query = (received, res, req) => {
      if (received.path === operations.refund.path) refunding(() => done)(received, res, req);
      else query(received, res, req);
    };
    const item = { transaction_id: 'T2', order_no: orderNo, currency: 'BRL', amount: '129.90' };
    const part = await relay.post('/v1/refund', apiKey, { refund_orders: [{ ...item, refund_amount: '100.00' }] });
    expect(part.status).toBe(200);
    expect(await waiting(relay)).toHaveProperty('paid_twice');
    await relay.post('/v1/refund', apiKey, { refund_orders: [{ ...item, refund_amount: '29.90' }] });
    await waitingOnce(relay);
  });

  it.each([
    ['held', '3900', { outcome: 'confirmed', note: 'Accepted in the portal' }],
    ['reversed', '4100', { outcome: 'reversed', note: 'Chargeback' }],
  ])('is a payment that is %s, until a person decides it', async (alarm, code, decision) => {
    const profile = { codes: { payment_status: { approved: ['3000'], declined: ['4100'], held: ['3900'] } } };
    const { relay, books, scripts, session, byCard, reconcile } = await setUpSettlement(newStore, {
      ...{ resolve: patient, profile },
    });
    const { id, secret, orderNo } = await session();
    scripts.pay = approvedAs('T1');
    await byCard(secret);
    books.write(orderNo, 'T1', code);
    await reconcile(orderNo);
    const kind = `payment_${alarm}`;
    const found = await waitingOnce(relay, kind);
    expect(found[kind]?.cases).toEqual([
      {
        ...{ since: expect.any(String), why: alarm, order_no: orderNo, session_id: id, transaction_id: 'T1' },
        ...{ amount: '129.90', currency: 'BRL', payment_method: 'card' },
      },
    ]);
    expect(await relay.context.metrics.registry.metrics()).toContain(`turnpike_gave_up_total{what="${kind}"} 1`);
    await relay.post('/v1/payments/T1/settle', apiKey, decision);
    await waitingOnce(relay);
  });
});

it('counts up to 100 and lists the first cases', async () => {
  const relay = await startTestRelay({ gatewayUrl: 'http://127.0.0.1:1' });
  const { store } = relay.context;
  const [account, type, created_at] = ['demo', 'session.approved', '2027-03-31T10:15:00.000Z'] as const;
  const data = { order_no: 'A-1', amount: '5.00', currency: 'BRL', status: 'approved' };
  const body = JSON.stringify({ type, timestamp: created_at, data });
  const events = Array.from({ length: 120 }, (_, n) => ({ id: `msg_${n}`, account, subject: `cs_${n}` }));
  await store.outbox.add(events.map((event) => ({ ...event, type, created_at, body, endpoints: ['default'] })));
  for (const event of events) {
    const failed = { status: 'failed', tries: 9, failed_at: created_at, reason: 'http_503' } as const;
    await store.outbox.writeDelivery({ ...event, endpoint: 'default' }, failed);
  }
  const { webhook_failed, ...others } = await waiting(relay);
  expect(others).toEqual({});
  expect(webhook_failed).toMatchObject({ count: 100, more: true, oldest: created_at });
  expect(webhook_failed?.cases).toHaveLength(20);
  expect(webhook_failed?.cases[0]).toEqual({
    ...{ since: created_at, why: 'http_503', event_id: 'msg_0', event: type, session_id: 'cs_0' },
    ...{ order_no: 'A-1', amount: '5.00', currency: 'BRL' },
  });
});
