import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { account, shopOrigin, startTestRelay } from '../support/relay.ts';
import { approving, scriptedGateway } from '../support/scripted-gateway.ts';

async function relayOnly() {
  const gateway = await scriptedGateway(approving);
  return startTestRelay({ gatewayUrl: gateway.url });
}

describe('GET /checkout/:session_id', () => {
  it('is the form, already rendered, in the asked language, under a strict policy', async () => {
    const relay = await relayOnly();
    const { id, secret } = await relay.session({ locale: 'es-419' });
    const page = await relay.get(`/checkout/${id}?locale=pt-BR&theme=dark`);
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/<html lang="pt-BR" dir="ltr" data-theme="dark"/);
    expect(page.text).toMatch(/R\$\s129,90/);
    for (const token of ['cc-number', 'cc-exp', 'cc-csc', 'cc-name'])
      expect(page.text).toContain(`autocomplete="${token}"`);
    expect(page.text).not.toContain(secret);

    const style = /<style>([\s\S]*?)<\/style>/.exec(page.text)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page.headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self' 'sha256-${hash}'; connect-src 'self'; img-src 'self' data:; ` +
        `form-action 'none'; base-uri 'none'; frame-ancestors ${shopOrigin}; require-trusted-types-for 'script'; trusted-types 'none'`,
    );
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.text).not.toMatch(/ style=|<script(?! type="(module|application\/json)")| on\w+=/);
  });

  it('shows no personal value to the holder of the address alone', async () => {
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

  it('cannot be broken out of by what a shop wrote', async () => {
    const relay = await relayOnly();
    const label = '</script><script>alert(1)</script><img src=x onerror=alert(2)>';
    const { id } = await relay.session({
      payment_methods: [{ type: 'card' }, { type: 'apm', payment_method: label, label }],
    });
    const { text } = await relay.get(`/checkout/${id}`);
    expect(text).not.toContain('<script>alert');
    expect(text).not.toContain('<img src=x');
  });

  it('is a page that says so when there is no such session', async () => {
    const relay = await relayOnly();
    const page = await relay.get('/checkout/cs_nothing');
    expect(page.status).toBe(404);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  });
});

describe('the scripts', () => {
  it('are served under a short-lived and under an immutable name, with the integrity that /embed.json gives', async () => {
    const relay = await relayOnly();
    const short = await relay.get('/turnpike.js');
    expect(short.headers.get('content-type')).toMatch(/^text\/javascript/);
    expect(short.headers.get('cache-control')).toBe('public, max-age=300');
    const again = await relay.send('/turnpike.js', {
      headers: { 'if-none-match': short.headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
    });
    expect(again.status).toBe(304);

    const { body } = await relay.get('/embed.json');
    const [, src = '', integrity = ''] = /src="([^"]+)" integrity="([^"]+)"/.exec(String(body.script)) ?? [];
    expect(src).toMatch(new RegExp(`^${relay.url}/turnpike-[0-9a-f]{16}\\.js$`));
    const immutable = await relay.get(src.slice(relay.url.length));
    expect(immutable.headers.get('cache-control')).toMatch(/immutable/);
    expect(immutable.headers.get('access-control-allow-origin')).toBe('*');
    expect(immutable.text).toBe(short.text);
    expect(integrity).toBe(`sha384-${createHash('sha384').update(immutable.text).digest('base64')}`);
    expect(body.csp).toEqual([`script-src ${relay.url}`, `frame-src ${relay.url}`]);
  });

  it('are all in the inventory, the form’s too', async () => {
    const relay = await relayOnly();
    const { id } = await relay.session();
    const { text } = await relay.get(`/checkout/${id}`);
    const entry = /<script type="module" src="([^"]+)"/.exec(text)?.[1] ?? '';
    const { body } = await relay.get('/embed.json');
    expect(JSON.stringify(body.scripts)).toContain(`${relay.url}${entry}`);
    const script = await relay.get(entry);
    expect(script.status).toBe(200);
    expect(script.text).not.toContain(account.signingSecret);
    expect((await relay.get('/form/..%2f..%2fpackage.json')).status).toBe(404);
  });
});
