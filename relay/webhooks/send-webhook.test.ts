import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { bodyOf, serve, type TestServer } from '../../test/support/http/http-server.ts';
import { until } from '../../test/support/time/until.ts';
import { createSender } from './send-webhook.ts';

const never = new AbortController().signal;
const own = createSender({ allow_private: true }, 1000);
/** One whose time is not over before a test's is. */
const patient = createSender({ allow_private: true }, 600_000);
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
  await Promise.all([own.close(), patient.close(), strict.close()]);
  await server.close();
});

describe('sending a webhook', () => {
  const send = (path: string, stopping = never, sender = own) => {
    received = [];
    return sender.send(`${server.url}/${path}`, { 'webhook-id': 'msg_1' }, '{"a":1}', stopping);
  };

  it('posts the body and the headers as they are', async () => {
    expect(await send('200')).toEqual({ kind: 'accepted' });
    expect(received).toMatchObject([{ url: '/200', headers: { 'webhook-id': 'msg_1' }, body: '{"a":1}' }]);
  });

  it.each([201, 202, 204, 299])('takes %i for delivered', async (status) => {
    expect(await send(String(status))).toEqual({ kind: 'accepted' });
  });

  it.each([304, 400, 401, 404, 410, 429, 500, 503])('takes %i for not delivered', async (status) => {
    expect(await send(String(status))).toEqual({ kind: 'refused', fault: `http_${status}` });
  });

  it('does not follow a redirect', async () => {
    expect(await send('redirect')).toEqual({ kind: 'refused', fault: 'http_307' });
    expect(received.map(({ url }) => url)).toEqual(['/redirect']);
  });

  it('passes on when the receiver wants to be tried again', async () => {
    expect(await send('wait/120')).toEqual({ kind: 'refused', fault: 'http_503', retry_after: '120' });
  });

  it('does not wait for the body after the status has arrived', async () => {
    expect(await send('endless', never, patient)).toEqual({ kind: 'accepted' });
  });

  it('does not wait for ever', async () => {
    expect(await send('silent')).toEqual({ kind: 'refused', fault: 'timeout' });
  });

  it('tells a lost connection from a slow one', async () => {
    expect(await send('reset')).toEqual({ kind: 'refused', fault: 'no_answer' });
    expect(await own.send('http://127.0.0.1:1/', {}, '', never)).toEqual({ kind: 'refused', fault: 'no_answer' });
  });

  it('can be cut short, which is not the receiver’s fault', async () => {
    const stopping = new AbortController();
    const sending = send('silent', stopping.signal, patient);
    await until('the receiver has it', () => received.length === 1);
    stopping.abort();
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
    ['an address in octal', 'https://0177.0.0.1'],
    ['an address in hexadecimal', 'https://0x7f.1'],
    ['a short address', 'https://127.1'],
    ['an address in other digits', 'https://１２７.0.0.1'],
    ['an IPv4-mapped address in hexadecimal', 'https://[::ffff:7f00:1]'],
    ['an IPv4-compatible address', 'https://[::7f00:1]'],
    ['an address behind NAT64', 'https://[64:ff9b::7f00:1]'],
    ['an address behind a local NAT64', 'https://[64:ff9b:1::7f00:1]'],
    ['a private address', 'https://10.0.0.1'],
    ['a private IPv6 address', 'https://[fd12::1]'],
    ['the unspecified address', 'https://0'],
    ['a metadata service', 'https://169.254.169.254'],
    ['a metadata service as a number', 'https://2852039166'],
    ['a metadata service behind NAT64', 'https://[64:ff9b::a9fe:a9fe]'],
    ['an IPv4-mapped metadata service', 'https://[::ffff:169.254.169.254]'],
    ['a link-local IPv6 address', 'https://[fe80::1]'],
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

  it.each([
    '169.254.169.254',
    '2852039166',
    '[64:ff9b::a9fe:a9fe]',
    '[::ffff:a9fe:a9fe]',
    '[fe80::1]',
    '[fd00:ec2::254]',
  ])('refuses the link-local or metadata address %s even then', async (host) => {
    const refused = { kind: 'refused', fault: 'address_refused' };
    expect(await own.send(`http://${host}/`, {}, '', never)).toEqual(refused);
  });

  it('accepts a name with a private address when those are allowed', async () => {
    expect(await own.send(`http://localhost:${server.port}/200`, {}, '', never)).toEqual({ kind: 'accepted' });
  });
});

describe('a name that changes its address', () => {
  const refused = { kind: 'refused', fault: 'address_refused' };
  // Global, and not assigned: what is sent there gets no answer.
  const elsewhere = '192.0.9.1';

  /** A sender whose names are where the answers say, one after the other, the last one for good. */
  function senderWith(rules: { allow_private: boolean }, ...answers: string[][]) {
    const asked: string[] = [];
    const sender = createSender(rules, 300, async (hostname) => {
      const found = answers[Math.min(asked.push(hostname), answers.length) - 1] ?? [];
      return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    });
    onTestFinished(sender.close);
    received = [];
    return { asked, send: (origin: string) => sender.send(`${origin}:${server.port}/200`, {}, '', never) };
  }

  it('is resolved once a connection, and connects to the checked address', async () => {
    const { asked, send } = senderWith({ allow_private: false }, [elsewhere], ['127.0.0.1']);
    expect(await send('https://rebinding.example')).toMatchObject({
      fault: expect.stringMatching(/timeout|no_answer/),
    });
    expect(asked).toEqual(['rebinding.example']);
    expect(await send('https://rebinding.example')).toEqual(refused);
    expect(asked).toHaveLength(2);
    expect(received).toEqual([]);
  });

  it('is refused where one of its addresses is, whichever comes first', async () => {
    for (const found of [
      [elsewhere, '127.0.0.1'],
      ['::ffff:169.254.169.254', elsewhere],
      [elsewhere, '64:ff9b::7f00:1'],
    ]) {
      expect(await senderWith({ allow_private: false }, found).send('https://two-faced.example')).toEqual(refused);
    }
    expect(received).toEqual([]);
  });

  it('is reached where it is, when that is allowed', async () => {
    const { send } = senderWith({ allow_private: true }, ['127.0.0.1'], ['169.254.169.254']);
    expect(await send('http://receiver.example')).toEqual({ kind: 'accepted' });
    expect(received).toHaveLength(1);
  });

  it('is refused when it has moved to a metadata service meanwhile', async () => {
    const { send } = senderWith({ allow_private: true }, ['169.254.169.254'], ['127.0.0.1']);
    expect(await send('http://receiver.example')).toEqual(refused);
    expect(await send('http://receiver.example')).toEqual({ kind: 'accepted' });
  });
});
