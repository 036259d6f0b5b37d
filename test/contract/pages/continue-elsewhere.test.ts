import { describe, expect, it, onTestFinished } from 'vitest';
import { qrCode } from '../../../relay/base/qr-code.ts';
import { redirection } from '../../support/gateways/issuer.ts';
import { sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import { patient, type Settlement, setUpSettlement, stores, storesOf } from '../../support/gateways/settlement.ts';
import { serve } from '../../support/http/http-server.ts';

const MINUTE = 60_000;

describe.each(stores)('continuing a payment elsewhere, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** A shopper who was sent to pay by Pix, at an issuer whose first page redirects to a second one. */
  async function atTheIssuer(config: Record<string, unknown> = {}) {
    const visits: string[] = [];
    const issuer = await serve((req, res) => {
      visits.push(req.url ?? '');
      if (req.url === '/start') res.writeHead(302, { location: '/page' }).end();
      else res.end('<h1>Bank</h1>');
    });
    onTestFinished(issuer.close);
    const stack = await setUpSettlement(newStore, { resolve: patient, decides: 'callers', config });
    stack.scripts.pay = (received, res) => sendXml(res, signedXml(redirection(received, `${issuer.url}/start`)));
    const session = await stack.session();
    const other = await stack.session({ order: { order_no: session.orderNo } });
    const { redirect_url } = (await stack.byPix(session.secret)).body;
    return { ...stack, ...session, other, visits, page: `${issuer.url}/page`, redirect: String(redirect_url) };
  }

  /** The same, once a record shows that the payment is pending. */
  async function pending(visited = true, config = {}) {
    const stack = await atTheIssuer(config);
    if (visited) await open(stack, stack.redirect);
    stack.books.write(stack.orderNo, 'T1', '2000');
    await stack.reconcile(stack.orderNo);
    expect(await stack.relay.truth(stack.id)).toMatchObject({ status: 'pending' });
    return stack;
  }

  const open = ({ relay }: Pick<Settlement, 'relay'>, url: string) => relay.get(url.slice(relay.url.length));

  /** The address at which the session's form continues the payment. */
  async function continueUrl({ view }: Settlement, secret: string): Promise<string> {
    const { pending, redirected } = await view(secret);
    return Object(pending ?? redirected).continue_url;
  }

  it.each([true, false])('leads to the issuer while it is pending (visited before: %s)', async (visited) => {
    const stack = await pending(visited);
    const { relay, id, secret, orderNo, page, visits } = stack;
    const before = await relay.context.store.orders.get('demo', orderNo);
    const url = await continueUrl(stack, secret);
    expect(url).toContain(`${relay.url}/checkout/${id}/issuer?ticket=`);
    for (let time = 0; time < 2; time++) expect((await open(stack, url)).headers.get('location')).toBe(page);
    expect(visits).toEqual(['/start', '/page']);
    const { status, pending: search } = await relay.truth(id);
    expect({ status, search }).toMatchObject({ status: 'pending', search: { queries: 1 } });
    const after = await relay.context.store.orders.get('demo', orderNo);
    expect(after.attempts).toMatchObject([{ state: { status: 'pending', page_url: page } }]);
    expect(after.next_query_at).toBe(before.next_query_at);
  });

  it('needs the secret to get the address, which no page reveals', async () => {
    const { relay, id } = await pending();
    const { text } = await relay.get(`/checkout/${id}`);
    expect(text).toContain('"pending":{"payment_method":"PIX","can_abandon":true}');
    expect(text).not.toContain('ticket=');
  });

  it('keeps one address for five minutes, valid for ten', async () => {
    const stack = await pending();
    const { relay, secret, page } = stack;
    // Moves to the beginning of a five-minute interval.
    relay.pass(5 * MINUTE - (relay.context.now().getTime() % (5 * MINUTE)));
    const first = await continueUrl(stack, secret);
    relay.pass(5 * MINUTE - 1000);
    expect(await continueUrl(stack, secret)).toBe(first);
    relay.pass(1000);
    expect(await continueUrl(stack, secret)).not.toBe(first);
    relay.pass(10 * MINUTE - 1000);
    expect((await open(stack, first)).headers.get('location')).toBe(page);
  });

  it.each(['redirected', 'pending'])('offers a QR code of its address for a phone (%s)', async (status) => {
    const stack = await (status === 'pending' ? pending() : atTheIssuer());
    const { relay, secret } = stack;
    const url = await continueUrl(stack, secret);
    const code = await open(stack, url.replace('/issuer?', '/issuer.svg?'));
    expect(code).toMatchObject({ status: 200, text: qrCode(url) });
    expect(code.headers.get('content-type')).toContain('image/svg+xml');
    expect(code.headers.get('cache-control')).toBe('private, no-store');
    expect(code.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    for (const wrong of ['', '?ticket=', `${new URL(url).search}x`]) {
      expect(await relay.get(`/checkout/${stack.id}/issuer.svg${wrong}`), wrong).toMatchObject({ status: 404 });
    }
    expect((await relay.get(`/checkout/cs_none/issuer.svg${new URL(url).search}`)).status).toBe(404);
    relay.pass(16 * MINUTE);
    expect((await open(stack, url.replace('/issuer?', '/issuer.svg?'))).status).toBe(404);
    await relay.post('/checkout/api/abandon', secret, {});
    const old = new URL(url).search;
    expect((await relay.get(`/checkout/${stack.id}/issuer.svg${old}`)).status).toBe(404);
  });

  it.each(['redirected', 'pending'])('explains what to do once its link has expired (%s)', async (status) => {
    const stack = await (status === 'pending' ? pending() : atTheIssuer());
    const { relay, id, secret } = stack;
    const url = await continueUrl(stack, secret);
    relay.pass(16 * MINUTE);
    const answer = await open(stack, url);
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('This link has expired');
    expect(answer.text).toContain('Go back to the checkout and continue from there.');
    // Not by the return address: the shopper has not returned from the issuer.
    expect(answer.text).not.toContain('/return/');
    expect(await relay.truth(id)).toMatchObject({ status });
  });

  it('stays pending if the issuer’s page cannot be found', async () => {
    const stack = await pending(false, { issuer: { allow_private: false } });
    const { relay, visits, id, secret } = stack;
    for (let time = 0; time < 2; time++) expect((await open(stack, await continueUrl(stack, secret))).status).toBe(502);
    expect(visits).toEqual([]);
    expect(await relay.truth(id)).toMatchObject({ status: 'pending' });
  });

  it('requires the payment’s own session', async () => {
    const { byCard, view, other } = await pending();
    expect(await byCard(other.secret)).toMatchObject({ status: 409 });
    const { status, pending: shown } = await view(other.secret);
    expect({ status, shown }).toEqual({ status: 'pending', shown: { payment_method: 'PIX', can_abandon: true } });
  });

  it('shows a page once the shopper has abandoned the payment', async () => {
    const stack = await pending();
    const { relay, id, secret } = stack;
    const url = await continueUrl(stack, secret);
    expect((await relay.post('/checkout/api/abandon', secret, {})).body).toMatchObject({ status: 'open' });
    expect(await continueUrl(stack, secret)).toBeUndefined();
    expect((await open(stack, url)).headers.get('location')).toBe(`/return/${id}`);
  });

  it('shows a page once the order is paid', async () => {
    const stack = await pending();
    const { books, reconcile, id, secret, orderNo } = stack;
    const url = await continueUrl(stack, secret);
    books.write(orderNo, 'T1', '3000');
    await reconcile(orderNo);
    expect(await continueUrl(stack, secret)).toBeUndefined();
    expect((await open(stack, url)).headers.get('location')).toBe(`/return/${id}`);
  });
});
