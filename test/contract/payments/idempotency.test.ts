import { mkdtempSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../relay/base/keys.ts';
import { operationNames, operations } from '../../../shared/gateway/operations.ts';
import { identity, operationCases } from '../../support/gateways/operation-cases.ts';
import {
  approval,
  drop,
  type Received,
  type Script,
  scriptedGateway,
  sendSigned,
  sendXml,
  signedXml,
} from '../../support/gateways/scripted-gateway.ts';
import { account, apiKey, card, order, otherAccountKey, startTestRelay } from '../../support/relays/relay.ts';

/** Answers anything well: payments approved, items done. */
const willing: Script = (received, res) => {
  if (received.path === '/v1/authorise') return sendXml(res, signedXml(approval(received)));
  const { encryption_data: _, ...echo } = received.message;
  const lists = Object.entries(echo).map(([field, value]) => [
    field,
    Array.isArray(value) ? value.map((item) => ({ ...item, ...done })) : value,
  ]);
  const answer = { ...Object.fromEntries(lists), ...identity, return_status: '1', return_message: 'OK', ...done };
  sendSigned(res, answer);
};
const done = {
  refund_status: '1',
  refund_message: 'V0000:OK',
  review_status: '1',
  capture_status: '1',
  cancel_status: '1',
  status: 'COMPLETED',
};

/** The relay asks for a payment's refunds before it sends another. */
const isSearch = ({ path }: Received): boolean => path === operations.refund_search.path;

/** The account with another signing secret, and these before it. */
function rotated(...previous_signing_secrets: string[]) {
  const { merchant_id, account_id } = account;
  return {
    ...{ id: 'demo', merchant_id, account_id, signing_secret: 'the next secret', previous_signing_secrets },
    allowed_origins: ['http://127.0.0.1:8082'],
    api_keys: [{ name: 'all', sha256: sha256(apiKey), scopes: ['*'] }],
  };
}

const payment = (): object => ({ ...order(), ...card });

/** Every POST under /v1 with a request that it takes. */
const routes: Record<string, () => object> = {
  '/v1/sessions': () => ({ order: order() }),
  '/v1/payments': payment,
  ...Object.fromEntries(
    operationNames.flatMap((name) => {
      const operation = operations[name];
      if (!('route' in operation) || name === 'direct_payment' || name === 'apm_payment') return [];
      return [[operation.route.path, () => operationCases[name].least]];
    }),
  ),
};

async function setUp(
  script: Script = willing,
  options: { timeoutMs?: number; now?: () => Date; folder?: string } = {},
) {
  const gateway = await scriptedGateway(script);
  const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs: 30_000, ...options });
  const post = (path: string, body: unknown, key: string, bearer = apiKey) =>
    relay.post(path, bearer, body, { 'idempotency-key': key });
  return { gateway, relay, post };
}

describe.each(Object.keys(routes))('an Idempotency-Key on POST %s', (path) => {
  const body = routes[path]?.() ?? {};

  it('gives the first answer again, byte for byte, and sends nothing', async () => {
    const { gateway, relay, post } = await setUp();
    const first = await post(path, body, 'k-1');
    expect(first.status, first.text).toBeLessThan(300);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const sent = gateway.received.length;
    const again = await post(path, body, 'k-1');
    expect(again.text).toBe(first.text);
    expect(again.status).toBe(first.status);
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(again.headers.get('x-operation-id')).toBe(first.headers.get('x-operation-id'));
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(gateway.received).toHaveLength(sent);
    expect(relay.files().join('')).not.toContain(String(first.body.client_secret ?? 'no client_secret here'));
  });

  it('matches when quoted, and with the fields in another order', async () => {
    const { post } = await setUp();
    const first = await post(path, body, 'k-1');
    const turned = Object.fromEntries(Object.entries(body).reverse());
    expect((await post(path, turned, '"k-1"')).text).toBe(first.text);
  });

  it('is refused for another body', async () => {
    const { gateway, post } = await setUp();
    await post(path, body, 'k-1');
    const sent = gateway.received.length;
    const other = changed(body);
    expect(await post(path, other, 'k-1')).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect(gateway.received).toHaveLength(sent);
  });

  it('belongs to one account', async () => {
    const { post } = await setUp();
    await post(path, body, 'k-1');
    const other = await post(path, body, 'k-1', otherAccountKey);
    expect(other.headers.get('idempotency-replayed')).toBeNull();
  });

  it('is not used up by a request that was refused', async () => {
    const { post } = await setUp();
    expect((await post(path, { ...body, no_such_field: 1 }, 'k-1')).status).toBe(400);
    expect((await post(path, body, 'k-1')).status).toBeLessThan(300);
  });
});

describe('an Idempotency-Key', () => {
  it('belongs to one route', async () => {
    const { post } = await setUp();
    const { least } = operationCases.capture;
    await post('/v1/capture', least, 'k-1');
    const cancel = await post('/v1/cancel', { cancel_orders: Object.values(least)[0] }, 'k-1');
    expect(cancel.status).toBe(200);
    expect(cancel.headers.get('idempotency-replayed')).toBeNull();
  });

  it('is 409 while its first request is still running', async () => {
    for (const path of ['/v1/refund', '/v1/query', '/v1/payments', '/v1/payout']) {
      let answer = (): void => undefined;
      const { gateway, post } = await setUp((received, res, req) => {
        if (isSearch(received)) willing(received, res, req);
        else answer = () => willing(received, res, req);
      });
      const body = routes[path]?.() ?? {};
      const first = post(path, body, 'k-1');
      const sent = () => gateway.received.filter((received) => !isSearch(received));
      await expect.poll(() => sent().length).toBe(1);
      expect(await post(path, body, 'k-1'), path).toMatchObject({ status: 409, body: { code: 'in_progress' } });
      answer();
      expect((await first).status, path).toBe(200);
      expect((await post(path, body, 'k-1')).text).toBe((await first).text);
      expect(sent()).toHaveLength(1);
    }
  });

  it('sends one message, however many requests carry it at once', async () => {
    for (const path of ['/v1/refund', '/v1/payments', '/v1/payout']) {
      const { gateway, post } = await setUp();
      const body = routes[path]?.() ?? {};
      const answers = await Promise.all(Array.from({ length: 8 }, () => post(path, body, 'k-1')));
      for (const { status } of answers) expect([200, 409]).toContain(status);
      expect(gateway.received.filter((received) => !isSearch(received))).toHaveLength(1);
    }
  });

  it('is refused when duplicated, empty, too long or not a token', async () => {
    const { gateway, relay, post } = await setUp();
    const twice = await rawPost(`${relay.url}/v1/capture`, operationCases.capture.least, ['k-1', 'k-2']);
    expect(twice).toMatchObject({ status: 400, body: { code: 'idempotency_key_invalid' } });
    const same = await rawPost(`${relay.url}/v1/capture`, operationCases.capture.least, ['k-1', 'k-1']);
    expect(same.status).toBe(400);
    for (const key of ['', '""', 'x'.repeat(256), 'a b', 'k"1', 'k\\1', 'ключ'.normalize(), '"k', 'k,1 ,2']) {
      const got = await rawPost(`${relay.url}/v1/capture`, operationCases.capture.least, [key]);
      expect(got, key).toMatchObject({ status: 400, body: { code: 'idempotency_key_invalid' } });
    }
    expect(gateway.received).toEqual([]);
    expect((await post('/v1/capture', operationCases.capture.least, 'x'.repeat(255))).status).toBe(200);
  });

  it('is kept for a day and more, and forgotten in the end', async () => {
    let now = new Date('2026-11-21T09:00:00Z');
    const { gateway, post } = await setUp(willing, { now: () => now });
    const { least } = operationCases.capture;
    await post('/v1/capture', least, 'k-1');
    now = new Date('2026-11-22T09:00:01Z');
    expect((await post('/v1/capture', least, 'k-1')).headers.get('idempotency-replayed')).toBe('true');
    now = new Date('2027-01-21T09:00:00Z');
    await expect
      .poll(async () => (await post('/v1/capture', least, 'k-1')).headers.get('idempotency-replayed'), {
        timeout: 5000,
      })
      .toBeNull();
    expect(gateway.received).toHaveLength(2);
  });

  it('survives a restart of the relay', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
    const one = await setUp(willing, { folder });
    const first = await one.post('/v1/capture', operationCases.capture.least, 'k-1');
    await one.relay.stop();
    const two = await setUp(willing, { folder });
    const again = await two.post('/v1/capture', operationCases.capture.least, 'k-1');
    expect(again.text).toBe(first.text);
    expect(two.gateway.received).toEqual([]);
  });

  it('gives the first answer also after the signing secret changed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
    const one = await setUp(willing, { folder });
    const made: Record<string, Awaited<ReturnType<typeof one.post>>> = {};
    const paths = ['/v1/sessions', '/v1/payments', '/v1/refund', '/v1/payout'];
    const bodies = Object.fromEntries(paths.map((path) => [path, routes[path]?.() ?? {}]));
    for (const path of paths) made[path] = await one.post(path, bodies[path], 'k-1');
    await one.relay.stop();

    const gateway = await scriptedGateway(willing);
    const accounts = [rotated('older', account.signingSecret)];
    const relay = await startTestRelay({ gatewayUrl: gateway.url, folder, config: { accounts } });
    for (const path of paths) {
      const again = await relay.post(path, apiKey, bodies[path], { 'idempotency-key': 'k-1' });
      expect(again.status, `${path} ${again.text}`).toBe(made[path]?.status);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.text, path).toBe(made[path]?.text);
      const other = await relay.post(path, apiKey, changed(bodies[path] ?? {}), { 'idempotency-key': 'k-1' });
      expect(other, path).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
      expect(other.body.detail, path).toMatch(/if this is a new request, give it a new key\.$/);
    }
    await relay.stop();
    // Nobody can tell any more what was asked for under a secret that is not listed.
    const forgetful = await startTestRelay({ gatewayUrl: gateway.url, folder, config: { accounts: [rotated()] } });
    for (const path of paths) {
      const again = await forgetful.post(path, apiKey, bodies[path], { 'idempotency-key': 'k-1' });
      expect(again, path).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
      // Under a new key the same money would move again.
      expect(again.body.detail, path).toMatch(/Do not send the request again, under a new key either,/);
      const made = path === '/v1/refund' || path === '/v1/payout' ? /^op_/ : /^cs_/;
      expect(again.body.operation_id, path).toMatch(made);
    }
    expect(gateway.received).toEqual([]);
  });

  // The first is hashed, the second holds a card number inside a longer number, which an earlier version hashed too.
  it.each(['5105105105105100', '4000001234567899173'])(
    '%s sends no refund twice after the secret changed',
    async (name) => {
      const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
      const one = await setUp(willing, { folder });
      const body = operationCases.refund.least;
      const first = await one.post('/v1/refund', body, name);
      expect(first.status, first.text).toBe(200);
      await one.relay.stop();
      const gateway = await scriptedGateway(willing);
      const accounts = [rotated(account.signingSecret)];
      const relay = await startTestRelay({ gatewayUrl: gateway.url, folder, config: { accounts } });
      const again = await relay.post('/v1/refund', apiKey, body, { 'idempotency-key': name });
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.text).toBe(first.text);
      const other = await relay.post('/v1/refund', apiKey, changed(body), { 'idempotency-key': name });
      expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
      expect(gateway.received).toEqual([]);
    },
  );

  it('that contains a card number still matches after the secret changes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
    const declining: Script = (received, res) =>
      sendXml(res, signedXml({ ...approval(received), order_status: '0', result_info: '2001:Do not honour' }));
    const one = await setUp(declining, { folder });
    const session = await one.relay.session();
    const name = { 'idempotency-key': '5105105105105100' };
    expect((await one.relay.post('/checkout/api/pay', session.secret, card, name)).body).toMatchObject({
      status: 'declined',
    });
    await one.relay.stop();
    const gateway = await scriptedGateway(declining);
    const accounts = [rotated(account.signingSecret)];
    const relay = await startTestRelay({ gatewayUrl: gateway.url, folder, config: { accounts } });
    const again = await relay.post('/checkout/api/pay', session.secret, card, name);
    expect(again).toMatchObject({ status: 409, body: { code: 'attempt_in_flight' } });
    expect(gateway.received).toEqual([]);
  });

  it('finds a card number that an earlier version kept as it came', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
    const one = await setUp(willing, { folder });
    const body = operationCases.refund.least;
    const first = await one.post('/v1/refund', body, 'k-1');
    await one.relay.stop();
    const file = new DatabaseSync(join(folder, 'turnpike.db'));
    file.prepare('UPDATE idempotency_keys SET key = ?').run('5105105105105100');
    file.close();
    const { gateway, post } = await setUp(willing, { folder });
    const again = await post('/v1/refund', body, '5105105105105100');
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.text).toBe(first.text);
    expect(gateway.received).toEqual([]);
  });

  it('of an unknown payment still matches after the signing secret changes', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
    const one = await setUp(drop, { folder });
    const body = payment();
    const first = await one.post('/v1/payments', body, 'k-1');
    expect(first.body.status, first.text).toBe('unknown');
    await one.relay.stop();
    const gateway = await scriptedGateway(drop);
    const accounts = [rotated(account.signingSecret)];
    const relay = await startTestRelay({ gatewayUrl: gateway.url, folder, config: { accounts } });
    const again = await relay.post('/v1/payments', apiKey, body, { 'idempotency-key': 'k-1' });
    expect(again).toMatchObject({ status: 409, body: { code: 'outcome_unknown', operation_id: first.body.id } });
    expect(gateway.sent('/v1/authorise')).toEqual([]);
  });

  it('compares requests without the card, and stores none of it', async () => {
    const { gateway, relay, post } = await setUp();
    const body = payment();
    const first = await post('/v1/payments', body, 'k-1');
    const again = await post('/v1/payments', { ...body, card: '5555555555554444', security_code: '999' }, 'k-1');
    expect(again.text).toBe(first.text);
    expect(gateway.received).toHaveLength(1);
    for (const file of relay.files()) expect(file).not.toContain(card.card);
  });

  it('keeps what the gateway refused, for it was sent', async () => {
    const { gateway, post } = await setUp((_received, res) => void res.writeHead(400).end('Invalid input'));
    const first = await post('/v1/capture', operationCases.capture.least, 'k-1');
    const again = await post('/v1/capture', operationCases.capture.least, 'k-1');
    expect(first).toMatchObject({ status: 422, body: { code: 'gateway_refused' } });
    expect(again.text).toBe(first.text);
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(gateway.received).toHaveLength(1);
  });

  it('of an operation whose relay crashed leads to unknown', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
    let now = new Date('2026-11-21T09:00:00Z');
    const options = { folder, now: () => now, timeoutMs: 30_000 };
    let hangUp = (): void => undefined;
    const one = await setUp((_received, res) => {
      hangUp = () => res.destroy();
    }, options);
    const lost = one.post('/v1/capture', operationCases.capture.least, 'k-1').catch(() => undefined);
    await expect.poll(() => one.gateway.received.length).toBe(1);
    const two = await setUp(willing, options);
    expect(await two.post('/v1/capture', operationCases.capture.least, 'k-1')).toMatchObject({
      status: 409,
      body: { code: 'in_progress' },
    });
    now = new Date('2026-11-21T09:05:00Z');
    expect(await two.post('/v1/capture', operationCases.capture.least, 'k-1')).toMatchObject({
      status: 409,
      body: { code: 'outcome_unknown' },
    });
    expect(two.gateway.received).toEqual([]);
    hangUp();
    await lost;
  });
});

function changed(body: object): object {
  const text = JSON.stringify(body);
  const other = text.replace(/"(A-1|R-1|ben-1|M|T-[\d-]+|00012345678901234568)"/, '"changed"');
  if (other === text) throw new Error('nothing was changed');
  return JSON.parse(other);
}

/** A POST with as many Idempotency-Key lines as there are keys, which fetch would join. */
function rawPost(url: string, body: object, keys: string[]): Promise<{ status: number; body: unknown }> {
  return new Promise((fulfil, reject) => {
    const headers = [
      ...['Authorization', `Bearer ${apiKey}`, 'Content-Type', 'application/json', 'Host', new URL(url).host],
      ...keys.flatMap((key) => ['Idempotency-Key', Buffer.from(key).toString('latin1')]),
    ];
    const req = httpRequest(url, { method: 'POST', headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => fulfil({ status: res.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) }));
    });
    req.on('error', reject);
    req.end(JSON.stringify(body));
  });
}
