import { mkdtempSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operationCases } from '../../support/gateways/operation-cases.ts';
import { changed, isSearch, payment, routes, setUp, willing } from '../../support/relays/idempotent.ts';
import { apiKey, card, otherAccountKey } from '../../support/relays/relay.ts';

describe.each(Object.keys(routes))('an Idempotency-Key on POST %s', (path) => {
  const body = routes[path]?.() ?? {};

  it('repeats the first answer byte for byte and sends nothing', async () => {
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

  it('keeps the refusal of an invalid body, and refuses another body', async () => {
    const { gateway, post } = await setUp();
    const wrong = { ...body, no_such_field: 1 };
    const first = await post(path, wrong, 'k-1');
    expect(first.status).toBe(400);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const again = await post(path, wrong, 'k-1');
    expect([again.status, again.text]).toEqual([400, first.text]);
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await post(path, body, 'k-1')).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect(gateway.received).toEqual([]);
    expect((await post(path, body, 'k-2')).status).toBeLessThan(300);
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

  it('sends one message for any number of simultaneous requests', async () => {
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

  it('is kept for over a day, then forgotten', async () => {
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

  it('compares requests without the card, and stores none of it', async () => {
    const { gateway, relay, post } = await setUp();
    const body = payment();
    const first = await post('/v1/payments', body, 'k-1');
    const again = await post('/v1/payments', { ...body, card: '5555555555554444', security_code: '999' }, 'k-1');
    expect(again.text).toBe(first.text);
    expect(gateway.received).toHaveLength(1);
    for (const file of relay.files()) expect(file).not.toContain(card.card);
  });

  it('keeps a refusal of the gateway, since the message was sent', async () => {
    const { gateway, post } = await setUp((_received, res) => void res.writeHead(400).end('Invalid input'));
    const first = await post('/v1/capture', operationCases.capture.least, 'k-1');
    const again = await post('/v1/capture', operationCases.capture.least, 'k-1');
    expect(first).toMatchObject({ status: 422, body: { code: 'gateway_refused' } });
    expect(again.text).toBe(first.text);
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(gateway.received).toHaveLength(1);
  });

  it('of an operation of a crashed relay returns unknown', async () => {
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

/** A POST with one Idempotency-Key line per key, which fetch would join. */
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
