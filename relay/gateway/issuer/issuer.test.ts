import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { serve, type TestServer } from '../../../test/support/http-server.ts';
import { tcpServer } from '../../../test/support/tcp-server.ts';
import type { Resolve } from './addresses.ts';
import { followIssuerUrl, type IssuerSettings } from './issuer.ts';

const servers: TestServer[] = [];
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of [...servers.splice(0).map((server) => server.close), ...closers.splice(0)]) await close();
});

const settings: IssuerSettings = {
  follow: 'last',
  allow_hosts: ['*'],
  allow_private: true,
  max_hops: 5,
  timeout_ms: 2000,
};

/** What ends with these within a test's time did not wait for their end. */
const unhurried: IssuerSettings = { ...settings, timeout_ms: 600_000 };

/** An issuer whose paths lead on as the table says; anything else is a page. */
async function issuer(leadsTo: Record<string, string>): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = await serve((req, res) => {
    const path = req.url ?? '';
    asked.push(`${req.method} ${path}`);
    const location = leadsTo[path];
    if (location === undefined) res.end('<h1>Bank</h1>');
    else res.writeHead(302, { location }).end();
  });
  servers.push(server);
  return { url: server.url, asked };
}

/** An issuer of bare sockets: answers whatever comes with these bytes, and then goes on as told. */
async function rawIssuer(bytes: string, goOn: (socket: Socket) => void = () => undefined): Promise<string> {
  const server = await tcpServer((socket) => socket.on('data', () => socket.write(bytes, () => goOn(socket))));
  closers.push(server.close);
  return `http://127.0.0.1:${server.port}/a`;
}

/** A DNS that gives each of these answers in turn, and then the last one again. */
function dnsOf(...answers: string[][]): { resolve: Resolve; asked: string[] } {
  const asked: string[] = [];
  const resolve: Resolve = async (hostname) => {
    asked.push(hostname);
    const found = answers[Math.min(asked.length, answers.length) - 1] ?? [];
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { resolve, asked };
}

const follows = ['last', 'first', 'none'] as const;
const isPublic = { ...settings, allow_private: false };

describe('following issuer_url', () => {
  it('follows to the last page and asks each address once', async () => {
    const { url, asked } = await issuer({ '/a': '/b?x=1', '/b?x=1': '/c' });
    expect(await followIssuerUrl(`${url}/a`, settings)).toBe(`${url}/c`);
    expect(asked).toEqual(['GET /a', 'GET /b?x=1', 'GET /c']);
  });

  it('stops at the first redirect’s target', async () => {
    const { url, asked } = await issuer({ '/a': '/b', '/b': '/c' });
    expect(await followIssuerUrl(`${url}/a`, { ...settings, follow: 'first' })).toBe(`${url}/b`);
    expect(asked).toEqual(['GET /a']);
  });

  it('asks nothing where it is not to follow', async () => {
    const { url, asked } = await issuer({ '/a': '/b' });
    expect(await followIssuerUrl(`${url}/a`, { ...settings, follow: 'none' })).toBe(`${url}/a`);
    expect(asked).toEqual([]);
  });

  it('follows as many redirects as it may, and refuses one more', async () => {
    const { url } = await issuer({ '/1': '/2', '/2': '/3', '/3': '/4' });
    expect(await followIssuerUrl(`${url}/1`, { ...settings, max_hops: 3 })).toBe(`${url}/4`);
    await expect(followIssuerUrl(`${url}/1`, { ...settings, max_hops: 2 })).rejects.toMatchObject({
      code: 'too_many_hops',
    });
  });

  it('refuses a redirect loop', async () => {
    const { url } = await issuer({ '/a': '/b', '/b': '/a' });
    await expect(followIssuerUrl(`${url}/a`, settings)).rejects.toMatchObject({ code: 'too_many_hops' });
  });

  const refused: Record<string, [string, string]> = {
    'a script': ['javascript:alert(1)', 'scheme_refused'],
    'a file': ['file:///etc/passwd', 'scheme_refused'],
    'a metadata service': ['http://169.254.169.254/latest/meta-data', 'address_refused'],
    'a metadata service in IPv6 clothes': ['http://[::ffff:169.254.169.254]/', 'address_refused'],
    'an address with a user': ['http://bank@127.0.0.1/', 'scheme_refused'],
    'no address': ['http://', 'bad_answer'],
  };
  for (const [what, [target, code]] of Object.entries(refused)) {
    for (const follow of ['last', 'first'] as const) {
      it(`refuses a redirect to ${what} (${follow})`, async () => {
        const { url } = await issuer({ '/a': target });
        await expect(followIssuerUrl(`${url}/a`, { ...settings, follow })).rejects.toMatchObject({ code });
      });
    }
  }

  for (const follow of ['last', 'first', 'none'] as const) {
    it(`calls no private address unless it may (${follow})`, async () => {
      const { url, asked } = await issuer({});
      await expect(followIssuerUrl(`${url}/a`, { ...settings, follow, allow_private: false })).rejects.toMatchObject({
        code: 'address_refused',
      });
      expect(asked).toEqual([]);
    });

    it(`calls no host that is not listed (${follow})`, async () => {
      const { url, asked } = await issuer({});
      const allow_hosts = ['*.bank.example', 'bank.example'];
      await expect(followIssuerUrl(`${url}/a`, { ...settings, follow, allow_hosts })).rejects.toMatchObject({
        code: 'host_refused',
      });
      expect(asked).toEqual([]);
    });
  }

  it('gives up on a page that never comes, on an error page and on a closed port', async () => {
    const silent = await serve(() => undefined);
    const broken = await serve((_req, res) => res.writeHead(500).end());
    servers.push(silent, broken);
    const closed = await serve(() => undefined);
    await closed.close();
    await expect(followIssuerUrl(silent.url, { ...settings, timeout_ms: 150 })).rejects.toMatchObject({
      code: 'no_answer',
    });
    await expect(followIssuerUrl(broken.url, settings)).rejects.toMatchObject({ code: 'bad_answer' });
    await expect(followIssuerUrl(closed.url, settings)).rejects.toMatchObject({ code: 'no_answer' });
  });

  it('does not wait for an endless page', async () => {
    const endless = await serve((_req, res) => {
      const more = (): void => {
        while (!res.destroyed && res.write('a'.repeat(65_536)));
        if (!res.destroyed) res.once('drain', more);
      };
      more();
    });
    servers.push(endless);
    expect(await followIssuerUrl(endless.url, settings)).toBe(`${endless.url}/`);
  });
});

describe('an address that issuer_url leads to', () => {
  /** Each is loopback, or another place where no shopper's bank is. */
  const inside: Record<string, string> = {
    'loopback in decimal': 'https://2130706433/',
    'loopback in octal': 'https://0177.0.0.1/',
    'loopback in hexadecimal': 'https://0x7f.1/',
    'loopback in short': 'https://127.1/',
    'loopback with a dot at its end': 'https://127.0.0.1./',
    'loopback in wide digits': 'https://１２７.０.０.１/',
    'loopback in IPv6': 'https://[::1]/',
    'loopback in IPv6 clothes': 'https://[::ffff:127.0.0.1]/',
    'loopback behind NAT64': 'https://[64:ff9b::7f00:1]/',
    'loopback behind a NAT64 of its own': 'https://[64:ff9b:1::7f00:1]/',
    'loopback behind 6to4': 'https://[2002:7f00:1::]/',
    'the unspecified address': 'https://0.0.0.0/',
    'a private network': 'https://10.0.0.1/',
    'the network next door': 'https://192.168.1.1/',
    'a private network in IPv6': 'https://[fd12:3456::1]/',
    'a link-local address': 'https://[fe80::1]/',
    'the metadata of one cloud': 'https://169.254.169.254/latest/meta-data/',
    'the metadata of one cloud in IPv6': 'https://[fd00:ec2::254]/',
    'the metadata of another cloud': 'https://100.100.100.200/',
    'the metadata of one cloud, mapped': 'https://[::ffff:a9fe:a9fe]/',
    'the metadata of one cloud behind NAT64': 'https://[64:ff9b::169.254.169.254]/',
    localhost: 'https://localhost/',
  };
  for (const [what, address] of Object.entries(inside)) {
    it(`is refused in every mode where it is ${what}`, async () => {
      for (const follow of follows) {
        await expect(followIssuerUrl(address, { ...isPublic, follow })).rejects.toMatchObject({
          code: 'address_refused',
        });
      }
    });
  }

  for (const address of [
    'https://bank@127.0.0.1/',
    'https://bank.example:pw@127.0.0.1/',
    'https://bank.example%40127.0.0.1/',
  ]) {
    it(`is refused in every mode where a user stands before it: ${address}`, async () => {
      for (const follow of follows) {
        await expect(followIssuerUrl(address, { ...settings, follow })).rejects.toMatchObject({
          code: 'scheme_refused',
        });
      }
    });
  }

  it('is connected to as it was checked: a name that is public first and loopback next is refused', async () => {
    const { url, asked: visits } = await issuer({});
    const address = `https://bank.example:${new URL(url).port}/`;
    const dns = dnsOf(['93.184.216.34'], ['127.0.0.1']);
    await expect(followIssuerUrl(address, isPublic, dns.resolve)).rejects.toMatchObject({ code: 'address_refused' });
    expect(dns.asked).toEqual(['bank.example', 'bank.example']);
    expect(visits).toEqual([]);
  });

  it('is refused when one of a name’s addresses is', async () => {
    const dns = dnsOf(['93.184.216.34', '::1']);
    for (const follow of follows) {
      await expect(
        followIssuerUrl('https://bank.example/', { ...isPublic, follow }, dns.resolve),
      ).rejects.toMatchObject({
        code: 'address_refused',
      });
    }
  });

  it('is not asked in plain http when a name is private first and public next', async () => {
    const dns = dnsOf(['127.0.0.1'], ['93.184.216.34']);
    await expect(followIssuerUrl('http://bank.example:9/', settings, dns.resolve)).rejects.toMatchObject({
      code: 'address_refused',
    });
    expect(dns.asked).toHaveLength(2);
  });

  it('is checked on the last page too, to which the shopper’s browser is sent', async () => {
    const { url } = await issuer({ '/a': 'https://bank.example/' });
    for (const follow of ['last', 'first'] as const) {
      const dns = dnsOf(['169.254.169.254']);
      await expect(followIssuerUrl(`${url}/a`, { ...settings, follow }, dns.resolve)).rejects.toMatchObject({
        code: 'address_refused',
      });
    }
  });

  it('is told from others by its host, not by capitals or the dot at its end', async () => {
    const dns = dnsOf(['93.184.216.34']);
    const reach = (address: string, ...allow_hosts: string[]): Promise<string> =>
      followIssuerUrl(address, { ...isPublic, follow: 'none', allow_hosts }, dns.resolve);
    expect(await reach('https://Bank.Example./', 'BANK.example')).toBe('https://bank.example./');
    expect(await reach('https://pay.bank.example/', '*.Bank.Example.')).toBe('https://pay.bank.example/');
    for (const address of [
      'https://evilbank.example/',
      'https://bank.example.evil.example/',
      'https://bank.example/',
    ]) {
      await expect(reach(address, '*.bank.example')).rejects.toMatchObject({ code: 'host_refused' });
    }
  });
});

describe('an issuer that misbehaves', () => {
  const answer = (head: string): string => `HTTP/1.1 ${head}\r\n\r\n`;
  const redirect = (location: string): string => answer(`302 Found\r\nlocation: ${location}\r\ncontent-length: 0`);
  const refused: Record<string, [string, string]> = {
    'redirects without saying where': [answer('302 Found\r\ncontent-length: 0'), 'bad_answer'],
    'redirects to two places': [answer('302 Found\r\nlocation: /b\r\nlocation: /c\r\ncontent-length: 0'), 'bad_answer'],
    'redirects nowhere': [redirect(''), 'too_many_hops'],
    'redirects to no address': [redirect('https://['), 'bad_answer'],
    'redirects to a script': [redirect('JavaScript:alert(1)'), 'scheme_refused'],
    'redirects to a script with a tab in it': [redirect('java\tscript:alert(1)'), 'scheme_refused'],
    'redirects to data': [redirect('data:text/html,<script>1</script>'), 'scheme_refused'],
    'redirects to a file': [redirect('file:///etc/passwd'), 'scheme_refused'],
    'redirects to an app': [redirect('intent://pay#Intent;end'), 'scheme_refused'],
    'redirects to another host without a scheme': [redirect('//169.254.169.254/latest/'), 'address_refused'],
    'redirects to another host with backslashes': [redirect('\\\\169.254.169.254/'), 'address_refused'],
    'redirects to a user at a private address': [redirect('http://bank.example@127.0.0.1/'), 'scheme_refused'],
    'redirects from a private to plain http at a public address': [redirect('http://93.184.216.34/'), 'scheme_refused'],
    'answers 304': [answer('304 Not Modified'), 'bad_answer'],
    'answers 404': [answer('404 Not Found\r\ncontent-length: 0'), 'bad_answer'],
    'speaks no HTTP': ['SSH-2.0-OpenSSH\r\n', 'no_answer'],
  };
  for (const [what, [bytes, code]] of Object.entries(refused)) {
    it(`leads nowhere when it ${what}`, async () => {
      await expect(followIssuerUrl(await rawIssuer(bytes), settings)).rejects.toMatchObject({ code });
    });
  }

  it('leads nowhere when its headers never end', async () => {
    const address = await rawIssuer('HTTP/1.1 302 Found\r\n', (socket) => {
      const more = (): void => {
        while (!socket.destroyed && socket.write(`x: ${'a'.repeat(1000)}\r\n`));
        if (!socket.destroyed) socket.once('drain', more);
      };
      more();
    });
    await expect(followIssuerUrl(address, settings)).rejects.toMatchObject({ code: 'no_answer' });
  });

  it('does not hold the shopper up with a slow page, or with a redirect whose body never ends', async () => {
    const page = await rawIssuer('HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n<');
    expect(await followIssuerUrl(page, unhurried)).toBe(page);
    const address = await rawIssuer(`HTTP/1.1 302 Found\r\nlocation: ${page}\r\ncontent-length: 9999\r\n\r\n<`);
    expect(await followIssuerUrl(address, unhurried)).toBe(page);
  });

  it('is left after its time, wherever that goes', async () => {
    const dribbling = await rawIssuer('HTTP/1.1 200 OK\r\n', (socket) => {
      const drip = setInterval(() => socket.write('x'), 50);
      socket.on('close', () => clearInterval(drip));
    });
    const noHandshake = (await rawIssuer('')).replace('http:', 'https:');
    const noDns: Resolve = () => new Promise(() => undefined);
    for (const [address, resolve] of [[dribbling], [noHandshake], ['https://bank.example/', noDns]] as const) {
      await expect(followIssuerUrl(address, { ...settings, timeout_ms: 200 }, resolve)).rejects.toMatchObject({
        code: 'no_answer',
      });
    }
  });

  it('cannot send the shopper round 300 corners', async () => {
    let visits = 0;
    const server = await serve((_req, res) => {
      visits += 1;
      res.writeHead(302, { location: `/${visits}` }).end();
    });
    servers.push(server);
    await expect(followIssuerUrl(server.url, { ...settings, max_hops: 20 })).rejects.toMatchObject({
      code: 'too_many_hops',
    });
    expect(visits).toBe(21);
  });

  it('cannot break a header of ours with what it redirects to', async () => {
    const { url } = await issuer({ '/a': '/b%0d%0aset-cookie:%20x=1' });
    const page = await followIssuerUrl(`${url}/a`, settings);
    expect(page).toBe(`${url}/b%0d%0aset-cookie:%20x=1`);
    const raw = await rawIssuer(redirect(`${url}/b\r\nx-more: 1`));
    expect(await followIssuerUrl(raw, settings)).toBe(`${url}/b`);
  });
});
