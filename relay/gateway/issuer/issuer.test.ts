import { describe, expect, it, onTestFinished } from 'vitest';
import { serve } from '../../../test/support/http-server.ts';
import { issuer, rawIssuer, settings, unhurried } from '../../../test/support/issuer-servers.ts';
import type { Resolve } from './addresses.ts';
import { followIssuerUrl } from './issuer.ts';

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

  it('gives up on silent pages, error pages and closed ports', async () => {
    const silent = await serve(() => undefined);
    const broken = await serve((_req, res) => res.writeHead(500).end());
    onTestFinished(silent.close);
    onTestFinished(broken.close);
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
    onTestFinished(endless.close);
    expect(await followIssuerUrl(endless.url, settings)).toBe(`${endless.url}/`);
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

  it('does not delay the shopper by a slow page or endless body', async () => {
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

  it('cannot redirect 300 times', async () => {
    let visits = 0;
    const server = await serve((_req, res) => {
      visits += 1;
      res.writeHead(302, { location: `/${visits}` }).end();
    });
    onTestFinished(server.close);
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
