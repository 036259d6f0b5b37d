import { expect, it } from 'vitest';
import { codeOf, faultOf, type RawHeaders, sendRaw } from '../../corpus/raw-request.ts';
import { targetsOf } from '../../corpus/routes.ts';
import { cardLike } from '../../corpus/strings.ts';
import { obliging } from '../../support/gateways/compliant-gateway.ts';
import { scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, card, manyAttempts, order, startTestRelay } from '../../support/relays/relay.ts';

async function setUp() {
  const gateway = await scriptedGateway(obliging);
  const relay = await startTestRelay({
    gatewayUrl: gateway.url,
    config: {
      store: 'sqlite::memory:',
      trust_proxy: ['127.0.0.1'],
      limits: { ...manyAttempts, attempts_per_session: 1_000_000 },
    },
  });
  const post = (path: string, body: unknown, headers: RawHeaders = {}) =>
    sendRaw(`${relay.url}${path}`, {
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
      body: Buffer.from(JSON.stringify(body)),
    });
  return { gateway, relay, post };
}

const query = { orders: ['A'] };

it('accepts only an Idempotency-Key that is one printable text', async () => {
  const { gateway, relay, post } = await setUp();
  const targets = (await targetsOf(relay)).filter(({ path }) => path.startsWith('/v1/'));
  const right = ['k', 'k'.repeat(255), '"quoted"', 'a,b', '!#$%&()*+-./:;<=>?@[]^_`{|}~', cardLike];
  const wrong = [
    '',
    ' ',
    'k'.repeat(256),
    '"half',
    'a"b',
    'a\\b',
    'a b',
    'a\tb',
    'caf\u00e9',
    '\u00ff',
    '""',
    ['a', 'b'],
    ['a', 'a'],
  ];
  const before = gateway.received.length;
  for (const { path, bearer, body, name } of targets) {
    const headers = { authorization: `Bearer ${bearer}` };
    for (const key of wrong) {
      const answer = await post(path, body(), { ...headers, 'idempotency-key': key });
      expect(faultOf(answer) ?? codeOf(answer), `${name}: ${key}`).toBe('idempotency_key_invalid');
    }
  }
  expect(gateway.received).toHaveLength(before);
  for (const key of right) expect((await post('/v1/query', query, { 'idempotency-key': key })).status, key).toBe(200);
  expect(relay.logLines.join('\n')).not.toContain(cardLike);
});

it('refuses every malformed Authorization header', async () => {
  const { relay, post } = await setUp();
  const odd = [
    '',
    'Bearer',
    'Bearer ',
    `Basic ${apiKey}`,
    apiKey,
    `Bearer  ${apiKey}`,
    `Bearer ${apiKey} x`,
    `Bearer ${apiKey},x`,
  ];
  const odder = [
    `Bearer ${'x'.repeat(10_000)}`,
    'Bearer caf\u00e9',
    '\u00ff'.repeat(100),
    `Bearer ${cardLike}`,
    'Bearer __proto__',
  ];
  for (const { path, name } of await targetsOf(relay)) {
    for (const authorization of [undefined, ...odd, ...odder]) {
      const answer = await post(path, {}, { authorization });
      expect(faultOf(answer) ?? codeOf(answer), `${name}: ${authorization}`).toBe('unauthorized');
      expect(answer.text).not.toContain(cardLike);
    }
  }
  expect(relay.logLines.join('\n')).not.toContain(cardLike);
});

it('returns 404 for odd addresses and tolerates odd query strings', async () => {
  const { post, relay } = await setUp();
  const odd = [
    '/v1/query%00',
    '/v1/query%zz',
    '//v1/query',
    '/v1/../v1/query',
    '/v1/%2e%2e/query',
    '/%c0%ae%c0%ae/etc/passwd',
  ];
  const ids = [
    '%zz',
    '%00',
    '%ff',
    '..%2f..%2f',
    '__proto__',
    'x'.repeat(8000),
    cardLike,
    "'%20OR%201=1",
    '%F0%9F%98%80',
  ];
  const made = ids.flatMap((id) => [
    `/v1/operations/${id}/settle`,
    `/notify/payment/${id}/t`,
    `/notify/payout/x/${id}`,
    `/notify/${id}/x/t`,
  ]);
  for (const path of [...odd, ...made]) {
    const answer = await post(path, query);
    expect(faultOf(answer) ?? codeOf(answer), path).toBe('not_found');
    expect(answer.text).not.toContain(cardLike);
  }
  for (const id of ids) {
    for (const path of [`/v1/sessions/${id}`, `/v1/operations/${id}`]) {
      const answer = await sendRaw(relay.url + path, { method: 'GET', headers: { authorization: `Bearer ${apiKey}` } });
      expect(faultOf(answer) ?? codeOf(answer), path).toBe('not_found');
    }
    for (const path of [`/checkout/${id}`, `/checkout/${id}/issuer?ticket=${id}`, `/return/${id}`]) {
      const { status, text } = await sendRaw(relay.url + path, { method: 'GET' });
      expect(status, path).toBe(404);
      expect(text).not.toContain(cardLike);
    }
  }
  for (const search of ['?', '?%', '?%zz=%00', '?__proto__[a]=b&constructor=c', `?${'a=b&'.repeat(3000)}`]) {
    expect((await post(`/v1/query${search}`, query)).status, search).toBe(200);
  }
  expect(relay.logLines.join('\n')).not.toContain(cardLike);
});

it('names the methods that an address allows', async () => {
  const { relay } = await setUp();
  for (const { path, bearer, name } of await targetsOf(relay)) {
    const allowed = path === '/v1/payments' ? ['GET', 'HEAD', 'POST'] : ['POST'];
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']) {
      if (allowed.includes(method)) continue;
      const answer = await sendRaw(relay.url + path, { method, headers: { authorization: `Bearer ${bearer}` } });
      expect(faultOf(answer) ?? codeOf(answer), `${method} ${name}`).toBe('method_not_allowed');
      expect(answer.headers.allow).toBe(allowed.join(', '));
    }
  }
});

it('completes a payment despite odd headers of browsers or proxies', async () => {
  const { gateway, relay, post } = await setUp();
  const { secret } = await relay.session();
  const odd: RawHeaders[] = [
    { 'x-forwarded-for': 'x'.repeat(5000) },
    { 'x-forwarded-for': '\u0080\u0090' },
    { 'x-forwarded-for': '203.0.113.7, <script>' },
    { 'x-forwarded-for': ',,,' },
    { 'x-forwarded-for': '::ffff:203.0.113.7' },
    { 'x-forwarded-proto': 'gopher', 'x-forwarded-host': '\u00ff' },
    { 'user-agent': '\u0080\u0085\u00ff'.repeat(2000) },
    { 'user-agent': '' },
    { 'user-agent': `Mozilla/${'('.repeat(5000)}` },
    { accept: 'x'.repeat(5000) },
    { 'accept-language': `${'x'.repeat(5000)};q=` },
    { cookie: '%%%;=;;;"\u00ff' },
    { cookie: `__Host-turnpike_device=dv_${'x'.repeat(3000)}` },
    { referer: '\u00ff', origin: 'null' },
  ];
  for (const headers of odd) {
    const { status, text } = await post('/checkout/api/pay', card, { authorization: `Bearer ${secret}`, ...headers });
    expect(status, `${JSON.stringify(headers).slice(0, 100)}: ${text}`).toBe(200);
    const address = String(gateway.authorised().at(-1)?.message.shopper_ip);
    expect(address, 'is an address, or nothing').toMatch(/^[0-9a-f.:]{0,45}$/);
  }
});

it('refuses return and notify URLs with invalid Unicode', async () => {
  const { post } = await setUp();
  const url = 'http://127.0.0.1:8082/\ud800';
  const bodies = {
    '/v1/sessions': () => ({ order: order(), return_url: url }),
    '/v1/payments': () => ({ ...order(), payment_method: 'PIX', return_url: url }),
    '/v1/payout': () => ({
      ...{ beneficiary_id: 'b', payment_amount: '1', payment_currency: 'BRL', request_id: crypto.randomUUID() },
      notify_url: url,
    }),
  };
  for (const [path, body] of Object.entries(bodies)) {
    for (const headers of [{}, { 'idempotency-key': 'k' }]) {
      const answer = await post(path, body(), headers);
      expect(faultOf(answer) ?? codeOf(answer), path).toBe('invalid_request');
    }
  }
});
