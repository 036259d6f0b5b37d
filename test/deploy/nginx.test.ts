import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { allRoutes } from '../../relay/routes/all.ts';
import { failureCode } from '../../shared/api/failure-code.ts';
import { freePort } from '../support/http/free-port.ts';
import { type IncomingMessage, type ServerResponse, serve } from '../support/http/http-server.ts';
import { nginxSettings } from '../support/http/nginx.ts';
import { apiKey, card, order, startTestRelay } from '../support/relays/relay.ts';
import { checkNginx, startNginx } from './nginx.ts';
import { startSandbox } from './sandbox.ts';

const json = { 'content-type': 'application/json' };
const withKey = { authorization: `Bearer ${apiKey}`, ...json };

/** More requests at once than the limits allow in the time that they take. */
const BURST = 400;

const portOf = (url: string): number => Number(new URL(url).port);

/** Two relays on one store with the sandbox's gateway, behind nginx. */
async function deployed() {
  const { gateway, url: gatewayUrl } = await startSandbox();
  const first = await startTestRelay({ gatewayUrl });
  const second = await startTestRelay({ gatewayUrl, folder: first.folder });
  const nginx = await startNginx([portOf(first.url), portOf(second.url)]);
  return { gateway, first, second, nginx };
}

/** An upstream that records its requests and answers as the test says. */
async function upstream(answer: (req: IncomingMessage, res: ServerResponse) => void) {
  const seen: IncomingMessage[] = [];
  const server = await serve((req, res) => {
    seen.push(req);
    answer(req, res);
  });
  onTestFinished(server.close);
  return { port: server.port, seen };
}

it('nginx accepts the configuration without a warning', async () => {
  const said = checkNginx(await nginxSettings([8101, 8102]));
  expect(said).toContain('test is successful');
  // Warnings of newer nginx versions about syntax that Debian's version requires.
  expect(said.replace(/.*"listen \.\.\. http2" directive is deprecated.*\n/g, '')).not.toMatch(/warn/);
});

describe('nginx with two relays', () => {
  it('forwards every public path and answers every other itself', async () => {
    const { nginx } = await deployed();
    const reached = async (path: string, from: string): Promise<boolean> => {
      const { status, headers, text } = await nginx.ask('GET', path, { from });
      const isRelay = headers['x-request-id'] !== undefined;
      if (!isRelay) {
        expect(status, path).toBe(404);
        expect(JSON.parse(text)).toMatchObject({ status: 404, code: 'not_found' });
      }
      return isRelay;
    };
    const outside = '127.0.0.2';
    for (const { path, tag } of allRoutes) {
      const address = path.replaceAll(/\{\w+\}/g, 'a1b2');
      expect(await reached(address, outside), path).toBe(tag !== 'Relay');
    }
    for (const path of ['/', '/console', '/console/api/demo/live', '/healthz/', '/turnpike.js.map', '/form', '/v2/a']) {
      expect(await reached(path, outside), path).toBe(false);
    }
    for (const path of ['/console', '/docs', '/docs.css', '/docs.js', '/openapi.json']) {
      expect(await reached(path, '127.0.0.1'), path).toBe(true);
    }
    for (const path of ['/metrics', '/healthz', '/readyz']) expect(await reached(path, '127.0.0.1')).toBe(false);
  });

  it('forwards no path that a relay would interpret differently', async () => {
    const lives = await upstream((_req, res) => res.end('{}'));
    const nginx = await startNginx([lives.port, await freePort()]);
    // Resolved they are public; the relay gets them unresolved.
    for (const path of [
      '/console/../v1/orders',
      '/console/api/demo/orders/..%2F..%2F..%2F..%2Fv1%2Forders',
      '/metrics/%2e%2e/v1/orders',
      '/console/%2e%2e/turnpike.js',
      '/console/../embed.json',
      '//v1/orders',
      '/console/../checkout/cs_1',
      '/metrics/%2e%2e/return/a1',
    ]) {
      const { status, headers } = await nginx.ask('GET', path, { from: '127.0.0.2' });
      expect([path, status, headers['content-type']]).toEqual([path, 404, 'application/problem+json']);
    }
    expect(lives.seen).toHaveLength(0);
    expect((await nginx.ask('GET', '/v1/orders/A%2FB?to=/console/', { from: '127.0.0.2' })).status).toBe(200);
  });

  it('forwards a payment, also after one of the relays has stopped', async () => {
    const { gateway, first, nginx } = await deployed();
    const pay = async () => {
      const body = JSON.stringify({ order: order() });
      const session = JSON.parse((await nginx.ask('POST', '/v1/sessions', { headers: withKey, body })).text);
      const headers = { authorization: `Bearer ${session.client_secret}`, ...json };
      return nginx.ask('POST', '/checkout/api/pay', { headers, body: JSON.stringify(card) });
    };
    expect(JSON.parse((await pay()).text)).toMatchObject({ status: 'approved' });
    await first.stop();
    for (let payment = 0; payment < 4; payment++) {
      expect(JSON.parse((await pay()).text)).toMatchObject({ status: 'approved' });
    }
    expect(gateway.payments.list()).toHaveLength(5);
  });

  it('logs no ticket, no token and no secret', async () => {
    const { nginx } = await deployed();
    await nginx.ask('GET', '/notify/payment/a1/T0KEN');
    await nginx.ask('GET', '/checkout/cs_1/issuer?ticket=T1CKET', {
      headers: { referer: 'https://shop.example/?R3F' },
    });
    await expect.poll(nginx.accessLog).toContain('"/checkout/cs_1/issuer"');
    expect(nginx.accessLog()).toContain('"/notify/payment/a1/-"');
    expect(nginx.accessLog()).not.toMatch(/T0KEN|T1CKET|R3F/);
    expect(readFileSync(join(nginx.folder, 'error.log'), 'utf8')).toBe('');
  });
});

describe('a relay that breaks', () => {
  it('has only GET retried on the other relay, not POST or PATCH', async () => {
    const broken = await Promise.all([1, 2].map(() => upstream((req) => req.socket.destroy())));
    const nginx = await startNginx([broken[0]?.port ?? 0, broken[1]?.port ?? 0]);
    const times = () => broken.reduce((sum, { seen }) => sum + seen.length, 0);
    for (const [method, sent] of [
      ['POST', 1],
      ['PATCH', 1],
      ['GET', 2],
    ] as const) {
      const before = times();
      const answer = await nginx.ask(method, '/v1/sessions/cs_1', {
        headers: json,
        body: method === 'GET' ? '' : '{}',
      });
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
      expect(answer.headers['content-type']).toBe('application/problem+json');
      expect(JSON.parse(answer.text)).not.toHaveProperty('code');
      expect(times() - before, method).toBe(sent);
    }
  });

  it('that refuses connections causes no failed request', async () => {
    const lives = await upstream((_req, res) => res.end('{}'));
    const nginx = await startNginx([await freePort(), lives.port]);
    for (const method of ['POST', 'GET', 'POST', 'PATCH']) {
      const answer = await nginx.ask(method, '/v1/sessions', { headers: json, body: '{}' });
      expect(answer.status, method).toBe(200);
    }
    expect(lives.seen).toHaveLength(4);
  });

  it('answers 503 with Retry-After if no relay is left', async () => {
    const nginx = await startNginx([await freePort(), await freePort()]);
    for (const path of ['/v1/sessions', '/turnpike.js', '/checkout/cs_1']) {
      expect(await nginx.ask('GET', path)).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
    }
  });
});

describe('a browser', () => {
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  it('gets a page with Retry-After while no relay is ready', async () => {
    const lives = await upstream((_req, res) => res.writeHead(503, { 'retry-after': '2' }).end('{"code":"x"}'));
    for (const port of [lives.port, await freePort()]) {
      const nginx = await startNginx([port, await freePort()]);
      for (const path of ['/checkout/cs_1', '/return/a1']) {
        const answer = await nginx.ask('GET', path, { headers });
        expect(answer, path).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
        expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
        expect(answer.headers['content-security-policy']).toBe("default-src 'none'");
        expect(answer.text).toContain('do not pay again');
      }
      expect((await nginx.ask('GET', '/checkout/cs_1')).headers['content-type']).toBe('application/problem+json');
      const api = await nginx.ask('POST', '/checkout/api/pay', { body: '{}' });
      expect(String(api.headers['content-type'])).not.toContain('html');
    }
  });

  it('gets the pages of the relay otherwise, also those of an error', async () => {
    const lives = await upstream((req, res) => res.writeHead(req.url === '/return/a1' ? 404 : 200).end('page'));
    const nginx = await startNginx([lives.port, await freePort()]);
    expect(await nginx.ask('GET', '/checkout/cs_1', { headers })).toMatchObject({ status: 200, text: 'page' });
    expect(await nginx.ask('GET', '/return/a1', { headers })).toMatchObject({ status: 404, text: 'page' });
    expect((await nginx.ask('GET', '/no-relay', { headers })).status).toBe(404);
    const large = await nginx.ask('POST', '/return/a1', { body: 'a'.repeat(2 ** 20 + 1) });
    expect(JSON.parse(large.text)).toMatchObject({ status: 413, code: 'body_too_large' });
  });
});

it('limits shoppers by address, and neither shops nor the gateway', async () => {
  const lives = await upstream((_req, res) => res.end('{}'));
  // A busy machine may take longer for the burst than 20 a second allow, and another test may take a free port meanwhile.
  const nginx = await startNginx([lives.port, lives.port], '1r/m');
  const burst = (path: string, headers = {}) =>
    Promise.all(Array.from({ length: BURST }, () => nginx.ask('GET', path, { headers })));
  const refused = (await burst('/checkout/api/session')).filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, headers, text } of refused) {
    expect([status, headers['retry-after'], headers['content-type']]).toEqual([429, '5', 'application/problem+json']);
    expect(JSON.parse(text)).toMatchObject({ status: 429, code: 'too_many_attempts' });
  }
  expect(lives.seen).toHaveLength(BURST - refused.length);
  const page = (await burst('/checkout/cs_1', { accept: 'text/html' })).find(({ status }) => status !== 200);
  expect(page?.headers['content-type']).toBe('text/html; charset=utf-8');
  expect((await nginx.ask('GET', '/checkout/cs_1', { from: '127.0.0.2' })).status).toBe(200);
  for (const path of ['/v1/orders', '/v1/payments', '/notify/payment/a1/T0KEN']) {
    expect(
      (await burst(path)).every(({ status }) => status === 200),
      path,
    ).toBe(true);
  }
});

it('ends no HTTP/2 connection under 2,500 requests', async () => {
  const lives = await upstream((_req, res) => res.end('{}'));
  const nginx = await startNginx([lives.port, await freePort()]);
  const address = `${nginx.url}/v1/payments`;
  const dispatcher = new Agent({ allowH2: true, connections: 1, connect: nginx.trusted });
  onTestFinished(() => dispatcher.destroy());
  const failures: unknown[] = [];
  const client = async () => {
    for (let request = 0; request < 625; request++) {
      const sent = fetch(address, { method: 'POST', body: '{}', headers: json, dispatcher });
      await sent.then((answer) => answer.text()).catch((error: unknown) => failures.push(failureCode(error)));
    }
  };
  await Promise.all([client(), client(), client(), client()]);
  expect(failures).toEqual([]);
  expect(lives.seen).toHaveLength(2500);
});

describe('another host', () => {
  it('reaches no relay, by its name or by the address', async () => {
    const lives = await upstream((_req, res) => res.end('{}'));
    const nginx = await startNginx([lives.port, await freePort()]);
    for (const host of ['evil.example', '127.0.0.1']) {
      expect((await nginx.ask('GET', '/embed.json', { headers: { host } })).status, host).toBe(421);
      expect((await nginx.ask('GET', '/', { headers: { host } }, false)).status, host).toBe(421);
      await expect(nginx.ask('GET', '/embed.json', { servername: host === '127.0.0.1' ? '' : host })).rejects.toThrow();
    }
    expect(lives.seen).toEqual([]);
  });
});

it('takes TLS 1.2 and 1.3 alone, with forward secrecy and authenticated encryption', async () => {
  const lives = await upstream((_req, res) => res.end('{}'));
  const nginx = await startNginx([lives.port, await freePort()]);
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const tls = { minVersion: version, maxVersion: version };
    expect((await nginx.ask('GET', '/embed.json', { tls })).status, version).toBe(200);
  }
  const ciphers = 'ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0';
  for (const maxVersion of ['TLSv1', 'TLSv1.1', 'TLSv1.2'] as const) {
    const tls = { minVersion: 'TLSv1', maxVersion, ciphers } as const;
    await expect(nginx.ask('GET', '/embed.json', { tls }), maxVersion).rejects.toThrow();
  }
});

describe('what it adds and takes away', () => {
  it('passes the client’s address, and removes names that the client chose', async () => {
    const lives = await upstream((_req, res) => res.end('{}'));
    const nginx = await startNginx([lives.port, await freePort()]);
    const forged = { 'x-forwarded-for': '6.6.6.6', 'x-remote-user': 'ada', 'x-forwarded-host': 'evil.example' };
    for (const path of ['/v1/orders', '/console/api/session']) {
      await nginx.ask('GET', path, { headers: forged });
      const { headers } = lives.seen.at(-1) ?? {};
      expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', host: 'pay.example' });
      expect(headers).not.toHaveProperty('x-remote-user');
      expect(headers).not.toHaveProperty('x-forwarded-host');
    }
  });

  it('lets only a shop’s server continue its trace', async () => {
    const lives = await upstream((_req, res) => res.end('{}'));
    const nginx = await startNginx([lives.port, await freePort()]);
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const headers = { ...json, traceparent, tracestate: 'vendor=1' };
    for (const [path, passed] of [
      ['/v1/payments', traceparent],
      ['/v1/orders/A-1', traceparent],
      ['/checkout/api/pay', undefined],
      ['/checkout/cs_1?to=/v1/', undefined],
      ['/return/a1', undefined],
      ['/notify/payment/a1/T0KEN', undefined],
      ['/embed.json', undefined],
      ['/turnpike.js', undefined],
      ['/console/api/session', undefined],
    ] as const) {
      expect((await nginx.ask('POST', path, { headers, body: '{}' })).status, path).toBe(200);
      const seen = lives.seen.at(-1)?.headers ?? {};
      expect([path, seen.traceparent, seen.tracestate]).toEqual([path, passed, undefined]);
    }
  });

  it('adds Retry-After to a 503 without one', async () => {
    const lives = await upstream((req, res) => {
      const later = req.url === '/v1/later' ? { 'retry-after': '30' } : {};
      res.writeHead(req.url === '/v1/fine' ? 200 : 503, later).end('{"code":"store_unavailable"}');
    });
    const nginx = await startNginx([lives.port, await freePort()]);
    const retryAfter = async (path: string) => (await nginx.ask('POST', path, { body: '{}' })).headers['retry-after'];
    expect(await retryAfter('/v1/now')).toBe('2');
    expect(await retryAfter('/v1/later')).toBe('30');
    expect(await retryAfter('/v1/fine')).toBeUndefined();
    expect((await nginx.ask('POST', '/v1/now', { body: '{}' })).text).toContain('store_unavailable');
  });

  it('forwards a document of 5 MB and refuses a larger body', async () => {
    const lives = await upstream((req, res) => void req.resume().on('end', () => res.end('{}')));
    const nginx = await startNginx([lives.port, await freePort()]);
    const maxBytes = 8 * 2 ** 20;
    expect((await nginx.ask('POST', '/v1/sessions', { body: 'a'.repeat(maxBytes) })).status).toBe(200);
    const refused = await nginx.ask('POST', '/v1/sessions', { body: 'a'.repeat(maxBytes + 1) });
    expect(JSON.parse(refused.text)).toMatchObject({ status: 413, code: 'body_too_large' });
    expect((await nginx.ask('POST', '/v1/refund', { body: 'a'.repeat(2 ** 20) })).status).toBe(200);
    expect((await nginx.ask('POST', '/v1/refund', { body: 'a'.repeat(2 ** 20 + 1) })).status).toBe(413);
    expect(lives.seen).toHaveLength(2);
  });

  it('requests a script from the other relay if one lacks it', async () => {
    const old = await upstream((_req, res) => res.writeHead(404).end());
    const young = await upstream((_req, res) => res.end('script'));
    const nginx = await startNginx([old.port, young.port]);
    for (const path of ['/form/form-1.js', '/turnpike-1.js', '/form/form-1.js', '/turnpike-1.js']) {
      expect((await nginx.ask('GET', path)).status).toBe(200);
    }
    expect(old.seen.length).toBeGreaterThan(0);
    expect((await nginx.ask('GET', '/v1/orders/1')).status + (await nginx.ask('GET', '/v1/orders/1')).status).toBe(604);
  });

  it('forwards each event of a stream at once', async () => {
    let end = (): void => undefined;
    const lives = await upstream((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: alive\n\n');
      end = () => void res.end();
    });
    const nginx = await startNginx([lives.port, await freePort()]);
    const first = await nginx.firstBytes('/console/api/demo/live');
    expect(first).toBe('event: alive\n\n');
    end();
  });

  it('redirects page requests from http to https, and refuses others', async () => {
    const nginx = await startNginx([await freePort(), await freePort()]);
    const { status, headers } = await nginx.askPlainly('GET', '/checkout/cs_1?locale=pt-BR');
    expect([status, headers.location]).toEqual([301, 'https://pay.example/checkout/cs_1?locale=pt-BR']);
    expect((await nginx.askPlainly('POST', '/v1/sessions')).status).toBe(403);
    expect((await nginx.ask('GET', '/')).headers['strict-transport-security']).toContain('max-age=');
  });
});
