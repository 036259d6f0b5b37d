import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import manifest from '../../../package.json' with { type: 'json' };
import { openApiDocument } from '../../../relay/openapi/document.ts';
import { allRoutes } from '../../../relay/routes/all.ts';
import type { Routes } from '../../../relay/routes/route.ts';
import { compliant } from '../../support/gateways/compliant-gateway.ts';
import { type Script, scriptedGateway, sendRecords } from '../../support/gateways/scripted-gateway.ts';
import { defaultRules, documented } from '../../support/relays/documented.ts';
import { mistakes } from '../../support/relays/mistakes.ts';
import { apiKey, card, order, startTestRelay } from '../../support/relays/relay.ts';

async function setUp(script: Script = compliant) {
  const gateway = await scriptedGateway(script);
  const relay = await startTestRelay({ gatewayUrl: gateway.url });
  return { gateway, relay, reference: documented() };
}

/** The names of the routes in every file that declares routes. */
const declared = Object.values(
  import.meta.glob<Record<string, Routes>>('../../../relay/routes/**/*.ts', { eager: true }),
)
  .flatMap((file) => Object.entries(file))
  .flatMap(([name, routes]) => (name.endsWith('Routes') && name !== 'allRoutes' ? Object.values(routes) : []));

describe('the OpenAPI document', () => {
  it('has every declared route, and the relay serves it', async () => {
    expect(allRoutes.map(({ summary }) => summary).toSorted()).toEqual(
      declared.map(({ summary }) => summary).toSorted(),
    );
    const { relay } = await setUp();
    for (const [path, routes] of Map.groupBy(allRoutes, ({ path }) => path)) {
      const answer = await relay.send(path.replaceAll(/[{}]/g, ''), { method: 'PUT' });
      const methods = routes.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
      expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, methods.join(', ')]);
    }
  });

  it('is served by the relay, with its own address', async () => {
    const { relay } = await setUp();
    const answer = await relay.get('/openapi.json');
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.body).toEqual(JSON.parse(JSON.stringify(openApiDocument(relay.url, defaultRules))));
    const again = await relay.send('/openapi.json', {
      headers: { 'if-none-match': answer.headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
    });
    expect(again.status).toBe(304);
  });

  it.each([
    ['its own', {}],
    ['the caller’s', { 'x-request-id': 'shop.order-1001_a' }],
    ['its own in place of a card number', { 'x-request-id': card.card }],
  ])('describes the X-Request-Id of an answer: %s', async (_whose, headers) => {
    const { relay, reference } = await setUp();
    reference.check('get', '/healthz', await relay.send('/healthz', { headers }));
  });

  it('describes the answers about sessions', async () => {
    const { relay, reference } = await setUp();
    const body = { order: order(), collect: ['email'], locale: 'pt-BR' };
    expect(reference.isValidBody('/v1/sessions', body)).toBe(true);
    const created = await relay.post('/v1/sessions', apiKey, body, { 'idempotency-key': 'k-1' });
    expect(created.status).toBe(201);
    reference.check('post', '/v1/sessions', created);
    reference.check(
      'post',
      '/v1/sessions',
      await relay.post('/v1/sessions', apiKey, body, { 'idempotency-key': 'k-1' }),
    );
    const other = { order: order() };
    const reused = await relay.post('/v1/sessions', apiKey, other, { 'idempotency-key': 'k-1' });
    expect(reused.status).toBe(422);
    reference.check('post', '/v1/sessions', reused);

    const { id, client_secret } = created.body;
    reference.check('get', '/v1/sessions/{id}', await relay.get(`/v1/sessions/${id}`, apiKey));
    reference.check('get', '/checkout/api/session', await relay.get('/checkout/api/session', String(client_secret)));
    reference.check('get', '/checkout/api/session', await relay.get('/checkout/api/session', 'nonsense'));
    const paid = await relay.pay(String(client_secret), card);
    expect(paid.body.status).toBe('approved');
    reference.check('post', '/checkout/api/pay', paid);
    reference.check('post', '/checkout/api/pay', await relay.pay(String(client_secret), card));
    reference.check('get', '/v1/sessions/{id}', await relay.get(`/v1/sessions/${id}`, apiKey));
    reference.check('get', '/v1/sessions/{id}', await relay.get('/v1/sessions/cs_none', apiKey));
    reference.check('get', '/v1/sessions/{id}', await relay.get(`/v1/sessions/${id}`));
    const paidBefore = await relay.post('/v1/sessions', apiKey, body);
    expect(paidBefore.body.code).toBe('order_already_paid');
    reference.check('post', '/v1/sessions', paidBefore);
    await mistakes(relay, reference, '/v1/sessions', '/v1/sessions');
  });

  it('states why a valid body may still be refused', async () => {
    const { relay, reference } = await setUp();
    const elsewhere = 'https://elsewhere.example/';
    const refund = { transaction_id: 'T1', currency: 'BRL', amount: '1.00', refund_amount: '1.01' };
    const pix = { type: 'apm', payment_method: 'PIX', label: 'Pix' };
    const refused: [string, string, object][] = [
      ['/v1/sessions', 'return_url', { order: order(), return_url: elsewhere }],
      ['/v1/sessions', 'payment_methods', { order: order(), payment_methods: [pix, { ...pix, label: 'PIX' }] }],
      ['/v1/payments', 'return_url', { ...order(), payment_method: 'PIX', return_url: elsewhere }],
      ['/v1/payments', 'birth_date', { ...order(), payment_method: 'PIX', person: { birth_date: '31-02-1990' } }],
      ['/v1/refund', 'refund_amount', { refund_orders: [refund] }],
      ['/v1/query', 'query_end', { query_start: '2026-11-02 00:00:00', query_end: '2026-11-01 00:00:00' }],
      ['/checkout/api/pay', 'token_id', { token_id: 'tok_of_another' }],
      ['/checkout/api/pay', 'installments', { ...card, installments: '12' }],
      ['/checkout/api/pay', 'payment_method', { payment_method: 'NONE' }],
      ['/checkout/api/pay', 'collect', { ...card, shopper_email: 'ada@example.com' }],
    ];
    const { secret } = await relay.session();
    for (const [path, rule, body] of refused) {
      expect(reference.isValidBody(path, body), JSON.stringify(body)).toBe(true);
      const answer = await relay.post(path, path.startsWith('/v1') ? apiKey : secret, body);
      expect(answer.body.code, answer.text).toBe('invalid_request');
      reference.check('post', path, answer);
      expect(reference.rulesOf(path), path).toContain(`\`${rule}\``);
    }
  });

  it('describes the answers to payments, known and unknown', async () => {
    const { relay, reference } = await setUp();
    const path = '/v1/payments';
    const bodies = [
      { ...order(), ...card, items: [{ name: 'Tea #1', code: 'T-1', price: '129.90', quantity: 1 }] },
      { ...order(), token_id: 'tok_1' },
      { ...order(), payment_method: 'PIX', person: { email: 'ada@example.com' } },
    ];
    for (const body of bodies) {
      expect(reference.isValidBody(path, body)).toBe(true);
      const answer = await relay.post(path, apiKey, body);
      expect(answer.status, answer.text).toBe(200);
      reference.check('post', path, answer);
    }
    await mistakes(relay, reference, path, path);

    const silent = await setUp((received, res) => {
      if (received.path !== '/v1/authorise') sendRecords(res, []);
    });
    const body = { ...order(), ...card };
    const headers = { 'idempotency-key': 'k-2' };
    const unknown = await silent.relay.post(path, apiKey, body, headers);
    expect(unknown.body.status).toBe('unknown');
    silent.reference.check('post', path, unknown);
    const again = await silent.relay.post(path, apiKey, body, headers);
    expect(again.body.code).toBe('outcome_unknown');
    silent.reference.check('post', path, again);
    silent.reference.check('post', path, await silent.relay.post(path, apiKey, body));
    const session = await silent.relay.get(`/v1/sessions/${unknown.body.id}`, apiKey);
    silent.reference.check('get', '/v1/sessions/{id}', session);
  });

  it('describes the answers of routes without a key', async () => {
    const { relay, reference } = await setUp();
    const { id } = await relay.session();
    const real: Record<string, string> = {
      '/checkout/{session_id}': `/checkout/${id}`,
      '/return/{session_id}': `/return/${id}`,
      '/checkout/{session_id}/issuer': `/checkout/${id}/issuer`,
    };
    for (const path of [
      '/',
      '/healthz',
      '/readyz',
      '/embed.json',
      '/turnpike.js',
      '/openapi.json',
      '/docs',
      '/docs.css',
      '/docs.js',
    ]) {
      real[path] = path;
    }
    for (const [template, path] of Object.entries(real)) {
      reference.check('get', template, await relay.get(path));
      reference.check('get', template, await relay.send(path, { method: 'DELETE' }));
    }
    reference.check('get', '/checkout/{session_id}', await relay.get('/checkout/cs_none'));
    for (const template of Object.keys(real).filter((path) => path.includes('{session_id}'))) {
      const unreadable = await relay.get(template.replace('{session_id}', '%ff'));
      expect(unreadable.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      reference.check('get', template, unreadable);
    }
    reference.check('get', '/form/{file}', await relay.get('/form/none.js'));
    reference.check('get', '/form/{again}/{file}', await relay.get('/form/1/none.js'));
    reference.check('get', '/logo/{file}', await relay.get('/logo/none.svg'));
    const notified = await relay.send(`/notify/payment/${id}/guessed`, { method: 'POST', body: 'x' });
    reference.check('post', '/notify/{kind}/{id}/{token}', notified);
  });

  it('has links at / to its contents, as JSON and HTML', async () => {
    const { relay, reference } = await setUp();
    const answer = await relay.get('/');
    reference.check('get', '/', answer);
    expect(answer.body).toMatchObject({ name: manifest.name, version: manifest.version });
    const page = await relay.send('/', { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.headers.get('vary')).toMatch(/\baccept\b/i);
    expect(page.text).toContain(manifest.version);
    const links = Object.values(z.record(z.string(), z.string()).parse(answer.body.links));
    expect(links).toContain('/docs');
    for (const link of links) {
      expect(page.text).toContain(`href="${link}"`);
      expect((await relay.get(link)).status, link).toBe(200);
    }
  });
});
