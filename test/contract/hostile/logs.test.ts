import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sendBytes } from '../../corpus/raw-request.ts';
import { compliant } from '../../support/gateways/compliant-gateway.ts';
import { type Script, scriptedGateway, sendRecords } from '../../support/gateways/scripted-gateway.ts';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { account, apiKey, card, order, startTestRelay, type TestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const line = z.looseObject({ msg: z.string(), request_id: z.string().optional(), poller: z.string().optional() });

function linesOf(relay: TestRelay) {
  return relay.logLines.map((text) => line.parse(JSON.parse(text)));
}

async function setUp(script: Script = compliant, config: Record<string, unknown> = {}) {
  const gateway = await scriptedGateway(script);
  return { gateway, relay: await startTestRelay({ gatewayUrl: gateway.url, config }) };
}

/** Pays like a browser, with a request id. */
async function payAs(relay: TestRelay, requestId: string) {
  const { secret, id } = await relay.session();
  const answer = await relay.post('/checkout/api/pay', secret, card, { 'x-request-id': requestId });
  return { answer, id };
}

describe('the log of a relay', () => {
  it('has the browser’s request id on the payment’s line', async () => {
    const { relay } = await setUp();
    const { answer, id } = await payAs(relay, 'browser-0001');
    expect(answer.headers.get('x-request-id')).toBe('browser-0001');
    const own = linesOf(relay).filter(({ request_id }) => request_id === 'browser-0001');
    expect(own.find(({ msg }) => msg === 'payment answered')).toMatchObject({
      name: 'direct_payment',
      ms: expect.any(Number),
      session: id,
      attempt: expect.stringMatching(/^at_/),
      outcome: 'approved',
      status: 'approved',
    });
    expect(own.map(({ msg }) => msg)).not.toContain('gateway called');
  });

  it('separates the ids of concurrent requests', async () => {
    const { relay } = await setUp();
    const paid = await Promise.all(Array.from({ length: 8 }, (_, n) => payAs(relay, `at-the-same-time-${n}`)));
    for (const [n, { id }] of paid.entries()) {
      const calls = linesOf(relay).filter(({ msg, session }) => msg === 'payment answered' && session === id);
      expect(calls.map(({ request_id }) => request_id)).toEqual([`at-the-same-time-${n}`]);
    }
  });

  it.each(['short', 'has a space', 'x'.repeat(65), '4111111111111111', '4111-1111-1111-1111', 'déjà-vu-1'])(
    'has the relay’s own id when the caller’s is invalid: %s',
    async (given) => {
      const { relay } = await setUp();
      const headers = new Headers();
      headers.set('x-request-id', Buffer.from(given).toString('latin1'));
      const answer = await relay.send('/v1/sessions/cs_none', { headers });
      expect(answer.headers.get('x-request-id')).toMatch(/^req_[\w-]{32}$/);
      expect(relay.logLines.join('')).not.toContain(given);
    },
  );

  it('names the poller for work without a request', async () => {
    const { relay } = await setUp((received, res, req) => {
      if (received.path === '/v1/authorise') res.destroy();
      else if (received.path === '/v1/retrievalTrans') sendRecords(res, []);
      else compliant(received, res, req);
    });
    await payAs(relay, 'browser-0002');
    const query = () => linesOf(relay).find(({ msg, name }) => msg === 'gateway called' && name === 'query');
    await until('the poller queries', () => query() !== undefined);
    expect(query()).toMatchObject({ poller: 'reconciliation' });
    expect(query()).not.toHaveProperty('request_id');
  });

  it('names a refused request by route pattern, never by address', async () => {
    const { relay } = await setUp();
    await relay.post('/notify/payment/cs_none/the-secret-token', 'x', {}, { 'x-request-id': 'gateway-0001' });
    await relay.send('/checkout/cs_none/issuer?ticket=the-secret-ticket');
    await relay.send('/nowhere/the-secret-path?card=4111111111111111');
    const refused = () => linesOf(relay).filter(({ msg }) => msg === 'request refused');
    await until('three lines', () => refused().length === 3);
    expect(refused()[0]).toMatchObject({
      request_id: 'gateway-0001',
      method: 'POST',
      route: '/notify/:kind/:id/:token',
      http_status: 404,
      code: 'not_found',
      ms: expect.any(Number),
    });
    expect(relay.logLines.join('')).not.toMatch(/the-secret|411111/);
  });

  it.each([
    ['/v1/sessions/cs_none', '/v1/sessions/:id'],
    ['/checkout/doctor', '/checkout/doctor'],
    ['/nowhere', undefined],
  ])('names the route of %s, though the request has two Hosts', async (path, route) => {
    const { relay } = await setUp();
    await sendBytes(relay.url, `GET ${path} HTTP/1.1\r\nHost: a\r\nHost: b\r\nX-Request-Id: two-hosts-1\r\n\r\n`);
    const refused = () => linesOf(relay).find(({ request_id }) => request_id === 'two-hosts-1');
    await until('its line', () => refused() !== undefined);
    expect(refused()).toMatchObject({ method: 'GET', http_status: 400, code: 'malformed_request' });
    expect(refused()?.route).toBe(route);
    const { text } = await relay.get('/metrics');
    expect(text).toContain(`method="GET",route="${route ?? 'none'}",status="4xx"`);
  });

  it('contains no health checks and scrapes', async () => {
    const { relay } = await setUp();
    for (const path of ['/healthz', '/readyz', '/metrics', '/docs']) await relay.get(path);
    const routes = () => linesOf(relay).map(({ route }) => route);
    await until('the other request is logged', () => routes().includes('/docs'));
    expect(routes().filter((route) => /healthz|readyz|metrics/.test(String(route)))).toEqual([]);
  });

  it('contains only listed fields, whatever the relay does', async () => {
    const receiver = await startReceiver();
    const broken: Script = (received, res, req) => {
      if (received.message.order_no === 'B-1') res.writeHead(500).end(received.raw);
      else if (received.message.order_no === 'B-2') res.writeHead(400).end(received.raw);
      else compliant(received, res, req);
    };
    const { relay } = await setUp(broken, withReceiver(receiver.url));
    const { answer } = await payAs(relay, 'browser-0003');
    const { transaction_id } = answer.body;
    for (const order_no of ['B-1', 'B-2']) {
      const { secret } = await relay.session({ order: { order_no } });
      await relay.pay(secret, card);
    }
    const pix = { payment_methods: [{ type: 'apm', payment_method: 'PIX', label: 'Pix' }] };
    const { secret } = await relay.session(pix);
    const { redirect_url } = (await relay.pay(secret, { payment_method: 'PIX' })).body;
    await relay.get(String(redirect_url).slice(relay.url.length));
    const item = { ...order(), order_no: answer.body.order_no, transaction_id };
    const { order_no, currency, amount } = item;
    const refund = { transaction_id, order_no, currency, amount, refund_amount: '1.00', refund_reason: 'cup' };
    expect((await relay.post('/v1/refund', apiKey, { refund_orders: [refund] })).status).toBe(200);
    await relay.post('/v1/query', apiKey, { orders: [order_no] });
    await receiver.one('session.unknown');
    expect(linesOf(relay).length).toBeGreaterThan(10);
    for (const text of relay.logLines) expect(text).not.toContain('[redacted]');
    expect(relay.logLines.join('')).not.toContain(account.signingSecret);
  });
});
