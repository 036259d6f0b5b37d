import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadAssets } from '../../../relay/pages/assets.ts';
import { embeddingAnswer } from '../../../shared/checkout/scripts.ts';
import { approving, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { account, shopOrigin, startTestRelay } from '../../support/relays/relay.ts';

async function relayOnly() {
  const gateway = await scriptedGateway(approving);
  return startTestRelay({ gatewayUrl: gateway.url });
}

describe('the scripts', () => {
  it('have short-lived and immutable names, with /embed.json’s integrity', async () => {
    const relay = await relayOnly();
    const short = await relay.get('/turnpike.js');
    expect(short.headers.get('content-type')).toMatch(/^text\/javascript/);
    expect(short.headers.get('cache-control')).toBe('public, max-age=300');
    const again = await relay.send('/turnpike.js', {
      headers: { 'if-none-match': short.headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
    });
    expect(again.status).toBe(304);

    const { body, headers } = await relay.get('/embed.json');
    // A proxy must not answer with the integrity of an earlier release.
    expect(headers.get('cache-control')).toBe('no-cache');
    const [, src = '', integrity = ''] = /src="([^"]+)" integrity="([^"]+)"/.exec(String(body.script)) ?? [];
    expect(src).toMatch(new RegExp(`^${relay.url}/turnpike-[0-9a-f]{16}\\.js$`));
    const immutable = await relay.get(src.slice(relay.url.length));
    expect(immutable.headers.get('cache-control')).toMatch(/immutable/);
    expect(immutable.headers.get('access-control-allow-origin')).toBe('*');
    expect(immutable.text).toBe(short.text);
    expect(integrity).toBe(`sha384-${createHash('sha384').update(immutable.text).digest('base64')}`);
    expect(body.csp).toEqual([`script-src ${relay.url}`, `frame-src ${relay.url}`]);
  });

  it('are compressed as the browser accepts, with an ETag per encoding', async () => {
    const relay = await relayOnly();
    const plain = await relay.send('/turnpike.js', { headers: { 'accept-encoding': 'identity' } });
    const etags = new Set([plain.headers.get('etag')]);
    const encodings = { 'gzip, deflate, br, zstd': 'br', 'br;q=0, gzip': 'gzip', gzip: 'gzip' };
    for (const [accepted, encoding] of Object.entries(encodings)) {
      const ask = (more = {}) => relay.send('/turnpike.js', { headers: { 'accept-encoding': accepted, ...more } });
      const script = await ask();
      expect(script.headers.get('content-encoding')).toBe(encoding);
      expect(script.headers.get('vary')).toBe('Accept-Encoding');
      expect(script.text).toBe(plain.text);
      expect(Number(script.headers.get('content-length'))).toBeLessThan(plain.text.length / 2);
      const etag = script.headers.get('etag') ?? '';
      etags.add(etag);
      const again = await ask({ 'if-none-match': etag, 'cache-control': 'max-age=0' });
      expect([again.status, again.text]).toEqual([304, '']);
    }
    expect(etags.size).toBe(3);
  });

  it('of the form have further addresses, for browsers caching a failure', async () => {
    const relay = await relayOnly();
    const { body } = await relay.get('/embed.json');
    const urls = embeddingAnswer.parse(body).scripts.flatMap(({ url = '' }) => (url.includes('/form/') ? [url] : []));
    const [file = ''] = urls.map((url) => url.slice(url.lastIndexOf('/') + 1));
    const [first, again] = [await relay.get(`/form/${file}`), await relay.get(`/form/2/${file}`)];
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('cache-control')).toMatch(/immutable/);
    expect((await relay.get('/form/2/none.js')).status).toBe(404);
    expect(urls.filter((url) => /fingerprint|tracking|analytics/.test(url))).toEqual([]);
  });

  it('of earlier builds are served while pages may pin them', async () => {
    const dist = join(import.meta.dirname, '../../../dist');
    const assets = await loadAssets(dist);
    const old = { ...assets.loader, file: 'turnpike-0123456789abcdef.js', body: Buffer.from('old') };
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({
      gatewayUrl: gateway.url,
      assets: { ...assets, earlier: new Map([[`/${old.file}`, old]]) },
    });
    expect((await relay.get(`/${old.file}`)).text).toBe('old');
    expect((await relay.get(`/${old.file}`)).headers.get('cache-control')).toMatch(/immutable/);
    expect((await relay.get('/turnpike-0000000000000000.js')).status).toBe(404);
    expect((await relay.get('/embed.json')).text).not.toContain(old.file);
  });

  it('are all in the inventory, including the form’s', async () => {
    const relay = await relayOnly();
    const { id } = await relay.session();
    const { text } = await relay.get(`/checkout/${id}`);
    const flow = `/form/${/`(flow-[^`]+)`/.exec(text)?.[1]}`;
    const { body } = await relay.get('/embed.json');
    const scripts = embeddingAnswer.shape.scripts.parse(body.scripts);
    expect(scripts.map(({ url }) => url)).toContain(`${relay.url}${flow}`);
    // The loader loads the doctor under this name.
    expect(scripts.map(({ url }) => url)).toContain(`${relay.url}/turnpike-doctor.js`);
    for (const { url, integrity, purpose } of scripts) {
      expect(purpose.length).toBeGreaterThan(20);
      if (url === undefined) continue;
      const { text } = await relay.get(url.slice(relay.url.length));
      expect(integrity).toBe(`sha384-${createHash('sha384').update(text).digest('base64')}`);
    }
    // The policies of the pages allow inline scripts by these hashes.
    const policies = await Promise.all([relay.get(`/checkout/${id}`), relay.get('/checkout/doctor')]);
    const allowed = policies.flatMap(({ headers }) => {
      const [, sources = ''] = /script-src ([^;]*)/.exec(headers.get('content-security-policy') ?? '') ?? [];
      return [...sources.matchAll(/'(sha256-[^']+)'/g)].map(([, hash]) => hash);
    });
    expect(scripts.filter(({ url }) => url === undefined).map(({ integrity }) => integrity)).toEqual(allowed);
    const script = await relay.get(flow);
    expect(script.status).toBe(200);
    expect(script.text).not.toContain(account.signingSecret);
    expect((await relay.get('/form/..%2f..%2fpackage.json')).status).toBe(404);
  });
});

describe('GET /checkout/doctor', () => {
  it('may be framed by any page, runs one script, reveals nothing', async () => {
    const relay = await relayOnly();
    const { headers, text } = await relay.get('/checkout/doctor');
    const script = /<script>([\s\S]*?)<\/script>/.exec(text)?.[1] ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'sha256-${hash}'; connect-src 'self'; form-action 'none'; base-uri 'none'; ` +
        "frame-ancestors *; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    expect(text).not.toContain(shopOrigin);
  });
});
