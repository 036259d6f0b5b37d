import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import fr from '../../../widget/locales/fr.json' with { type: 'json' };
import { approving, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { account, card, shopOrigin, startTestRelay } from '../../support/relays/relay.ts';

async function relayOnly() {
  const gateway = await scriptedGateway(approving);
  return startTestRelay({ gatewayUrl: gateway.url });
}

describe('GET /checkout/:session_id', () => {
  it('is the rendered form in the requested language under a strict policy', async () => {
    const relay = await relayOnly();
    const { id, secret } = await relay.session({ locale: 'es-419' });
    const page = await relay.get(`/checkout/${id}?locale=pt-BR&theme=dark`);
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/<html lang="pt-BR" dir="ltr" data-theme="dark"/);
    expect(page.text).toMatch(/R\$\s129,90/);
    for (const token of ['cc-number', 'cc-exp', 'cc-csc', 'cc-name'])
      expect(page.text).toContain(`autocomplete="${token}"`);
    expect(page.text).not.toContain(secret);

    const hashes = (tag: 'style' | 'script') =>
      [...page.text.matchAll(new RegExp(`<${tag}(?: type="module")?>([\\s\\S]*?)</${tag}>`, 'g'))].map(
        ([, text = '']) => ` 'sha256-${createHash('sha256').update(text).digest('base64')}'`,
      );
    expect(hashes('script')).toHaveLength(2);
    expect(page.headers.get('permissions-policy')).toBe('camera=(), geolocation=(), microphone=(), usb=()');
    expect(page.headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self'${hashes('script').join('')}; style-src 'self'${hashes('style').join('')}; connect-src 'self'; img-src 'self' data:; ` +
        `form-action 'none'; base-uri 'none'; frame-ancestors ${shopOrigin}; require-trusted-types-for 'script'; trusted-types 'none'`,
    );
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.text).not.toMatch(/ style=|<script(?!>| type="(module|application\/json)")| on\w+=/);
  });

  it('has the shop’s variables from the first paint in a frame', async () => {
    const relay = await relayOnly();
    const { id } = await relay.session();
    const path = `/checkout/${id}?theme=compact+dark&--turnpike-color-text=%23123456&--turnpike-radius=0;}body{display:none`;
    const framed = await relay.send(path, { headers: { 'sec-fetch-dest': 'iframe' } });
    expect(framed.text).toContain('<style id="variables">:root:root:root{--turnpike-color-text:#123456}</style>');
    expect(framed.text).toMatch(/data-theme="dark" class="framed compact"/);
    expect(framed.text).not.toContain('body{display:none');
    const hash = createHash('sha256').update(':root:root:root{--turnpike-color-text:#123456}').digest('base64');
    expect(framed.headers.get('content-security-policy')).toContain(`'sha256-${hash}'; connect-src`);
    const link = await relay.get(path);
    expect(link.text).not.toContain('#123456');
    expect(link.text).toMatch(/data-theme="dark" class="compact"/);
  });

  it('may load the shop’s fonts in a frame, and nothing else', async () => {
    const relay = await relayOnly();
    const { id } = await relay.session();
    const fonts = JSON.stringify([{ family: 'Inter', src: 'https://shop.example/inter.woff2' }]);
    const path = `/checkout/${id}?${new URLSearchParams({ fonts })}`;
    const framed = await relay.send(path, { headers: { 'sec-fetch-dest': 'iframe' } });
    expect(framed.text).toContain('@font-face{font-family:"Inter";src:url("https://shop.example/inter.woff2")');
    const policy = framed.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("; font-src https://shop.example/inter.woff2; form-action 'none'");
    expect(policy.match(/shop\.example/g)).toHaveLength(1);
    const link = await relay.get(path);
    expect(`${link.text}${link.headers.get('content-security-policy')}`).not.toContain('inter.woff2');
  });

  it('preloads what its first view needs', async () => {
    const relay = await relayOnly();
    const preloads = async (body: object, headers = { 'sec-fetch-dest': 'iframe' }) => {
      const { id } = await relay.session(body);
      const { text } = await relay.send(`/checkout/${id}`, { headers });
      const found = [...text.matchAll(/<link rel="modulepreload" href="\/form\/([a-z]+)-/g)];
      return found.map(([, name]) => name).sort();
    };
    expect(await preloads({})).toEqual(['wording']);
    expect(await preloads({}, { 'sec-fetch-dest': 'document' })).toEqual(['hosted', 'wording']);
    const details = ['details', 'flow', 'parts', 'views', 'wording'];
    expect(await preloads({ collect: ['email'] })).toEqual(details);
    const pieces = ['addresses', 'countries', 'documents'];
    const both = { collect: ['document', 'billing_address'] };
    expect(await preloads(both)).toEqual([...details, ...pieces].sort());
    const { id, secret } = await relay.session();
    await relay.pay(secret, card);
    const { text } = await relay.get(`/checkout/${id}`);
    const [, flow = ''] = /<link rel="modulepreload" href="([^"]+)"/.exec(text) ?? [];
    expect(flow).toMatch(/^\/form\/flow-/);
    expect((await relay.get(flow)).status).toBe(200);
  });

  it('tells the form which Accept header the browser sent', async () => {
    const relay = await relayOnly();
    const { id } = await relay.session();
    const acceptOf = async (accept: string) => {
      const { text } = await relay.send(`/checkout/${id}`, { headers: { accept } });
      const [, boot = ''] = / id="boot">(.*?)<\/script>/s.exec(text) ?? [];
      return z.object({ accept: z.string().optional() }).parse(JSON.parse(boot)).accept;
    };
    expect(await acceptOf('text/html,*/*;q=0.8')).toBe('text/html,*/*;q=0.8');
    expect(await acceptOf('</script>\u0085')).toBe('</script> ');
    expect(await acceptOf('x'.repeat(5000))).toHaveLength(1000);
  });

  it('returns only texts to a form that changes its language', async () => {
    const relay = await relayOnly();
    const { id, secret } = await relay.session({ order: { shopper_email: 'ada@example.com' }, collect: ['email'] });
    const ask = (accept: string) =>
      relay.send(`/checkout/${id}?locale=fr`, { headers: { accept, 'accept-encoding': 'gzip' } });
    const { text, headers } = await ask('application/json');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(headers.get('vary')).toBe('Accept, Accept-Encoding');
    expect(headers.get('content-encoding')).toBe('gzip');
    const boot = z
      .looseObject({ locale: z.literal('fr'), messages: z.record(z.string(), z.string()) })
      .parse(JSON.parse(text));
    expect(boot.messages.title).toBe(fr.form.title);
    for (const value of [secret, 'ada@example.com']) expect(text).not.toContain(value);
    expect((await ask('*/*')).headers.get('content-type')).toMatch(/^text\/html/);
    expect((await ask('text/html,application/xhtml+xml,*/*;q=0.8')).text).toContain('cc-number');
  });

  it('is compressed, unless it contains personal values', async () => {
    const relay = await relayOnly();
    const { id, secret } = await relay.session();
    for (const accepted of ['gzip', 'gzip, deflate, br, zstd']) {
      const page = await relay.send(`/checkout/${id}`, { headers: { 'accept-encoding': accepted } });
      expect(page.headers.get('content-encoding')).toBe('gzip');
      expect(page.headers.get('vary')).toBe('Accept, Accept-Encoding');
      expect(page.text).toContain('cc-number');
      expect(page.text).toMatch(/<\/script>\n<\/body>\n<\/html>\n$/);
    }
    const plain = await relay.send(`/checkout/${id}`, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect((await relay.get('/checkout/api/session', secret)).headers.get('content-encoding')).toBeNull();
  });

  it('shows no personal value without the secret', async () => {
    const relay = await relayOnly();
    const saved = {
      token_id: 'tok_secret',
      brand: 'visa',
      last4: '1881',
      expiration_month: '12',
      expiration_year: '2030',
    };
    const order = { shopper_email: 'ada@example.com', first_name: 'Augusta', billing_address: 'Rua Um 1' };
    const body = { order, collect: ['email', 'billing_address'], saved_cards: [saved] };
    const { id, secret } = await relay.session(body);
    const { text } = await relay.get(`/checkout/${id}`);
    for (const value of ['ada@example.com', 'Augusta', 'Rua Um', 'tok_secret', '1881', account.signingSecret]) {
      expect(text).not.toContain(value);
    }
    expect((await relay.get('/checkout/api/session', secret)).body).toMatchObject({
      prefill: { shopper_email: 'ada@example.com', first_name: 'Augusta', billing_address: 'Rua Um 1' },
      saved_cards: [saved],
    });
  });

  it('shows the time of payment only with the secret', async () => {
    const relay = await relayOnly();
    const { id, secret } = await relay.session();
    const before = Date.now();
    expect(await relay.pay(secret, { ...card })).toMatchObject({ body: { status: 'approved' } });
    const answer = z.object({ paid_at: z.iso.datetime() });
    const { paid_at } = answer.parse((await relay.get('/checkout/api/session', secret)).body);
    expect(Date.parse(paid_at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(paid_at)).toBeLessThanOrEqual(Date.now());
    expect((await relay.get(`/checkout/${id}`)).text).not.toContain('paid_at');
  });

  it('escapes everything that a shop wrote', async () => {
    const relay = await relayOnly();
    const label = '</script><script>alert(1)</script><img src=x onerror=alert(2)>';
    const { id } = await relay.session({
      payment_methods: [{ type: 'card' }, { type: 'apm', payment_method: label, label }],
    });
    const { text } = await relay.get(`/checkout/${id}`);
    expect(text).not.toContain('<script>alert');
    expect(text).not.toContain('<img src=x');
  });

  it('reports that the session does not exist, in the requested language', async () => {
    const relay = await relayOnly();
    const page = await relay.get('/checkout/cs_nothing?locale=pt-BR');
    expect(page.status).toBe(404);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.text).toContain('<html lang="pt-BR"');
  });
});
