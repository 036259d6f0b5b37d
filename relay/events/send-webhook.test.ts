import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, serve, type TestServer } from '../../test/support/http-server.ts';
import { createSender } from './send-webhook.ts';

const never = new AbortController().signal;
const own = createSender({ allow_private: true }, 1000);
const strict = createSender({ allow_private: false }, 1000);

let server: TestServer;
let received: { url: string; headers: object; body: string }[] = [];

beforeAll(async () => {
  server = await serve(async (req, res) => {
    received.push({ url: req.url ?? '', headers: req.headers, body: await bodyOf(req) });
    const [, what = '', rest = ''] = (req.url ?? '').split('/');
    if (what === 'redirect') res.writeHead(307, { location: '/200' }).end();
    else if (what === 'wait') res.writeHead(503, { 'retry-after': rest }).end();
    else if (what === 'endless') res.writeHead(200).write('x'.repeat(100_000));
    else if (what === 'silent') return;
    else if (what === 'reset') req.socket.destroy();
    else res.writeHead(Number(what)).end('thanks');
  });
});

afterAll(async () => {
  await Promise.all([own.close(), strict.close()]);
  await server.close();
});

describe('sending a webhook', () => {
  const send = (path: string, stopping = never) => {
    received = [];
    return own.send(`${server.url}/${path}`, { 'webhook-id': 'msg_1' }, '{"a":1}', stopping);
  };

  it('posts the body and the headers as they are', async () => {
    expect(await send('200')).toEqual({ kind: 'accepted' });
    expect(received).toMatchObject([{ url: '/200', headers: { 'webhook-id': 'msg_1' }, body: '{"a":1}' }]);
  });

  it.each([201, 202, 204, 299])('takes %i for delivered', async (status) => {
    expect(await send(String(status))).toEqual({ kind: 'accepted' });
  });

  it.each([304, 400, 401, 404, 429, 500, 503])('takes %i for not delivered', async (status) => {
    expect(await send(String(status))).toEqual({ kind: 'refused', fault: `http_${status}` });
  });

  it('takes 410 for a receiver that wants no more', async () => {
    expect(await send('410')).toEqual({ kind: 'gone' });
  });

  it('does not follow a redirect', async () => {
    expect(await send('redirect')).toEqual({ kind: 'refused', fault: 'http_307' });
    expect(received.map(({ url }) => url)).toEqual(['/redirect']);
  });

  it('passes on when the receiver wants to be tried again', async () => {
    expect(await send('wait/120')).toEqual({ kind: 'refused', fault: 'http_503', retry_after: '120' });
  });

  it('does not wait for the end of an answer whose status is there', async () => {
    const start = performance.now();
    expect(await send('endless')).toEqual({ kind: 'accepted' });
    expect(performance.now() - start).toBeLessThan(900);
  });

  it('does not wait for ever', async () => {
    expect(await send('silent')).toEqual({ kind: 'refused', fault: 'timeout' });
  });

  it('tells a lost connection from a slow one', async () => {
    expect(await send('reset')).toEqual({ kind: 'refused', fault: 'no_answer' });
    expect(await own.send('http://127.0.0.1:1/', {}, '', never)).toEqual({ kind: 'refused', fault: 'no_answer' });
  });

  it('can be cut short, which is nobody’s fault', async () => {
    const stopping = new AbortController();
    const sending = send('silent', stopping.signal);
    setTimeout(() => stopping.abort(), 50);
    expect(await sending).toEqual({ kind: 'stopped' });
  });
});

describe('where a webhook may go', () => {
  it.each([
    ['a loopback address', 'https://127.0.0.1'],
    ['a name of one', 'https://localhost'],
    ['IPv6 loopback', 'https://[::1]'],
    ['an IPv4-mapped address', 'https://[::ffff:127.0.0.1]'],
    ['a number that is an address', 'https://2130706433'],
    ['a private address', 'https://10.0.0.1'],
    ['a metadata service', 'https://169.254.169.254'],
  ])('refuses %s unless private addresses are allowed', async (_, origin) => {
    received = [];
    const sent = await strict.send(`${origin}:${server.port}/200`, {}, '', never);
    expect(sent).toEqual({ kind: 'refused', fault: 'address_refused' });
    expect(received).toEqual([]);
  });

  it('refuses plain http unless private addresses are allowed', async () => {
    received = [];
    const refused = { kind: 'refused', fault: 'scheme_refused' };
    expect(await strict.send(`${server.url}/200`, {}, '', never)).toEqual(refused);
    expect(received).toEqual([]);
  });

  it('refuses plain http to a public address even then', async () => {
    const refused = { kind: 'refused', fault: 'address_refused' };
    expect(await own.send('http://192.0.9.1/', {}, '', never)).toEqual(refused);
  });

  it('refuses link-local addresses even then', async () => {
    const refused = { kind: 'refused', fault: 'address_refused' };
    expect(await own.send('http://169.254.169.254/', {}, '', never)).toEqual(refused);
  });

  it('takes a name that is at a private address when those are allowed', async () => {
    expect(await own.send(`http://localhost:${server.port}/200`, {}, '', never)).toEqual({ kind: 'accepted' });
  });
});
