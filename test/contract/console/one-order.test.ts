import { describe, expect, it } from 'vitest';
import { eventList } from '../../../shared/api/event.ts';
import { identity } from '../../support/gateways/operation-cases.ts';
import { type Script, sendRecords, sendSigned } from '../../support/gateways/scripted-gateway.ts';
import {
  approvedAs,
  oneStore,
  ordersOf,
  patient,
  paymentAnswers,
  setUpSettlement,
  storesOf,
} from '../../support/gateways/settlement.ts';
import { documented } from '../../support/relays/documented.ts';
import { account, apiKey, queryOnlyKey, type TestRelay } from '../../support/relays/relay.ts';

const orders = (relay: TestRelay, query: Record<string, string> = {}) =>
  relay.get(`/v1/orders?${new URLSearchParams(query)}`, apiKey);

describe.each(oneStore)('one order, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** Refunds of 10.00 succeed, others get no answer; captures succeed; searches find nothing. */
  const operating: Script = (received, res) => {
    const { path, message } = received;
    if (path === '/v1/retrievalTrans') return sendRecords(res, []);
    const items = (name: string) => (Array.isArray(message[name]) ? message[name] : []);
    const reply = (name: string, results: object[]) => {
      const answer = { ...identity, return_status: '1', return_message: 'OK', [name]: results };
      sendSigned(res, answer);
    };
    if (path === '/v1/capture') {
      return reply(
        'capture_orders',
        items('capture_orders').map((item) => ({ ...item, capture_status: '1' })),
      );
    }
    const refunds = items('refund_orders');
    if (path !== '/v1/refund') return reply('refund_orders', []);
    if (refunds.some(({ refund_amount }) => refund_amount !== '10.00')) return void res.destroy();
    reply(
      'refund_orders',
      refunds.map((item) => ({ ...item, refund_status: '1', refund_message: 'V0000:OK' })),
    );
  };

  it('shows its amounts and events, without card data or secrets', async () => {
    const { relay, session, byCard, scripts, notify, webhooksOf } = await setUpSettlement(newStore, {
      resolve: patient,
    });
    const { id, secret, orderNo } = await session();
    scripts.pay = paymentAnswers.declined;
    await byCard(secret);
    scripts.pay = approvedAs('T-1');
    expect((await byCard(secret)).body).toMatchObject({ status: 'approved' });
    scripts.query = operating;
    const item = { transaction_id: 'T-1', order_no: orderNo, currency: 'BRL', amount: '129.90' };
    const other = { ...item, order_no: 'B', transaction_id: 'T-other' };
    const refund = (refund_amount: string, references?: string[]) =>
      relay.post('/v1/refund', apiKey, {
        refund_orders: [
          { ...other, refund_amount },
          { ...item, refund_amount },
        ],
        ...(references ? { references } : {}),
      });
    expect((await refund('10.00', ['return-1', 'return-2'])).status).toBe(200);
    expect((await refund('20.00')).status).toBe(409);
    const captured = await relay.post('/v1/capture', apiKey, {
      capture_orders: [{ ...item, amount: '100.00' }, other],
    });
    expect(captured.status).toBe(200);
    await notify(id);
    await webhooksOf(id, 2);

    const detail = await relay.get(`/v1/orders/${orderNo}`, apiKey);
    const { status, body, text } = detail;
    expect(status).toBe(200);
    const document = documented();
    document.check('get', '/v1/orders/{order_no}', detail);
    document.check('get', '/v1/orders', await orders(relay));
    document.check('get', '/v1/orders', await orders(relay, { statuss: 'paid' }));
    const headers = { authorization: `Bearer ${apiKey}`, accept: 'text/csv' };
    document.check('get', '/v1/orders', await relay.send('/v1/orders', { headers }));
    document.check('get', '/v1/orders/{order_no}', await relay.get('/v1/orders/none', apiKey));
    expect(body).toMatchObject({
      ...{ order_no: orderNo, status: 'partially_refunded', amount: '129.90', currency: 'BRL', needs_attention: false },
      // The captured amount can be refunded, and no more.
      ...{ captured: '100.00', refunded: '30.00', refund_undecided: '20.00', refundable: '70.00' },
      payments: [
        {
          ...{ transaction_id: 'T-1', amount: '129.90', status: 'partially_refunded', method: 'card', credited: true },
          ...{ captured: '100.00', capturable: '29.90' },
          ...{ refunded: '10.00', refund_undecided: '20.00', refundable: '70.00' },
          ...{ order_no: orderNo, origin: 'checkout' },
          operations: [
            { operation: 'refund', amount: '10.00', outcome: 'succeeded' },
            { operation: 'refund', amount: '20.00', outcome: 'unknown' },
            { operation: 'capture', amount: '100.00', outcome: 'succeeded' },
          ],
        },
      ],
      sessions: [{ id, status: 'approved', refunded: '30.00' }],
    });
    const payment = await relay.get('/v1/payments/T-1', apiKey);
    document.check('get', '/v1/payments/{transaction_id}', payment);
    expect([payment.body]).toEqual(body.payments);
    const unknown = await relay.get('/v1/payments/T-none', apiKey);
    document.check('get', '/v1/payments/{transaction_id}', unknown);
    expect(unknown.status).toBe(404);
    expect((await relay.get(`/v1/sessions/${id}`, apiKey)).body.refunded).toBe(body.refunded);
    expect((await orders(relay)).body.orders).toMatchObject([{ order_no: orderNo, refunded: '30.00' }]);
    const [head = '', line = '', ...rest] = (await relay.get('/v1/orders?format=csv', apiKey)).text.split('\r\n');
    const cells = line.split(',');
    const cell = (column: string) => cells[head.split(',').indexOf(column)];
    expect(['refunded', 'refund_undecided', 'captured', 'refundable'].map(cell)).toEqual([
      ...['30.00', '20.00', '100.00', '70.00'],
    ]);
    expect(rest).toEqual(['']);
    const timeline = Array.isArray(body.timeline) ? body.timeline : [];
    const ofType = (type: string) => timeline.filter((entry) => entry.type === type);
    expect(timeline.map(({ at }) => at)).toEqual(timeline.map(({ at }) => at).toSorted());
    expect(ofType('session')).toMatchObject([{ session_id: id }]);
    expect(ofType('attempt')).toMatchObject([
      { session_id: id, attempt: { status: 'declined', card: '411111******1111', result: { code: '2001' } } },
      { session_id: id, attempt: { status: 'approved', transaction_id: 'T-1' } },
    ]);
    expect(ofType('operation')).toMatchObject([
      {
        operation: 'refund',
        status: 'answered',
        by: 'all',
        items: [{ outcome: 'succeeded', reference: 'return-2', request: { order_no: orderNo } }],
      },
      { operation: 'refund', status: 'unknown', items: [{ outcome: 'unknown', request: { refund_amount: '20.00' } }] },
      { operation: 'capture', items: [{ outcome: 'succeeded', request: { amount: '100.00' } }] },
    ]);
    expect(ofType('notification')).toMatchObject([{ session_id: id, times: 1, verified: false }]);
    expect(ofType('webhook').map(({ event }) => event)).toEqual(
      expect.arrayContaining(['session.declined', 'session.approved', 'operation.completed', 'operation.unknown']),
    );
    const { events } = eventList.parse((await relay.get('/v1/events?limit=100', apiKey)).body);
    for (const event of events) document.checkWebhook(event);
    for (const word of ['4111111111111111', '"737"', secret.slice(secret.indexOf('.') + 1), account.signingSecret]) {
      expect(text).not.toContain(word);
    }
  });

  it('shows the last query and the next one', async () => {
    const { relay, session, byCard, reconcile, queriesOf } = await setUpSettlement(newStore, { resolve: patient });
    const { orderNo, secret } = await session();
    await byCard(secret);
    const asked = await reconcile(orderNo);
    documented().check('post', '/v1/orders/{order_no}/reconcile', asked);
    expect(queriesOf(orderNo)).toHaveLength(1);
    const { body } = await relay.get(`/v1/orders/${orderNo}`, apiKey);
    expect(asked).toMatchObject({ status: 200, body });
    expect(body).toMatchObject({ status: 'unknown', captured: '0.00', refunded: '0.00', refundable: '0.00' });
    expect(body.timeline).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'query', counted: true }),
        expect.objectContaining({ type: 'next_query' }),
      ]),
    );
  });

  it('shows its timeline only to keys that may look orders up', async () => {
    const { relay, session, byCard } = await setUpSettlement(newStore, { resolve: patient });
    const { orderNo, secret } = await session();
    await byCard(secret);
    const path = `/v1/orders/${orderNo}/reconcile`;
    const ask = (key: string) => relay.post(path, key, {}, { 'idempotency-key': 'k-1' });
    const whole = await ask(apiKey);
    expect(whole.body.timeline).toEqual(expect.arrayContaining([expect.objectContaining({ type: 'attempt' })]));
    const brief = await ask(queryOnlyKey);
    documented().check('post', '/v1/orders/{order_no}/reconcile', brief);
    const { timeline: _, ...rest } = whole.body;
    expect(Object.keys(brief.body)).toEqual(Object.keys(rest));
    expect((await ask(queryOnlyKey)).text).toBe(brief.text);
  });

  it('is queried once for many simultaneous requests', async () => {
    const { session, byCard, reconcile, gateway } = await setUpSettlement(newStore, { resolve: patient });
    const { orderNo, secret } = await session();
    await byCard(secret);
    const answers = await Promise.all(Array.from({ length: 5 }, () => reconcile(orderNo)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(gateway.queried().filter((received) => ordersOf(received).includes(orderNo)).length).toBeLessThan(3);
  });

  it('returns 404 for an unknown order, and needs the scope', async () => {
    const { relay, session } = await setUpSettlement(newStore, { resolve: patient });
    const { orderNo } = await session();
    expect(await relay.get('/v1/orders/none', apiKey)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await relay.get(`/v1/orders/${orderNo}`, queryOnlyKey)).toMatchObject({ status: 403 });
    expect(await relay.post('/v1/orders/none', apiKey, {})).toMatchObject({ status: 405 });
  });
});
