import { afterEach, describe, expect, it } from 'vitest';
import { serve, type TestServer } from '../../test/support/http-server.ts';
import { followIssuerUrl, type IssuerSettings } from './issuer.ts';

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const settings: IssuerSettings = {
  follow: 'last',
  allow_hosts: ['*'],
  allow_private: true,
  max_hops: 5,
  timeout_ms: 2000,
};

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
