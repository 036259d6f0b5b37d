import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { serve } from '../../test/support/http/http-server.ts';
import { tcpServer } from '../../test/support/http/tcp-server.ts';
import { createClient, type Exchange } from './client.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A client whose calls have a time of their own each. */
function clientFor(baseUrl: string, timeoutMs = 60_000) {
  const client = createClient({ baseUrl, timeoutMs, headers: { 'x-merchant': 'm1' } });
  closers.push(() => client.close());
  const post = (path: string, contentType: string, body: string): Promise<Exchange> =>
    client.post({ path, contentType, body }, client.deadline());
  return { ...client, postBy: client.post, post };
}

async function exchangeWith(listener: Parameters<typeof serve>[0]): Promise<Exchange> {
  const server = await serve(listener);
  closers.unshift(server.close);
  return clientFor(server.url).post('/v1/authorise', 'application/json', '{}');
}

/** An exchange whose time ends once the server has its request. */
async function exchangeUntilTimeout(listener: Parameters<typeof serve>[0]): Promise<Exchange> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const received = Promise.withResolvers<void>();
  const exchange = exchangeWith((req, res) => {
    listener(req, res);
    received.resolve();
  });
  await received.promise;
  vi.advanceTimersByTime(61_000);
  return exchange;
}

describe('the gateway client', () => {
  it('sends content type and configured headers below the path of base URL', async () => {
    const seen: unknown[] = [];
    const server = await serve((req, res) => {
      seen.push(req.method, req.url, req.headers['content-type'], req.headers['x-merchant']);
      res.end('ok');
    });
    closers.unshift(server.close);
    const exchange = await clientFor(`${server.url}/api/`).post('/v1/refund', 'application/json', '{}');
    expect(seen).toEqual(['POST', '/api/v1/refund', 'application/json', 'm1']);
    expect(exchange).toMatchObject({ kind: 'answered', status: 200 });
  });

  it('knows that nothing was sent when no server listens', async () => {
    const server = await serve(() => undefined);
    await server.close();
    const exchange = await clientFor(server.url).post('/', 'text/plain', '');
    expect(exchange).toEqual({ kind: 'not_sent', code: 'ECONNREFUSED' });
  });

  it('knows that nothing was sent when the host has no address', async () => {
    expect(await clientFor('http://nowhere.invalid').post('/', 'text/plain', '')).toEqual({
      kind: 'not_sent',
      code: expect.stringMatching(/^(?:ENOTFOUND|EAI_AGAIN)$/),
    });
  });

  it('knows that nothing was sent when the handshake never ends', async () => {
    const silent = await tcpServer();
    closers.unshift(silent.close);
    expect(await clientFor(`https://127.0.0.1:${silent.port}`, 300).post('/', 'text/plain', '')).toEqual({
      kind: 'not_sent',
      code: 'ETIMEDOUT',
    });
  });

  it('waits for no handshake beyond the call’s time', async () => {
    const silent = await tcpServer();
    closers.unshift(silent.close);
    const client = clientFor(`https://127.0.0.1:${silent.port}`, 30_000);
    const started = performance.now();
    const posted = client.postBy({ path: '/', contentType: 'text/plain', body: '' }, client.deadline(100));
    expect(await posted).toEqual({ kind: 'not_sent', code: 'ETIMEDOUT' });
    // The time limit of other calls.
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  it('sends nothing after the process was stopped beyond the call’s time', async () => {
    let requests = 0;
    const server = await serve((_req, res) => {
      requests += 1;
      res.end('ok');
    });
    closers.unshift(server.close);
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const exchange = clientFor(server.url).post('/', 'text/plain', '{}');
    vi.setSystemTime(Date.now() + 60_001);
    expect(await exchange).toEqual({ kind: 'not_sent' });
    expect(requests).toBe(0);
  });

  it('calls it lost when the answer takes too long', async () => {
    expect(await exchangeUntilTimeout(() => undefined)).toEqual({ kind: 'lost', reason: 'timeout' });
  });

  it('calls it lost when the answer starts and then takes too long', async () => {
    const exchange = await exchangeUntilTimeout((_req, res) => void res.write('<respon>'));
    expect(exchange).toEqual({ kind: 'lost', reason: 'timeout' });
  });

  it('reports a lost call when the connection resets after the request', async () => {
    const exchange = await exchangeWith((req) => void req.on('end', () => req.socket.resetAndDestroy()).resume());
    expect(exchange).toMatchObject({ kind: 'lost', reason: 'connection_lost' });
  });

  it('calls it lost when the connection closes before any answer', async () => {
    const rude = await tcpServer((socket) => socket.once('data', () => socket.end()));
    closers.unshift(rude.close);
    const exchange = await clientFor(`http://127.0.0.1:${rude.port}`).post('/', 'text/plain', '{}');
    expect(exchange).toEqual({ kind: 'lost', reason: 'connection_lost', code: 'UND_ERR_SOCKET' });
  });

  it('calls it lost when the answer is cut off', async () => {
    const exchange = await exchangeWith((_req, res) => {
      res.writeHead(200, { 'content-length': '100' });
      res.write('<respon>');
      setImmediate(() => res.destroy());
    });
    expect(exchange).toEqual({ kind: 'lost', reason: 'connection_lost', code: 'UND_ERR_SOCKET' });
  });

  it('stops reading an answer that is too large', async () => {
    const exchange = await exchangeWith((_req, res) => res.end(Buffer.alloc(64 * 1024 * 1024, 'a')));
    expect(exchange).toEqual({ kind: 'lost', reason: 'answer_too_large' });
  });

  it('does not unpack an answer beyond its limit', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const exchange = await exchangeWith((_req, res) => res.setHeader('content-encoding', 'gzip').end(bomb));
    expect(exchange).toEqual({ kind: 'lost', reason: 'answer_too_large' });
  });

  it('unpacks a compressed answer', async () => {
    const packed = gzipSync('<respon/>');
    const exchange = await exchangeWith((_req, res) => res.setHeader('content-encoding', 'gzip').end(packed));
    expect(exchange).toEqual({ kind: 'answered', status: 200, contentType: '', body: Buffer.from('<respon/>') });
  });

  it('follows no redirect', async () => {
    let requests = 0;
    const exchange = await exchangeWith((_req, res) => {
      requests += 1;
      res.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(exchange).toMatchObject({ kind: 'answered', status: 307 });
    expect(requests).toBe(1);
  });
});
