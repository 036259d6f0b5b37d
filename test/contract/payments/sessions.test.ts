import { describe, expect, it } from 'vitest';
import { allRoutes } from '../../../relay/routes/all.ts';
import { approving, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import {
  apiKey,
  card,
  order,
  otherAccountKey,
  queryOnlyKey,
  shopOrigin,
  startTestRelay,
  type TestRelay,
} from '../../support/relays/relay.ts';

async function relayOnly(): Promise<TestRelay> {
  const gateway = await scriptedGateway(approving);
  return startTestRelay({ gatewayUrl: gateway.url });
}

describe('GET /v1/sessions/:id', () => {
  it('returns the secret and address until the session is over', async () => {
    const relay = await relayOnly();
    const { id, secret, checkoutUrl } = await relay.session();
    expect(await relay.truth(id)).toMatchObject({ client_secret: secret, checkout_url: checkoutUrl });
    await relay.pay(secret, card);
    const paid = await relay.truth(id);
    expect(paid.status).toBe('approved');
    expect(Object.keys(paid)).not.toContain('client_secret');
    expect(Object.keys(paid)).not.toContain('checkout_url');
  });
});

describe('POST /v1/sessions', () => {
  it('creates a session that its id, secret and address belong to', async () => {
    const relay = await relayOnly();
    const asked = order();
    const answer = await relay.post('/v1/sessions', apiKey, { order: asked, expires_in: 600 });
    expect(answer.status).toBe(201);
    const { id, client_secret, checkout_url, status, expires_at, order_no } = answer.body;
    expect(id).toMatch(/^cs_[\w-]{32}$/);
    expect(String(client_secret).startsWith(`${id}.`)).toBe(true);
    expect(checkout_url).toBe(`${relay.url}/checkout/${id}#${client_secret}`);
    expect(status).toBe('open');
    expect(order_no).toBe(asked.order_no);
    expect(Date.parse(String(expires_at)) - Date.now()).toBeGreaterThan(590_000);
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
  });

  it('accepts every field that a shop may know', async () => {
    const relay = await relayOnly();
    const answer = await relay.post('/v1/sessions', apiKey, {
      order: {
        ...order(),
        items: [{ name: 'Tea', code: 'T-1', price: '64.95', quantity: 2 }],
        open3d: 'Y',
        session_id: 's',
      },
      payment_methods: [
        { type: 'card' },
        { type: 'apm', payment_method: 'PIX', label: 'Pix', banks: [], fields: ['document'] },
      ],
      installment_options: [{ installments: '3', installments_id: 'i3', each: '45.00', total: '135.00' }],
      saved_cards: [{ token_id: 't', brand: 'visa', last4: '1111', expiration_month: '12', expiration_year: '2030' }],
      collect: ['email', 'phone', 'document', 'birth_date', 'billing_address', 'delivery_address'],
      return_url: `${shopOrigin}/thanks`,
      locale: 'pt-BR',
      expires_in: 3600,
    });
    expect(answer.status).toBe(201);
  });

  const mistakes: Record<string, [object, string]> = {
    'an unknown field': [{ ordr: {} }, 'ordr'],
    'an unknown field of the order': [{ order: { ...order(), shiping: '1.00' } }, 'order.shiping'],
    'a field that the relay fills': [{ order: { ...order(), merchant_id: '1' } }, 'order.merchant_id'],
    'a card number': [{ order: { ...order(), card: '4111111111111111' } }, 'order.card'],
    'a notify_url': [{ order: { ...order(), notify_url: 'https://x.example' } }, 'order.notify_url'],
    'no order_no': [{ order: { currency: 'BRL', amount: '1.00' } }, 'order.order_no'],
    'an order_no that a query could not name': [{ order: { ...order(), order_no: 'A,B' } }, 'order.order_no'],
    'a negative amount': [{ order: { ...order(), amount: '-1.00' } }, 'order.amount'],
    'an amount of nothing': [{ order: { ...order(), amount: '0.00' } }, 'order.amount'],
    'an amount with three decimals': [{ order: { ...order(), amount: '1.234' } }, 'order.amount'],
    'an amount that is a float': [{ order: { ...order(), amount: 129.9 } }, 'order.amount'],
    'a currency that is none': [{ order: { ...order(), currency: 'real' } }, 'order.currency'],
    'an impossible birth date': [{ order: { ...order(), birth_date: '31-02-1990' } }, 'order.birth_date'],
    'items that cannot be read back': [
      { order: { ...order(), items: [{ name: 'ends with #,', code: 'x', price: '1.00', quantity: 1 }] } },
      'order.items',
    ],
    'no quantity': [
      { order: { ...order(), items: [{ name: 'x', code: 'x', price: '1.00', quantity: 0 }] } },
      'order.items.0.quantity',
    ],
    'a foreign return_url': [{ order: order(), return_url: 'https://evil.example/' }, 'return_url'],
    'a locale that is none': [{ order: order(), locale: '../..' }, 'locale'],
    'a field to collect twice': [{ order: order(), collect: ['email', 'phone', 'email'] }, 'collect'],
    'a method twice': [{ order: order(), payment_methods: [{ type: 'card' }, { type: 'card' }] }, 'payment_methods'],
  };
  it('names the path of every error', async () => {
    const relay = await relayOnly();
    for (const [what, [body, path]] of Object.entries(mistakes)) {
      const answer = await relay.post('/v1/sessions', apiKey, { order: order(), ...body });
      expect(answer, what).toMatchObject({ status: 400, body: { code: 'invalid_request', status: 400 } });
      expect(answer.headers.get('content-type'), what).toMatch(/^application\/problem\+json/);
      expect(JSON.stringify(answer.body.errors), what).toContain(`"path":"${path}"`);
    }
  });

  it('requires a valid key with the right scope', async () => {
    const relay = await relayOnly();
    const body = JSON.stringify({ order: order() });
    const headers = { 'content-type': 'application/json' };
    expect(await relay.send('/v1/sessions', { method: 'POST', headers, body })).toMatchObject({
      status: 401,
      body: { code: 'unauthorized' },
    });
    expect(await relay.post('/v1/sessions', 'wrong', body)).toMatchObject({ status: 401 });
    expect(await relay.post('/v1/sessions', queryOnlyKey, body)).toMatchObject({
      status: 403,
      body: { code: 'missing_scope' },
    });
  });

  it('refuses bodies that are not JSON or too large', async () => {
    const relay = await relayOnly();
    const post = (body: string, type = 'application/json') =>
      relay.post('/v1/sessions', apiKey, body, { 'content-type': type });
    expect(await post('{"order":')).toMatchObject({ status: 400, body: { code: 'invalid_json' } });
    expect(await post('"text"')).toMatchObject({ status: 400, body: { code: 'invalid_json' } });
    expect(await post('order=1', 'application/x-www-form-urlencoded')).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    });
    expect(await post(JSON.stringify({ note: 'x'.repeat(1_100_000) }))).toMatchObject({
      status: 413,
      body: { code: 'body_too_large' },
    });
    expect(await post('{"__proto__":{"polluted":true},"order":{}}')).toMatchObject({ status: 400 });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(await post(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)).toMatchObject({ status: 400 });
  });

  it('reports early that an order is paid', async () => {
    const relay = await relayOnly();
    const paid = await relay.session();
    await relay.pay(paid.secret, card);
    const again = await relay.post('/v1/sessions', apiKey, { order: { ...order(), order_no: paid.orderNo } });
    expect(again).toMatchObject({ status: 409, body: { code: 'order_already_paid', session_id: paid.id } });
    const elsewhere = await relay.post('/v1/sessions', otherAccountKey, {
      order: { ...order(), order_no: paid.orderNo },
    });
    expect(elsewhere.status).toBe(201);
  });
});

describe('GET /v1/sessions/:id', () => {
  it('returns an open session', async () => {
    const relay = await relayOnly();
    const { id, orderNo } = await relay.session();
    expect(await relay.truth(id)).toMatchObject({
      id,
      status: 'open',
      order_no: orderNo,
      currency: 'BRL',
      amount: '129.90',
      revision: 1,
      attempts: [],
    });
  });

  it('reveals nothing to other accounts, or about unknown ids', async () => {
    const relay = await relayOnly();
    const { id } = await relay.session();
    expect(await relay.get(`/v1/sessions/${id}`, otherAccountKey)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
    expect(await relay.get('/v1/sessions/cs_nothing', apiKey)).toMatchObject({ status: 404 });
  });

  it('reports when the session has expired', async () => {
    let clock = new Date();
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url, now: () => clock });
    const { id, secret } = await relay.session({ expires_in: 60 });
    clock = new Date(clock.getTime() + 61_000);
    expect(await relay.truth(id)).toMatchObject({ status: 'expired' });
    expect(await relay.pay(secret, card)).toMatchObject({ status: 409, body: { code: 'session_final' } });
    expect(gateway.authorised()).toEqual([]);
  });
});

describe('other answers of the relay', () => {
  it('report whether it is live and ready', async () => {
    const relay = await relayOnly();
    expect(await relay.get('/healthz')).toMatchObject({ status: 200 });
    expect(await relay.get('/readyz')).toMatchObject({ status: 200 });
    await relay.context.store.close();
    expect(await relay.get('/healthz')).toMatchObject({ status: 200 });
    expect(await relay.get('/readyz')).toMatchObject({ status: 503 });
    const answer = await relay.post('/v1/sessions', apiKey, { order: order() });
    expect(answer).toMatchObject({ status: 503, body: { code: 'store_unavailable' } });
  });

  it('are problems for unknown addresses and methods', async () => {
    const relay = await relayOnly();
    expect(await relay.get('/nowhere')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await relay.get('/%ff')).toMatchObject({ status: 404 });
    const answer = await relay.get('/v1/sessions', apiKey);
    expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    expect(answer.headers.get('allow')).toBe('POST');
  });

  it('are problems for other letters and a final slash in the API', async () => {
    const relay = await relayOnly();
    const paths = new Set(
      allRoutes.flatMap(({ path }) => (path.startsWith('/v1/') ? [path.replace(/[{}]/g, '')] : [])),
    );
    // Without a key, an address that is known is 401.
    for (const path of paths) {
      for (const other of [path.replace('/v1', '/V1'), `${path}/`]) {
        expect(await relay.get(other), other).toMatchObject({ status: 404, body: { code: 'not_found' } });
      }
    }
    expect(await relay.get('/v1/orders')).toMatchObject({ status: 401 });
    expect(await relay.get('/Healthz/')).toMatchObject({ status: 200 });
  });
});
