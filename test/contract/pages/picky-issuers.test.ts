import { describe, expect, it } from 'vitest';
import { methods, pix } from '../../support/gateways/issuer.ts';
import { order } from '../../support/relays/relay.ts';
import { startStack } from '../../support/relays/stack.ts';

const browser = {
  'user-agent': 'Mozilla/5.0 (Linux; Android 16) Chrome/142.0.0.0 Mobile',
  'accept-language': 'pt-BR',
};

/** A shopper who pays at an issuer of the sandbox and is redirected there by the relay. */
async function sentToIssuer(manner: string, issuer: object = {}) {
  const { gateway, relay } = await startStack({ config: { issuer: { allow_private: true, ...issuer } } });
  const { id, secret } = await relay.session({ ...methods, order: { ...order(), order_no: `P-issuer:${manner}` } });
  const { redirect_url } = (await relay.pay(secret, pix)).body;
  const open = () => fetch(String(redirect_url), { redirect: 'manual', headers: browser });
  const sent = await open();
  return { gateway, relay, id, open, sent, location: sent.headers.get('location') ?? '' };
}

describe('a shopper redirected to a picky issuer', () => {
  it.each(['plain', 'browsers_only', 'cookie', 'busy', 'reset'])(
    'reaches the page of an issuer that is %s',
    async (manner) => {
      const { sent, location, open } = await sentToIssuer(manner);
      expect(sent.status).toBe(303);
      expect(location).toMatch(/\/issuer\/[0-9a-f]{32}$/);
      expect((await fetch(location)).status).toBe(200);
      expect((await open()).headers.get('location'), 'the result is kept').toBe(location);
    },
  );

  it.each([
    ['down', 503],
    ['first_401', 401],
    ['first_403', 403],
    ['first_404', 404],
    ['first_429', 429],
    ['first_500', 500],
  ])('reaches the address of an issuer that is %s, and pays', async (manner, http_status) => {
    const { relay, id, sent, location } = await sentToIssuer(manner);
    expect(sent.status).toBe(303);
    expect(location).toContain('/issuer/start/');
    expect(relay.logLines.join('\n')).toContain(`"reason":"bad_answer","http_status":${http_status}`);
    expect(await relay.truth(id)).toMatchObject({ status: 'redirected' });
    const page = await fetch(location, { headers: browser });
    expect(page.status).toBe(200);
    const choice = new URLSearchParams({ choice: 'approve' });
    await fetch(page.url, { method: 'POST', body: choice, redirect: 'manual' });
    await relay.get(`/return/${id}`);
    expect(await relay.truth(id)).toMatchObject({ status: 'approved' });
  });

  it('reaches the address of an issuer that never answers the relay', async () => {
    const { relay, id, sent, location } = await sentToIssuer('silent', { timeout_ms: 300 });
    expect(sent.status).toBe(303);
    expect((await fetch(location, { headers: browser })).status).toBe(200);
    expect(await relay.truth(id)).toMatchObject({ status: 'redirected' });
  });

  it('is sent to the bank’s app if its scheme is listed', async () => {
    const { relay, id, sent, location } = await sentToIssuer('app', { allow_schemes: ['sandbank'] });
    expect(sent.status).toBe(303);
    expect(location).toMatch(/^sandbank:\/\/pay\/[0-9a-f]{32}$/);
    expect(await relay.truth(id)).toMatchObject({ status: 'redirected' });
  });

  it('sees a page if the app’s scheme is not listed', async () => {
    const { relay, id, sent } = await sentToIssuer('app', { allow_schemes: ['otherbank'] });
    expect(sent.status).toBe(502);
    expect(await relay.truth(id)).toMatchObject({ status: 'unknown', unknown: { reason: 'issuer_unreachable' } });
  });

  it.each([
    ['last', 410],
    ['first', 200],
    ['none', 200],
  ])('with follow %s gets %i from a page that opens once', async (follow, status) => {
    const { location } = await sentToIssuer('once', { follow });
    expect((await fetch(location, { headers: browser })).status).toBe(status);
  });
});
