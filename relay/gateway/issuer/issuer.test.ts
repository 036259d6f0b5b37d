import { describe, expect, it, onTestFinished } from 'vitest';
import { follow, issuer, longTimeouts, rawIssuer, settings } from '../../../test/support/gateways/issuer-servers.ts';
import { serve } from '../../../test/support/http/http-server.ts';
import type { Resolve } from './addresses.ts';

describe('following issuer_url', () => {
  it('follows to the last page and asks each address once', async () => {
    const { url, asked } = await issuer({ '/a': '/b?x=1', '/b?x=1': '/c' });
    expect(await follow(`${url}/a`, settings)).toEqual({ address: `${url}/c` });
    expect(asked).toEqual(['GET /a', 'GET /b?x=1', 'GET /c']);
  });

  it('stops at the first redirect’s target', async () => {
    const { url, asked } = await issuer({ '/a': '/b', '/b': '/c' });
    expect(await follow(`${url}/a`, { ...settings, follow: 'first' })).toEqual({ address: `${url}/b` });
    expect(asked).toEqual(['GET /a']);
  });

  it('sends no request if it is not to follow', async () => {
    const { url, asked } = await issuer({ '/a': '/b' });
    expect(await follow(`${url}/a`, { ...settings, follow: 'none' })).toEqual({ address: `${url}/a` });
    expect(asked).toEqual([]);
  });

  it('follows up to max_hops redirects, and leaves the rest to the browser', async () => {
    const { url, asked } = await issuer({ '/1': '/2', '/2': '/3', '/3': '/4' });
    expect(await follow(`${url}/1`, { ...settings, max_hops: 2 })).toEqual({ address: `${url}/3` });
    expect(asked).toEqual(['GET /1', 'GET /2']);
  });

  it('leaves a redirect loop to the browser', async () => {
    const { url, asked } = await issuer({ '/a': '/b', '/b': '/a' });
    expect(await follow(`${url}/a`, { ...settings, max_hops: 4 })).toEqual({ address: `${url}/a` });
    expect(asked).toHaveLength(4);
  });

  const refused: Record<string, [string, string]> = {
    'a script': ['javascript:alert(1)', 'scheme_refused'],
    'a file': ['file:///etc/passwd', 'scheme_refused'],
    'an app that is not listed': ['otherapp://pay', 'scheme_refused'],
    'a metadata service': ['http://169.254.169.254/latest/meta-data', 'address_refused'],
    'a metadata service in IPv6 clothes': ['http://[::ffff:169.254.169.254]/', 'address_refused'],
    'an address with a user': ['http://bank@127.0.0.1/', 'scheme_refused'],
  };
  for (const [what, [target, code]] of Object.entries(refused)) {
    for (const mode of ['last', 'first'] as const) {
      it(`refuses a redirect to ${what} (${mode})`, async () => {
        const { url } = await issuer({ '/a': target });
        const by = { ...settings, follow: mode, allow_schemes: ['bankapp'] };
        await expect(follow(`${url}/a`, by)).rejects.toMatchObject({ code });
      });
    }
  }

  it('refuses an address that contains the number of the paying card', async () => {
    const masked = '411111******1111';
    const { url, asked } = await issuer({ '/a': '/b', '/b': '/c?ref=4111-1111-1111-1111' });
    await expect(follow(`${url}/a`, settings, undefined, masked)).rejects.toMatchObject({ code: 'card_in_address' });
    expect(asked).toEqual(['GET /a', 'GET /b']);
    // A reference that looks like another card's number is the bank's own.
    const other = `${url}/page?ref=4539578763621486`;
    expect(await follow(other, settings, undefined, masked)).toEqual({ address: other });
  });

  for (const mode of ['last', 'first', 'none'] as const) {
    it(`calls no private address unless it may (${mode})`, async () => {
      const { url, asked } = await issuer({});
      await expect(follow(`${url}/a`, { ...settings, follow: mode, allow_private: false })).rejects.toMatchObject({
        code: 'address_refused',
      });
      expect(asked).toEqual([]);
    });

    it(`calls no host that is not listed (${mode})`, async () => {
      const { url, asked } = await issuer({});
      const allow_hosts = ['*.bank.example', 'bank.example'];
      await expect(follow(`${url}/a`, { ...settings, follow: mode, allow_hosts })).rejects.toMatchObject({
        code: 'host_refused',
      });
      expect(asked).toEqual([]);
    });

    it(`refuses an issuer_url that is no address (${mode})`, async () => {
      for (const address of ['', 'bank', '/pay', 'https://', 'https://[']) {
        await expect(follow(address, { ...settings, follow: mode })).rejects.toMatchObject({ code: 'scheme_refused' });
      }
    });
  }

  it('does not wait for an endless page', async () => {
    const endless = await serve((_req, res) => {
      const more = (): void => {
        while (!res.destroyed && res.write('a'.repeat(65_536)));
        if (!res.destroyed) res.once('drain', more);
      };
      more();
    });
    onTestFinished(endless.close);
    expect(await follow(endless.url, settings)).toEqual({ address: `${endless.url}/` });
  });
});

describe('an issuer that misbehaves', () => {
  const answer = (head: string): string => `HTTP/1.1 ${head}\r\n\r\n`;
  const redirect = (location: string): string => answer(`302 Found\r\nlocation: ${location}\r\ncontent-length: 0`);
  const refused: Record<string, [string, string]> = {
    'redirects to a script': [redirect('JavaScript:alert(1)'), 'scheme_refused'],
    'redirects to a script with a tab in it': [redirect('java\tscript:alert(1)'), 'scheme_refused'],
    'redirects to data': [redirect('data:text/html,<script>1</script>'), 'scheme_refused'],
    'redirects to a file': [redirect('file:///etc/passwd'), 'scheme_refused'],
    'redirects to an app': [redirect('intent://pay#Intent;end'), 'scheme_refused'],
    'redirects to another host without a scheme': [redirect('//169.254.169.254/latest/'), 'address_refused'],
    'redirects to another host with backslashes': [redirect('\\\\169.254.169.254/'), 'address_refused'],
    'redirects to a user at a private address': [redirect('http://bank.example@127.0.0.1/'), 'scheme_refused'],
    'redirects from a private to plain http at a public address': [redirect('http://93.184.216.34/'), 'scheme_refused'],
  };
  for (const [what, [bytes, code]] of Object.entries(refused)) {
    it(`leads nowhere when it ${what}`, async () => {
      await expect(follow(await rawIssuer(bytes), settings)).rejects.toMatchObject({ code });
    });
  }

  const failing: Record<string, [string, object]> = {
    'redirects without saying where': [
      answer('302 Found\r\ncontent-length: 0'),
      { fault: 'bad_answer', http_status: 302 },
    ],
    'redirects to two places': [
      answer('302 Found\r\nlocation: /b\r\nlocation: /c\r\ncontent-length: 0'),
      { fault: 'bad_answer', http_status: 302 },
    ],
    'redirects to no address': [redirect('https://['), { fault: 'bad_answer', http_status: 302 }],
    'answers 304': [answer('304 Not Modified'), { fault: 'bad_answer', http_status: 304 }],
    'speaks no HTTP': ['SSH-2.0-OpenSSH\r\n', { fault: 'no_answer' }],
    'redirects to itself': [redirect(''), {}],
  };
  for (const [what, [bytes, told]] of Object.entries(failing)) {
    it(`is left to the browser when it ${what}`, async () => {
      const address = await rawIssuer(bytes);
      expect(await follow(address, settings)).toEqual({ address, ...told });
    });
  }

  it('is left to the browser when its headers never end', async () => {
    const address = await rawIssuer('HTTP/1.1 302 Found\r\n', (socket) => {
      const more = (): void => {
        while (!socket.destroyed && socket.write(`x: ${'a'.repeat(1000)}\r\n`));
        if (!socket.destroyed) socket.once('drain', more);
      };
      more();
    });
    expect(await follow(address, settings)).toEqual({ address, fault: 'no_answer' });
  });

  it('does not delay the shopper by a slow page or endless body', async () => {
    const page = await rawIssuer('HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n<');
    expect(await follow(page, longTimeouts)).toEqual({ address: page });
    const address = await rawIssuer(`HTTP/1.1 302 Found\r\nlocation: ${page}\r\ncontent-length: 9999\r\n\r\n<`);
    expect(await follow(address, longTimeouts)).toEqual({ address: page });
  });

  it('is left to the browser after its time, wherever that goes', async () => {
    const dribbling = await rawIssuer('HTTP/1.1 200 OK\r\n', (socket) => {
      const drip = setInterval(() => socket.write('x'), 50);
      socket.on('close', () => clearInterval(drip));
    });
    const noHandshake = (await rawIssuer('')).replace('http:', 'https:');
    const noDns: Resolve = () => new Promise(() => undefined);
    for (const [address, resolve] of [[dribbling], [noHandshake], ['https://bank.example/', noDns]] as const) {
      expect(await follow(address, { ...settings, timeout_ms: 200 }, resolve)).toEqual({ address, fault: 'no_answer' });
    }
    const plain = follow('http://bank.example/', { ...settings, timeout_ms: 200 }, noDns);
    await expect(plain, 'which may be http at a public address').rejects.toMatchObject({ code: 'no_answer' });
  });

  it('cannot redirect 300 times', async () => {
    let visits = 0;
    const server = await serve((_req, res) => {
      visits += 1;
      res.writeHead(302, { location: `/${visits}` }).end();
    });
    onTestFinished(server.close);
    expect(await follow(server.url, { ...settings, max_hops: 20 })).toEqual({ address: `${server.url}/20` });
    expect(visits).toBe(20);
  });

  it('cannot break a header of ours with what it redirects to', async () => {
    const { url } = await issuer({ '/a': '/b%0d%0aset-cookie:%20x=1' });
    expect(await follow(`${url}/a`, settings)).toEqual({ address: `${url}/b%0d%0aset-cookie:%20x=1` });
    const raw = await rawIssuer(redirect(`${url}/b\r\nx-more: 1`));
    expect(await follow(raw, settings)).toEqual({ address: `${url}/b` });
  });
});
