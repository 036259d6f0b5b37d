import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { orderList } from '../../../shared/api/order.ts';
import { approval, drop, scriptedGateway, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import {
  approvedAs,
  patient,
  paymentAnswers,
  setUpSettlement,
  stores,
  storesOf,
} from '../../support/gateways/settlement.ts';
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

/** The numbers of the orders that a query finds, in order. */
async function found(relay: TestRelay, query: Record<string, string>): Promise<unknown[]> {
  const { status, body, text } = await list(relay, query);
  if (status !== 200 || !Array.isArray(body.orders)) throw new Error(`no list: ${text}`);
  return body.orders.map(({ order_no }) => order_no);
}

describe.each(stores)('the list of orders, on %s', (kind) => {
  const newStore = storesOf(kind);
  const setUp = () => setUpSettlement(newStore, { resolve: patient });

  it('finds an order by each of its properties, and no other', async () => {
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
        expect.objectContaining({ order_no: away.orderNo, status: 'pending', payment_method: 'PIX' }),
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
          ...{ refund_undecided: '0.00', captured: '0.00', refundable: '12.50', shopper_email: 'A•••@Example.com' },
        },
      ],
    });
    const own: Record<string, string>[] = [
      { status: 'paid' },
      { currency: 'BRL', amount: '12.5' },
      { amount: '12.50' },
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
    expect(await found(relay, { status: 'pending' })).toEqual([away.orderNo]);
    expect(await found(relay, { session_status: 'redirected' })).toEqual([away.orderNo]);
    expect(await found(relay, { session_status: 'unknown' })).toEqual([]);
    expect(await found(relay, { payment_method: 'PIX', currency: 'USD' })).toEqual([away.orderNo]);
    const others: Record<string, string>[] = [
      { amount: '12.50', currency: 'USD' },
      { amount: '12.51' },
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

  it('links from a page to the previous one, in both orders', async () => {
    const { relay, session } = await setUp();
    const made: string[] = [];
    for (let n = 0; n < 6; n++) made.unshift((await session()).orderNo);
    const page = async (query: Record<string, string>) => {
      const { body } = await list(relay, { limit: '2', ...query });
      const { orders, previous, next } = orderList.parse(body);
      return { shown: orders.map(({ order_no }) => order_no), previous: previous ?? '', next: next ?? '' };
    };
    for (const [sort, all] of [
      ['newest', made],
      ['oldest', made.toReversed()],
    ] as const) {
      const first = await page({ sort });
      expect(first).toMatchObject({ shown: all.slice(0, 2), previous: '' });
      const second = await page({ sort, before: first.next });
      const third = await page({ sort, before: second.next });
      expect([second.shown, third]).toMatchObject([all.slice(2, 4), { shown: all.slice(4), next: '' }]);
      const back = await page({ sort, after: third.previous });
      expect(back).toEqual(second);
      const top = await page({ sort, after: back.previous });
      expect(top).toMatchObject({ shown: first.shown, previous: '' });
      expect(await page({ sort, before: top.next })).toEqual(second);
      expect((await page({ sort, after: second.previous, status: 'paid' })).shown).toEqual([]);
    }
  });

  it('is updated without requests, too', async () => {
    const { relay, session } = await setUp();
    const { orderNo } = await session();
    const { store } = relay.context;
    const listed = () => store.listing.search({ account: 'demo', groups: [['all']], limit: 1 });
    await until('the order is listed', async () => (await listed()).orders[0]?.order_no === orderNo);
  });

  it('names unknown parameters, and needs the scope', async () => {
    const { relay } = await setUp();
    for (const [query, path] of [
      [{ statuss: 'paid' }, 'statuss'],
      [{ status: 'in_progress' }, 'status'],
      [{ amount: '1,00' }, 'amount'],
      [{ sort: 'amount' }, 'sort'],
      [{ before: '1-1', after: '1-1' }, 'after'],
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

  it('shows no orders of another account', async () => {
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

  it('finds orders by the typed e-mail after the e-mail is deleted', async () => {
    const { relay, session, byCard, scripts } = await setUp();
    const { secret, orderNo, id } = await session({ collect: ['email'] });
    scripts.pay = approvedAs('T1');
    expect((await byCard(secret, { shopper_email: 'Grace@Example.com' })).status).toBe(200);
    expect(await found(relay, { email: 'grace@example.com' })).toEqual([orderNo]);
    const kept = await relay.context.store.sessions.get(id);
    const attempts = (await relay.context.store.orders.get('demo', orderNo)).attempts;
    expect(JSON.stringify([kept, attempts])).not.toMatch(/grace/i);
  });

  it('finds orders by decline code, and unknown payments until settled', async () => {
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
    const { body } = await list(relay, { order_no: declined.orderNo });
    expect(body).toMatchObject({ orders: [{ status: 'paid', decline_code: '2001' }] });
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
    expect(head).toMatch(/,refunded,refund_undecided,captured,refundable,decline_code,shopper_email$/);
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

  it('is complete as CSV, however many pages it has', async () => {
    const { relay, session } = await setUp();
    const made = await Promise.all(Array.from({ length: 205 }, () => session()));
    const headers = { authorization: `Bearer ${apiKey}`, accept: 'text/csv' };
    const lines = (await relay.send('/v1/orders', { headers })).text.trim().split('\r\n').slice(1);
    const numbers = lines.map((line) => line.split(',')[0]);
    expect(numbers.toSorted()).toEqual(made.map(({ orderNo }) => orderNo).toSorted());
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
