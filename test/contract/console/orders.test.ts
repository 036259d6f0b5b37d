import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventList } from '../../../shared/api/event.ts';
import { identity } from '../../support/gateways/operation-cases.ts';
import {
  approval,
  drop,
  type Script,
  scriptedGateway,
  sendRecords,
  sendSigned,
  sendXml,
  signedXml,
} from '../../support/gateways/scripted-gateway.ts';
import {
  approvedAs,
  oneStore,
  ordersOf,
  patient,
  paymentAnswers,
  setUpSettlement,
  stores,
  storesOf,
} from '../../support/gateways/settlement.ts';
import { documented } from '../../support/relays/documented.ts';
import {
  account,
  apiKey,
  card,
  otherAccountKey,
  queryOnlyKey,
  startTestRelay,
  type TestRelay,
  testConfig,
} from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const list = (relay: TestRelay, query: Record<string, string> = {}, key = apiKey) =>
  relay.get(`/v1/orders?${new URLSearchParams(query)}`, key);

/** The numbers of the orders that a query finds, in their order. */
async function found(relay: TestRelay, query: Record<string, string>): Promise<unknown[]> {
  const { status, body, text } = await list(relay, query);
  if (status !== 200 || !Array.isArray(body.orders)) throw new Error(`no list: ${text}`);
  return body.orders.map(({ order_no }) => order_no);
}

describe.each(stores)('the list of orders, on %s', (kind) => {
  const newStore = storesOf(kind);
  const setUp = () => setUpSettlement(newStore, { resolve: patient });

  it('finds an order by each of its facts, and no others', async () => {
    const { relay, session, byCard, byPix, scripts } = await setUp();
    const paid = await session({ order: { amount: '12.50', shopper_email: 'Ada@Example.com' } });
    scripts.pay = approvedAs('T-77');
    expect((await byCard(paid.secret)).body).toMatchObject({ status: 'approved' });
    const away = await session({ order: { currency: 'USD' } });
    scripts.pay = paymentAnswers.redirected;
    await byPix(away.secret);
    const open = await session();

    expect((await list(relay)).body).toEqual({
      orders: [
        expect.objectContaining({ order_no: open.orderNo, status: 'open', session_status: 'open' }),
        expect.objectContaining({ order_no: away.orderNo, status: 'in_progress', payment_method: 'PIX' }),
        {
          ...{
            order_no: paid.orderNo,
            status: 'paid',
            created_at: expect.any(String),
            amount: '12.50',
            currency: 'BRL',
          },
          ...{ payment_method: 'card', card: '411111******1111', transaction_id: 'T-77' },
          ...{ session_id: paid.id, session_status: 'approved', needs_attention: false, refunded: '0.00' },
        },
      ],
    });
    const own: Record<string, string>[] = [
      { status: 'paid' },
      { currency: 'BRL', amount: '12.5' },
      { payment_method: 'card' },
      { last4: '1111' },
      { email: ' ada@example.COM' },
      { order_no: paid.orderNo },
      { transaction_id: 'T-77' },
      { transaction_id_prefix: 'T-' },
      { order_no_prefix: paid.orderNo, status: 'paid', last4: '1111' },
    ];
    for (const query of own) {
      expect(await found(relay, query), JSON.stringify(query)).toEqual([paid.orderNo]);
    }
    expect(await found(relay, { status: 'in_progress' })).toEqual([away.orderNo]);
    expect(await found(relay, { session_status: 'redirected' })).toEqual([away.orderNo]);
    expect(await found(relay, { session_status: 'unknown' })).toEqual([]);
    expect(await found(relay, { payment_method: 'PIX', currency: 'USD' })).toEqual([away.orderNo]);
    const others: Record<string, string>[] = [
      { amount: '12.50', currency: 'USD' },
      { last4: '0000' },
      { email: 'ada@example.org' },
      { transaction_id: 'T-7' },
      { needs_attention: 'true' },
      { order_no: 'T' },
      { status: 'paid', payment_method: 'PIX' },
    ];
    for (const query of others) {
      expect(await found(relay, query), JSON.stringify(query)).toEqual([]);
    }
  });

  it('has consecutive pages within the requested period', async () => {
    const { relay, session } = await setUp();
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.unshift((await session()).orderNo);
    const first = await list(relay, { limit: '2' });
    expect(first.body).toMatchObject({ orders: made.slice(0, 2).map((order_no) => ({ order_no })) });
    const next = String(first.body.next);
    expect(await found(relay, { limit: '3', before: next })).toEqual(made.slice(2));
    expect((await list(relay, { limit: '3', before: next })).body.next).toBeUndefined();
    const now = Date.now();
    const [past, future] = [now - 60_000, now + 60_000].map((ms) => new Date(ms).toISOString());
    expect(await found(relay, { created_from: past ?? '', created_to: future ?? '' })).toEqual(made);
    expect(await found(relay, { created_to: past ?? '' })).toEqual([]);
    expect(await found(relay, { created_from: future ?? '' })).toEqual([]);
  });

  it('is brought up to date when nobody asks for it, too', async () => {
    const { relay, session } = await setUp();
    const { orderNo } = await session();
    const { store } = relay.context;
    const listed = () => store.searchOrders({ account: 'demo', groups: [['all']], limit: 1 });
    await until('the order is listed', async () => (await listed()).orders[0]?.order_no === orderNo);
  });

  it('names what it does not know, and needs the scope', async () => {
    const { relay } = await setUp();
    for (const [query, path] of [
      [{ statuss: 'paid' }, 'statuss'],
      [{ status: 'pending' }, 'status'],
      [{ amount: '1.00' }, 'currency'],
      [{ created_from: 'yesterday' }, 'created_from'],
      [{ before: 'x' }, 'before'],
      [{ last4: '12345' }, 'last4'],
      [{ session_status: 'approved' }, 'session_status'],
      [{ format: 'xml' }, 'format'],
      [{ order_no_prefix: 'A', transaction_id_prefix: 'T' }, 'transaction_id_prefix'],
    ] as const) {
      const refused = { status: 400, body: { code: 'invalid_request', errors: [{ path }] } };
      expect(await list(relay, query), path).toMatchObject(refused);
    }
    expect(await list(relay, {}, queryOnlyKey)).toMatchObject({ status: 403, body: { code: 'missing_scope' } });
  });

  it('shows nothing of another account’s orders', async () => {
    const { relay, session, reconcile } = await setUp();
    const { orderNo } = await session({ order: { shopper_email: 'ada@example.com' } });
    expect(await found(relay, { email: 'ada@example.com' })).toEqual([orderNo]);
    const queries: Record<string, string>[] = [{}, { order_no: orderNo }, { order_no_prefix: 'T' }];
    for (const query of [...queries, { email: 'ada@example.com' }]) {
      expect((await list(relay, query, otherAccountKey)).body).toEqual({ orders: [] });
    }
    expect(await relay.get(`/v1/orders/${orderNo}`, otherAccountKey)).toMatchObject({ status: 404 });
    expect(await reconcile(orderNo, otherAccountKey)).toMatchObject({ status: 404 });
  });

  it('finds by the e-mail that the shopper typed once it is forgotten', async () => {
    const { relay, session, byCard, scripts } = await setUp();
    const { secret, orderNo, id } = await session({ collect: ['email'] });
    scripts.pay = approvedAs('T1');
    expect((await byCard(secret, { shopper_email: 'Grace@Example.com' })).status).toBe(200);
    expect(await found(relay, { email: 'grace@example.com' })).toEqual([orderNo]);
    const kept = await relay.context.store.session(id);
    const attempts = (await relay.context.store.order('demo', orderNo)).attempts;
    expect(JSON.stringify([kept, attempts])).not.toMatch(/grace/i);
  });

  it('finds what a code declined, and unknown payments until they settle', async () => {
    const { relay, session, byCard, scripts } = await setUp();
    const [declined, unknown] = [await session(), await session()];
    await session();
    scripts.pay = paymentAnswers.declined;
    expect((await byCard(declined.secret)).body).toMatchObject({ status: 'declined' });
    scripts.pay = drop;
    await byCard(unknown.secret);
    expect(await found(relay, { decline_code: '2001' })).toEqual([declined.orderNo]);
    expect(await found(relay, { decline_code: '2001', status: 'paid' })).toEqual([]);
    expect(await found(relay, { decline_code: '200' })).toEqual([]);
    expect(await found(relay, { session_status: 'unknown' })).toEqual([unknown.orderNo]);
    const settled = { outcome: 'not_paid', note: 'no such payment' };
    expect((await relay.post(`/v1/sessions/${unknown.id}/settle`, apiKey, settled)).status).toBe(200);
    expect(await found(relay, { session_status: 'unknown' })).toEqual([]);
    scripts.pay = approvedAs('T-1');
    await byCard(declined.secret);
    expect(await found(relay, { decline_code: '2001', status: 'paid' })).toEqual([declined.orderNo]);
  });

  it('is CSV where that is accepted, without formulas', async () => {
    const { relay, session } = await setUp();
    const numbers: string[] = [];
    for (const order_no of ['=1+1', '-A "b" c', '@x'])
      numbers.unshift((await session({ order: { order_no } })).orderNo);
    const headers = { authorization: `Bearer ${apiKey}`, accept: 'text/csv' };
    const csv = await relay.send('/v1/orders?status=open', { headers });
    expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
    const [head, ...lines] = csv.text.split('\r\n');
    expect(head).toMatch(/^order_no,status,created_at,amount,currency,/);
    expect(lines.map((line) => line.slice(0, line.indexOf(',open,')))).toEqual([
      '"\'@x"',
      '"\'-A ""b"" c"',
      '"\'=1+1"',
      '',
    ]);
    expect((await relay.send('/v1/orders?status=paid', { headers })).text.split('\r\n')).toEqual([head, '']);
    expect(await relay.send('/v1/orders?x=1', { headers })).toMatchObject({ status: 400 });
    const linked = await relay.get('/v1/orders?status=open&format=csv', apiKey);
    expect(linked.text).toBe(csv.text);
    expect(linked.headers.get('content-disposition')).toMatch(
      /^attachment; filename="orders-demo-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const json = await relay.send('/v1/orders?format=json', { headers });
    expect(json.headers.get('content-type')).toMatch(/^application\/json/);
  });

  it('is whole as CSV, however many pages it has', async () => {
    const { relay, session } = await setUp();
    const made = await Promise.all(Array.from({ length: 205 }, () => session()));
    const headers = { authorization: `Bearer ${apiKey}`, accept: 'text/csv' };
    const lines = (await relay.send('/v1/orders', { headers })).text.trim().split('\r\n').slice(1);
    const told = lines.map((line) => line.split(',')[0]);
    expect(told.toSorted()).toEqual(made.map(({ orderNo }) => orderNo).toSorted());
  });
});

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

  it('tells its money and all that happened, without card data or secrets', async () => {
    const { relay, session, byCard, scripts, notify, told } = await setUpSettlement(newStore, { resolve: patient });
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
    await told(id, 2);

    const detail = await relay.get(`/v1/orders/${orderNo}`, apiKey);
    const { status, body, text } = detail;
    expect(status).toBe(200);
    const document = documented();
    document.check('get', '/v1/orders/{order_no}', detail);
    document.check('get', '/v1/orders', await list(relay));
    document.check('get', '/v1/orders', await list(relay, { statuss: 'paid' }));
    const headers = { authorization: `Bearer ${apiKey}`, accept: 'text/csv' };
    document.check('get', '/v1/orders', await relay.send('/v1/orders', { headers }));
    document.check('get', '/v1/orders/{order_no}', await relay.get('/v1/orders/none', apiKey));
    expect(body).toMatchObject({
      ...{ order_no: orderNo, status: 'paid', amount: '129.90', currency: 'BRL', needs_attention: false },
      ...{ captured: '100.00', refunded: '30.00', refundable: '99.90' },
      payments: [{ transaction_id: 'T-1', amount: '129.90', refunded: '30.00', refundable: '99.90' }],
      sessions: [{ id, status: 'approved', refunded: '30.00' }],
    });
    expect((await relay.get(`/v1/sessions/${id}`, apiKey)).body.refunded).toBe(body.refunded);
    expect((await list(relay)).body.orders).toMatchObject([{ order_no: orderNo, refunded: '30.00' }]);
    const lines = (await relay.get('/v1/orders?format=csv', apiKey)).text.split('\r\n');
    expect(lines.map((line) => line.split(',').at(-1))).toEqual(['refunded', '30.00', '']);
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

  it('tells the last query and the next one', async () => {
    const { relay, session, byCard, reconcile, queriesOf } = await setUpSettlement(newStore, { resolve: patient });
    const { orderNo, secret } = await session();
    await byCard(secret);
    const asked = await reconcile(orderNo);
    documented().check('post', '/v1/orders/{order_no}/reconcile', asked);
    expect(queriesOf(orderNo)).toHaveLength(1);
    const { body } = await relay.get(`/v1/orders/${orderNo}`, apiKey);
    expect(asked).toMatchObject({ status: 200, body });
    expect(body).toMatchObject({ status: 'in_progress', captured: '0.00', refunded: '0.00', refundable: '0.00' });
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

  it('is asked about once for many who ask at the same time', async () => {
    const { session, byCard, reconcile, gateway } = await setUpSettlement(newStore, { resolve: patient });
    const { orderNo, secret } = await session();
    await byCard(secret);
    const answers = await Promise.all(Array.from({ length: 5 }, () => reconcile(orderNo)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(gateway.queried().filter((received) => ordersOf(received).includes(orderNo)).length).toBeLessThan(3);
  });

  it('is not found where there is none, and needs the scope', async () => {
    const { relay, session } = await setUpSettlement(newStore, { resolve: patient });
    const { orderNo } = await session();
    expect(await relay.get('/v1/orders/none', apiKey)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await relay.get(`/v1/orders/${orderNo}`, queryOnlyKey)).toMatchObject({ status: 403 });
    expect(await relay.post('/v1/orders/none', apiKey, {})).toMatchObject({ status: 405 });
  });
});

it('orders are found by e-mail after the signing secret changed', async () => {
  const gateway = await scriptedGateway((received, res) => sendXml(res, signedXml(approval(received))));
  const first = await startTestRelay({ gatewayUrl: gateway.url });
  const { orderNo, secret } = await first.session({ collect: ['email'] });
  expect((await first.pay(secret, { ...card, shopper_email: 'ada@example.com' })).status).toBe(200);
  await first.stop();
  const { accounts } = z
    .object({ accounts: z.array(z.looseObject({})) })
    .parse(testConfig({ gatewayUrl: gateway.url, folder: first.folder }));
  const [own, ...others] = accounts;
  const changed = { ...own, signing_secret: 'another-k3y', previous_signing_secrets: [account.signingSecret] };
  const second = await startTestRelay({
    gatewayUrl: gateway.url,
    folder: first.folder,
    config: { accounts: [changed, ...others] },
  });
  expect(await found(second, { email: 'ada@example.com' })).toEqual([orderNo]);
});
