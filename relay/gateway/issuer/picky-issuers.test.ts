import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  browser,
  dnsOf,
  follow,
  isPublic,
  issuer,
  longTimeouts,
  settings,
} from '../../../test/support/gateways/issuer-servers.ts';
import { serve } from '../../../test/support/http/http-server.ts';

type Visit = (req: IncomingMessage, res: ServerResponse, visit: number) => void;

/** An issuer whose answers depend on the request and on the number of requests. Returns each visit's method, path and headers. */
async function picky(answer: Visit) {
  const visits: IncomingMessage[] = [];
  const server = await serve((req, res) => answer(req, res, visits.push(req)));
  onTestFinished(server.close);
  return { url: server.url, visits, paths: () => visits.map(({ url }) => url) };
}

const page = (res: ServerResponse): void => void res.end('<h1>Bank</h1>');
const to = (res: ServerResponse, location: string, headers: Record<string, string | string[]> = {}): void =>
  void res.writeHead(302, { location, ...headers }).end();

describe('an issuer that looks at who asks', () => {
  it('sees the shopper’s browser at every hop', async () => {
    const bank = await picky(({ headers, url }, res) => {
      if (!headers['user-agent'] || !headers['accept-language']) res.writeHead(403).end();
      else if (url === '/a') to(res, '/b');
      else page(res);
    });
    expect(await follow(`${bank.url}/a`, settings)).toEqual({ address: `${bank.url}/b` });
    expect(bank.visits).toHaveLength(2);
    for (const { method, headers } of bank.visits) {
      expect(method).toBe('GET');
      expect(headers).toMatchObject(browser);
    }
  });

  it('gets the cookies back that it set on the way', async () => {
    const bank = await picky(({ headers: { cookie = '' }, url }, res) => {
      if (url === '/a' && cookie === '')
        to(res, '/a', { 'set-cookie': ['sid=1; Path=/; HttpOnly', 'seen=yes; Path=/a'] });
      else if (url === '/a' && cookie.includes('seen=yes'))
        to(res, '/page', { 'set-cookie': 'seen=; Max-Age=0; Path=/a' });
      else if (cookie === 'sid=1') page(res);
      else res.writeHead(403).end();
    });
    expect(await follow(`${bank.url}/a`, settings)).toEqual({ address: `${bank.url}/page` });
    expect(bank.paths()).toEqual(['/a', '/a', '/page']);
  });

  it('does not get the cookies of another host', async () => {
    const other = await picky((_req, res) => page(res));
    const elsewhere = other.url.replace('127.0.0.1', 'localhost');
    const bank = await picky((_req, res) => to(res, elsewhere, { 'set-cookie': ['sid=1', 'all=1; Domain=localhost'] }));
    expect(await follow(bank.url, settings)).toEqual({ address: `${elsewhere}/` });
    expect(other.visits[0]?.headers.cookie).toBeUndefined();
  });

  it('keeps no cookie for the next payment', async () => {
    const bank = await picky((_req, res) => void res.writeHead(200, { 'set-cookie': 'sid=1' }).end());
    await follow(bank.url, settings);
    await follow(bank.url, settings);
    expect(bank.visits[1]?.headers.cookie).toBeUndefined();
  });
});

describe('an issuer in momentary trouble', () => {
  for (const status of [502, 503, 504]) {
    it(`is asked once more after one ${status}`, async () => {
      const bank = await picky(({ url }, res, visit) => {
        if (visit === 1) res.writeHead(status).end();
        else if (url === '/a') to(res, '/b');
        else page(res);
      });
      expect(await follow(`${bank.url}/a`, settings)).toEqual({ address: `${bank.url}/b` });
      expect(bank.paths()).toEqual(['/a', '/a', '/b']);
    });

    it(`is left to the browser after two of ${status}`, async () => {
      const bank = await picky((_req, res) => void res.writeHead(status).end());
      const fault = { fault: 'bad_answer', http_status: status };
      expect(await follow(`${bank.url}/a`, settings)).toEqual({ address: `${bank.url}/a`, ...fault });
      expect(bank.visits).toHaveLength(2);
    });
  }

  it('is asked once more after one reset, at a later hop too', async () => {
    const bank = await picky(({ url, socket }, res, visit) => {
      if (visit === 1 || visit === 3) socket.resetAndDestroy();
      else if (url === '/a') to(res, '/b');
      else page(res);
    });
    expect(await follow(`${bank.url}/a`, longTimeouts)).toEqual({ address: `${bank.url}/b` });
    expect(bank.paths()).toEqual(['/a', '/a', '/b', '/b']);
  });

  it('is left to the browser after two resets', async () => {
    const bank = await picky(({ socket }) => socket.resetAndDestroy());
    expect(await follow(`${bank.url}/a`, longTimeouts)).toEqual({ address: `${bank.url}/a`, fault: 'no_answer' });
    expect(bank.visits).toHaveLength(2);
  });
});

describe('an issuer without a usable answer', () => {
  for (const status of [400, 401, 403, 404, 410, 429, 500, 501]) {
    it(`is left to the browser when it answers ${status}, after one request`, async () => {
      const bank = await picky(({ url }, res) => (url === '/a' ? to(res, '/b') : void res.writeHead(status).end()));
      const fault = { fault: 'bad_answer', http_status: status };
      expect(await follow(`${bank.url}/a`, settings)).toEqual({ address: `${bank.url}/b`, ...fault });
      expect(bank.paths()).toEqual(['/a', '/b']);
    });
  }

  it('is left to the browser if nothing listens, or nothing answers', async () => {
    const closed = await serve(() => undefined);
    await closed.close();
    expect(await follow(closed.url, settings)).toEqual({ address: `${closed.url}/`, fault: 'no_answer' });
    const silent = await picky(() => undefined);
    const hurried = { ...settings, timeout_ms: 150 };
    expect(await follow(silent.url, hurried)).toEqual({ address: `${silent.url}/`, fault: 'no_answer' });
  });

  it('is left to the browser if DNS fails, except over http', async () => {
    const { resolve } = dnsOf([]);
    const unknown = () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));
    const address = 'https://bank.example/pay';
    expect(await follow(address, isPublic, unknown)).toEqual({ address, fault: 'no_answer' });
    await expect(follow('http://bank.example/', settings, unknown)).rejects.toMatchObject({ code: 'no_answer' });
    await expect(follow(address, isPublic, resolve)).rejects.toMatchObject({ code: 'address_refused' });
  });
});

describe('an issuer’s app', () => {
  const app = 'bankapp://pay?token=A%2FB#now';
  const listed = { ...settings, allow_schemes: ['bankapp'] };

  for (const mode of ['last', 'first'] as const) {
    it(`is what the shopper’s browser opens (${mode})`, async () => {
      const { url, asked } = await issuer({ '/a': app });
      expect(await follow(`${url}/a`, { ...listed, follow: mode })).toEqual({ address: app });
      expect(asked).toEqual(['GET /a']);
    });
  }

  for (const mode of ['last', 'first', 'none'] as const) {
    it(`may be issuer_url itself (${mode})`, async () => {
      expect(await follow(app, { ...listed, follow: mode })).toEqual({ address: app });
      await expect(follow(app, { ...settings, follow: mode })).rejects.toMatchObject({ code: 'scheme_refused' });
      await expect(follow('otherapp://pay', { ...listed, follow: mode })).rejects.toMatchObject({
        code: 'scheme_refused',
      });
    });
  }
});
