import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plainPayments } from '../../../relay/checkout/answer-payment.ts';
import { shortWayBefore } from '../../../relay/http/incoming.ts';
import { createWork } from '../../../relay/http/work.ts';
import {
  approval,
  drop,
  type Script,
  scriptedGateway,
  sendXml,
  signedXml,
} from '../../support/gateways/scripted-gateway.ts';
import { serve } from '../../support/http/http-server.ts';
import { type Answer, card, startTestRelay, type TestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const PLAIN = 'application/json';
/** What Express answers: the same body, by a type that says more. */
const LONG_WAY = 'application/json; charset=utf-8';

const says: Record<string, Script> = {
  approves: (received, res) =>
    sendXml(res, signedXml({ ...approval(received), transaction_id: `T of ${received.message.order_no}` })),
  declines: (received, res) =>
    sendXml(res, signedXml({ ...approval(received), order_status: '0', result_info: '2001:Do not honour' })),
  'refuses the message': (_received, res) => void res.writeHead(400).end('Invalid input'),
  'hangs up': drop,
};

type Asked = { headers?: Record<string, string>; body?: unknown; gateway?: string; secret?: string };

/** Requests for a payment, each of a session of its own. */
const requests: Record<string, Asked> = {
  'a card': {},
  'a decline': { gateway: 'declines' },
  'a refused message': { gateway: 'refuses the message' },
  'a lost answer': { gateway: 'hangs up' },
  'no secret': { headers: { authorization: '' } },
  'a wrong secret': { secret: 'cs_none.none' },
  'no JSON': { body: '{' },
  'a text': { body: '"text"' },
  'a list': { body: '[]' },
  'bytes that are no UTF-8': { body: new Blob([Uint8Array.of(0x5b, 0x22, 0xff, 0x22, 0x5d)]) },
  'a byte order mark': { body: `\ufeff${JSON.stringify(card)}` },
  'a missing card': { body: {} },
  'an unknown field': { body: { ...card, unknown: 1 } },
  'a field that was not asked for': { body: { ...card, shopper_email: 'a@b.example' } },
  'a method that is not offered': { body: { payment_method: 'PIX' } },
  'another revision': { body: { ...card, revision: 9 } },
  'a key with spaces': { headers: { 'idempotency-key': 'a b' } },
  'an id of the caller’s': { headers: { 'x-request-id': 'shopper-0001' } },
  'a forwarded address': { headers: { 'x-forwarded-for': '198.51.100.7:4711, 203.0.113.9' } },
  'a forwarded word': { headers: { 'x-forwarded-for': 'unknown' } },
  'a long header': { headers: { 'user-agent': 'x'.repeat(2000), 'accept-language': 'pt-BR' } },
  'a device of before': { headers: { cookie: `__Host-turnpike_device=dv_${'a'.repeat(32)}` } },
};

async function setUp() {
  const now = { gateway: 'approves' };
  const gateway = await scriptedGateway((received, res, req) => says[now.gateway]?.(received, res, req));
  const config = { trust_proxy: ['127.0.0.1', '203.0.113.0/24'] };
  const relay = await startTestRelay({ gatewayUrl: gateway.url, config });
  const ask = async (type: string, { headers = {}, body = card, secret, gateway: word = 'approves' }: Asked) => {
    now.gateway = word;
    const made = await relay.session();
    const sent = gateway.received.length;
    const answer = await relay.send('/checkout/api/pay', {
      method: 'POST',
      headers: { authorization: `Bearer ${secret ?? made.secret}`, 'content-type': type, ...headers },
      body: typeof body === 'string' || body instanceof Blob ? body : JSON.stringify(body),
    });
    const message = gateway.received.slice(sent).find(({ path }) => path === '/v1/authorise')?.message;
    return { ...shownOf(answer), message: message && alike(JSON.stringify(message)) };
  };
  return { relay, ask };
}

/** A text without what differs from one payment to the next. */
function alike(text: string): string {
  return text
    .replace(/(cs|at|dv|req)_[\w-]{32}/g, '$1')
    .replace(/T-\d+-\d+/g, 'T')
    .replace(/"(transaction_id|encryption_data|notify_url|checkout_time)":("[^"]*"|\d+)/g, '"$1"');
}

function shownOf({ status, headers, text }: Answer) {
  const own = new Set(['date', 'content-length']);
  const told = [...headers].filter(([name]) => !own.has(name)).map(([name, value]) => [name, alike(value)]);
  return { status, headers: told, text: alike(text) };
}

const linesOf = (relay: TestRelay, requestId: string) =>
  relay.logLines.map((line) => JSON.parse(line)).filter(({ request_id }) => request_id === requestId);

describe('the short way of a payment', () => {
  it('answers and sends as Express does', async () => {
    const { ask } = await setUp();
    for (const [name, asked] of Object.entries(requests)) {
      expect([name, await ask(PLAIN, asked)]).toEqual([name, await ask(LONG_WAY, asked)]);
    }
  });

  it('logs as Express does', async () => {
    const { relay, ask } = await setUp();
    const logged = async (type: string, id: string, asked: Asked) => {
      await ask(type, { ...asked, headers: { 'x-request-id': id } });
      await until('the request is logged', () => linesOf(relay, id).some(({ msg }) => /^request /.test(msg)));
      return linesOf(relay, id).map(({ msg, level, method, route, code, http_status }) => {
        return { msg, level, method, route, code, http_status };
      });
    };
    for (const [nth, asked] of [{}, { body: '{' }, { secret: 'cs_none.none' }, { gateway: 'hangs up' }].entries()) {
      expect(await logged(PLAIN, `short-way-${nth}`, asked)).toEqual(await logged(LONG_WAY, `long-way-${nth}`, asked));
    }
  });

  it('is taken by plain payments alone', async () => {
    const { relay } = await setUp();
    const reception = {
      log: relay.context.log,
      metrics: relay.context.metrics,
      tracer: relay.context.tracer,
      newId: relay.context.newId,
      work: createWork(),
      isDraining: () => false,
    };
    const others = (_req: unknown, res: ServerResponse) => void res.writeHead(299).end();
    const { url, close } = await serve(shortWayBefore(others, plainPayments(relay.context), reception));
    onTestFinished(close);
    const status = async (path: string, method: string, headers: Record<string, string>, body?: BodyInit) =>
      (await fetch(`${url}${path}`, { method, headers, ...(body ? { body, duplex: 'half' } : {}) })).status;
    const pay = '/checkout/api/pay';
    expect(await status(pay, 'POST', { 'content-type': PLAIN }, '{}')).toBe(401);
    expect(await status(pay, 'POST', { 'content-type': LONG_WAY }, '{}')).toBe(299);
    expect(await status(pay, 'POST', { 'content-type': PLAIN, 'content-encoding': 'gzip' }, '{}')).toBe(299);
    expect(await status(pay, 'POST', { 'content-type': PLAIN }, new Blob(['{}']).stream())).toBe(299);
    expect(await status(pay, 'POST', { 'content-type': PLAIN })).toBe(299);
    expect(await status(pay, 'PUT', { 'content-type': PLAIN }, '{}')).toBe(299);
    expect(await status(`${pay}?a=1`, 'POST', { 'content-type': PLAIN }, '{}')).toBe(299);
    expect(await status('/checkout/api/abandon', 'POST', { 'content-type': PLAIN }, '{}')).toBe(299);
  });
});
