import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../relay/base/keys.ts';
import { approving, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { account, apiKey, card, shopOrigin, startTestRelay } from '../../support/relays/relay.ts';

async function relayOnly() {
  const gateway = await scriptedGateway(approving);
  return startTestRelay({ gatewayUrl: gateway.url });
}

/** The account of the test's relay, with these changes. */
const shopWith = (differs: object) => ({
  config: {
    accounts: [
      {
        id: 'demo',
        merchant_id: account.merchant_id,
        account_id: account.account_id,
        signing_secret: account.signingSecret,
        name: 'Folha',
        allowed_origins: ['https://folha.example', 'https://www.folha.example'],
        return_urls: ['https://folha.example/'],
        api_keys: [{ name: 'all', sha256: sha256(apiKey), scopes: ['*'] }],
        ...differs,
      },
    ],
  },
});

describe('an account’s appearance', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>alert(1)</script></svg>';
  const appearance = {
    theme: 'dark compact',
    variables: { '--turnpike-color-accent': '#0f5c4d', '--turnpike-color-text': '#fed' },
    logo: `data:image/svg+xml,${encodeURIComponent(svg)}`,
  };

  it('applies to its own pages, and not to a frame', async () => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url, ...shopWith({ appearance }) });
    const { id } = await relay.session();
    const own = [
      /data-theme="dark" class="compact"/,
      /#0f5c4d/,
      /#fed/,
      /<img src="\/logo\/logo-[0-9a-f]{16}\.svg" alt="Folha"/,
    ];
    const pages = [await relay.get(`/checkout/${id}`), await relay.get(`/return/${id}`)];
    for (const { text } of pages) for (const part of own) expect(text).toMatch(part);
    const framed = await relay.send(`/checkout/${id}`, { headers: { 'sec-fetch-dest': 'iframe' } });
    for (const part of own) expect(framed.text).not.toMatch(part);
    const light = await relay.get(`/checkout/${id}?theme=light`);
    expect(light.text).toMatch(/data-theme="light" class="compact"/);
  });

  it('has a logo that must be an image', async () => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url, ...shopWith({ appearance }) });
    const { id } = await relay.session();
    const [, path = ''] = /<img src="([^"]+)"/.exec((await relay.get(`/checkout/${id}`)).text) ?? [];
    const { status, headers, text } = await relay.get(path);
    expect([status, text]).toEqual([200, svg]);
    expect(headers.get('content-type')).toBe('image/svg+xml');
    expect(headers.get('cache-control')).toMatch(/immutable/);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.* sandbox$/);
    expect((await relay.get('/logo/logo-0123456789abcdef.svg')).status).toBe(404);
  });
});

describe('the hosted page', () => {
  it('summarises the order, escapes its text, and omits it in frames', async () => {
    const relay = await relayOnly();
    const name = '</script><img src=x onerror=alert(1)>';
    const order = { amount: '129.90', items: [{ name, code: 'X', price: '64.95', quantity: 2 }], shipping: '3.00' };
    const { id } = await relay.session({ order });
    const { text } = await relay.get(`/checkout/${id}?locale=en`);
    expect(text).toContain('<title>Pay Demo Shop</title>');
    expect(text).toContain('<bdi>&lt;/script>&lt;img src=x onerror=alert(1)></bdi><small>2 × R$64.95</small>');
    expect(text).toContain('<dt>Shipping</dt><dd>R$3.00</dd>');
    expect(text).not.toContain('<img src=x');
    const framed = await relay.send(`/checkout/${id}?locale=en`, { headers: { 'sec-fetch-dest': 'iframe' } });
    expect(framed.text).toContain('<title>Checkout</title>');
    expect(framed.text).not.toContain('onerror');
  });

  it('links back to the shop, which learns that nothing is paid', async () => {
    const relay = await relayOnly();
    const { id, orderNo } = await relay.session({ return_url: `${shopOrigin}/thanks` });
    expect((await relay.get(`/checkout/${id}`)).text).toContain(`<a href="/return/${id}"`);
    const back = await relay.get(`/return/${id}`);
    expect([back.status, back.headers.get('location')]).toEqual([
      303,
      `${shopOrigin}/thanks?session=${id}&order_no=${orderNo}&status=open`,
    ]);
    const { id: other } = await relay.session();
    expect((await relay.get(`/checkout/${other}`)).text).not.toContain('<a href');
  });
});

describe('a page with one message', () => {
  /** The target and the text of its button. */
  const button = ({ text }: { text: string }) => /<a href="([^"]*)">([^<]+)<\/a>/.exec(text)?.slice(1);

  it('links to the shop whose link is broken', async () => {
    const gateway = await scriptedGateway(approving);
    const one = await startTestRelay({ gatewayUrl: gateway.url, ...shopWith({}) });
    expect(button(await one.get('/checkout/cs_nothing'))).toEqual(['https://folha.example', 'Back to Folha']);
    const several = await startTestRelay({ gatewayUrl: gateway.url });
    expect(button(await several.get('/checkout/cs_nothing'))).toEqual(['?', 'Try again']);
    const headers = { referer: `${shopOrigin}/basket` };
    expect(button(await several.send('/return/cs_nothing', { headers }))).toEqual([shopOrigin, 'Back to Demo Shop']);
  });

  it('links to the shop once the payment can have no outcome', async () => {
    const relay = await relayOnly();
    const { id, secret } = await relay.session();
    expect(button(await relay.get(`/return/${id}`))).toEqual([shopOrigin, 'Back to Demo Shop']);
    await relay.pay(secret, card);
    expect(button(await relay.get(`/return/${id}`))).toEqual([shopOrigin, 'Back to Demo Shop']);
  });

  it.each([
    [{}, /<h1[^>]*>Payment approved<[\s\S]*Your payment of .*129\.90 went through/],
    [{ amount: '0.00', token_flag: '1' }, /<h1[^>]*>Your card is saved<[\s\S]*Nothing has been charged/],
    [{ amount: '0.00', subscription: { contract_amount: '10.00' } }, /<h1[^>]*>Your free trial has started</],
  ])('shows the approved payment: %j', async (order, text) => {
    const relay = await relayOnly();
    const { id, secret } = await relay.session({ order });
    await relay.pay(secret, card);
    expect((await relay.get(`/return/${id}`)).text).toMatch(text);
  });

  it('polls while the payment can still be decided', async () => {
    const gateway = await scriptedGateway((_, res) => void res.writeHead(502).end());
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const { id, secret } = await relay.session();
    await relay.pay(secret, card);
    expect(button(await relay.get(`/return/${id}`))).toEqual([`/return/${id}`, 'Check again']);
  });
});
