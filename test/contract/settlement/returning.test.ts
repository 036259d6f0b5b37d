import { describe, expect, it } from 'vitest';
import { approvedAs, setUpSettlement, stores, storesOf } from '../../support/gateways/settlement.ts';
import { apiKey } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

describe.each(stores)('a shopper who was sent to the issuer, on %s', (kind) => {
  const newStore = storesOf(kind);

  async function away(more: Parameters<typeof setUpSettlement>[1] = {}) {
    const stack = await setUpSettlement(newStore, {
      decides: 'callers',
      resolve: { first_ms: 60_000, max_ms: 60_000 },
      ...more,
    });
    const { secret, id, orderNo } = await stack.session();
    const redirected = (await stack.byPix(secret)).body;
    expect(redirected).toMatchObject({ status: 'redirect' });
    const tell = (what: 'returned' | 'abandon') => stack.relay.post(`/checkout/api/${what}`, secret, {});
    const queries = () => stack.queriesOf(orderNo).length;
    return {
      ...{ ...stack, secret, id, orderNo, tell, queries },
      continueUrl: String(redirected.redirect_url),
      /** Advances the time until the gateway was queried once more. */
      async askedAfter(ms: number) {
        const before = queries();
        stack.relay.pass(ms);
        await until('the gateway is queried again', () => queries() > before);
      },
    };
  }

  it('is not shown as returned in a second tab', async () => {
    const { view, relay, byCard, gateway, secret, id, queries } = await away();
    const there = { payment_method: 'PIX', can_abandon: true, returned: false, continue_url: expect.any(String) };
    for (let looks = 0; looks < 3; looks++) {
      expect(await view(secret)).toMatchObject({ status: 'redirected', redirected: there });
      relay.pass(5000);
    }
    expect(queries()).toBe(0);
    expect(await byCard(secret)).toMatchObject({ status: 409, body: { code: 'attempt_in_flight' } });
    expect(gateway.authorised()).toHaveLength(1);
    const page = (await relay.get(`/checkout/${id}`)).text;
    expect(page).toContain('"redirected":{"payment_method":"PIX","can_abandon":true,"returned":false}');
  });

  it('sees a confirmation for return_ms, then that nothing was paid', async () => {
    const { tell, view, askedAfter, relay, shop, byCard, scripts, gateway, secret, id } = await away();
    expect((await tell('returned')).body).toMatchObject({ status: 'redirected', redirected: { returned: true } });
    for (const ms of [2000, 3000, 5000, 10_000, 20_000]) {
      await askedAfter(ms);
      expect(await view(secret), `after ${ms} more`).toMatchObject({ status: 'redirected' });
      expect(await byCard(secret)).toMatchObject({ status: 409, body: { code: 'attempt_in_flight' } });
    }
    await askedAfter(20_000);
    await expect.poll(() => view(secret)).toMatchObject({ status: 'open', notice: 'not_paid', last_method: 'PIX' });
    expect(await view(secret)).toMatchObject({ watched: { payment_method: 'PIX' } });
    expect(await relay.truth(id)).toMatchObject({ attempts: [{ status: 'not_paid', reason: 'abandoned' }] });
    await expect.poll(() => shop.types()).toEqual(['session.redirected']);
    expect(gateway.authorised()).toHaveLength(1);
    scripts.pay = approvedAs('T9');
    expect((await byCard(secret)).body).toMatchObject({ status: 'approved', transaction_id: 'T9' });
  });

  it('pays once if the record appears nine seconds after the return', async () => {
    const { tell, askedAfter, books, byCard, becomes, gateway, secret, id, orderNo } = await away();
    await tell('returned');
    await askedAfter(2000);
    await askedAfter(3000);
    expect(await byCard(secret)).toMatchObject({ status: 409, body: { code: 'attempt_in_flight' } });
    books.write(orderNo, 'T1', '3000');
    await askedAfter(5000);
    await becomes(id, { status: 'approved', transaction_id: 'T1' });
    expect(gateway.authorised()).toHaveLength(1);
  });

  it('waits as long as the profile says for the method', async () => {
    const { tell, askedAfter, view, secret } = await away({ profile: { return_ms: { PIX: 120_000 } } });
    await tell('returned');
    for (const ms of [2000, 3000, 5000, 10_000, 20_000, 40_000]) await askedAfter(ms);
    expect(await view(secret)).toMatchObject({ status: 'redirected', redirected: { returned: true } });
    await askedAfter(40_000);
    await expect.poll(() => view(secret)).toMatchObject({ status: 'open', notice: 'not_paid' });
  });

  it('is approved in an open form once the record exists', async () => {
    const { comeBack, books, view, secret, id, orderNo } = await away();
    expect(await comeBack(id)).toBe('open');
    books.write(orderNo, 'T1', '3000');
    await expect.poll(() => view(secret)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
  });

  it('continues the same payment and is redirected again', async () => {
    const { tell, askedAfter, relay, view, gateway, secret, continueUrl } = await away();
    const follow = async (url: unknown) => {
      const { status, headers } = await relay.get(String(url).slice(relay.url.length));
      return { status, to: headers.get('location') };
    };
    const first = await follow(continueUrl);
    expect(first).toMatchObject({ status: 303, to: 'http://127.0.0.1:9/' });
    const { redirected } = (await tell('returned')).body;
    expect(redirected).toMatchObject({ returned: true });
    await askedAfter(2000);
    expect(await follow(Object(redirected).continue_url)).toEqual(first);
    relay.pass(120_000);
    expect(await view(secret)).toMatchObject({ status: 'redirected', redirected: { returned: false } });
    expect(gateway.authorised()).toHaveLength(1);
  });

  it('did not pay: the form is open after one query', async () => {
    const { tell, queries, shop, relay, byCard, scripts, view, books, secret, id, orderNo } = await away();
    const open = { status: 'open', notice: 'not_paid', last_method: 'PIX', watched: { payment_method: 'PIX' } };
    expect(await tell('abandon')).toMatchObject({ status: 200, body: open });
    expect(queries()).toBe(1);
    expect(await tell('abandon'), 'repeated').toMatchObject({ status: 200, body: open });
    expect(await relay.truth(id)).toMatchObject({ attempts: [{ status: 'not_paid', reason: 'abandoned' }] });
    await expect.poll(() => shop.types()).toEqual(['session.redirected']);
    scripts.pay = approvedAs('T9');
    expect((await byCard(secret)).body).toMatchObject({ status: 'approved' });
    books.write(orderNo, 'T1', '3000');
    books.write(orderNo, 'T9', '3000');
    await relay.post(`/v1/orders/${orderNo}/reconcile`, apiKey, {});
    expect((await shop.one('session.paid_twice')).data).toMatchObject({ id });
    expect(await view(secret)).toMatchObject({ status: 'approved' });
  });

  it.each([
    ['3000', { status: 'approved', transaction_id: 'T1' }],
    ['4100', { status: 'open', notice: 'declined' }],
    ['2000', { status: 'open', notice: 'not_paid', watched: { payment_method: 'PIX' } }],
  ])('reports no payment, but a record of %s decides first', async (code, shown) => {
    const { tell, books, orderNo } = await away();
    books.write(orderNo, 'T1', code);
    expect(await tell('abandon')).toMatchObject({ status: 200, body: shown });
  });

  it('cannot abandon if the gateway gives no explanation or answer', async () => {
    const { tell, books, scripts, view, secret, orderNo } = await away();
    const answerQuery = scripts.query;
    scripts.query = (_received, res) => void res.writeHead(503).end();
    expect(await tell('abandon')).toMatchObject({ status: 503, body: { code: 'gateway_unreachable' } });
    expect(await view(secret)).toMatchObject({ status: 'redirected', redirected: { returned: true } });
    scripts.query = answerQuery;
    books.write(orderNo, 'T1', '77');
    expect(await tell('abandon')).toMatchObject({ status: 409, body: { code: 'cannot_abandon' } });
    expect(await view(secret)).toMatchObject({ status: 'unknown' });
  });

  it('did not pay in any session of the order', async () => {
    const { tell, relay, sessionOf, id, orderNo } = await away();
    const other = (await sessionOf(orderNo)).body;
    expect(other).toMatchObject({ code: 'order_in_progress', session_id: id });
    expect((await relay.post('/checkout/api/returned', `${id}.wrong`, {})).status).toBe(401);
    expect((await tell('abandon')).body).toMatchObject({ status: 'open' });
    expect((await sessionOf(orderNo)).status).toBe(201);
  });

  it('is sent back to the shop before the payment is known', async () => {
    const { relay, id } = await away();
    const { status, headers } = await relay.get(`/return/${id}`);
    expect(status).toBe(303);
    expect(headers.get('location')).toMatch(/^demoapp:\/\/paid\?.*status=redirected$/);
  });

  it('sees an open session’s form at once despite a slow gateway', async () => {
    const { comeBack, scripts, view, relay, id, secret } = await away();
    expect(await comeBack(id)).toBe('open');
    scripts.query = () => undefined;
    expect(await view(secret)).toMatchObject({ status: 'open', notice: 'not_paid' });
    expect(await relay.truth(id)).toMatchObject({ status: 'open' });
  });

  it('sees an unknown outcome if the gateway cannot be queried', async () => {
    const { tell, scripts, books, byCard, gateway, reconcile, relay, becomes, id, secret, orderNo } = await away();
    const answerQuery = scripts.query;
    scripts.query = (_received, res) => void res.writeHead(503).end();
    await tell('returned');
    relay.pass(59_000);
    expect(await relay.truth(id)).toMatchObject({ status: 'redirected' });
    relay.pass(180_000);
    await becomes(id, { status: 'unknown', unknown: { reason: 'query_failed' } });
    expect(await byCard(secret)).toMatchObject({ status: 409, body: { code: 'attempt_in_flight' } });
    expect(gateway.authorised()).toHaveLength(1);
    scripts.query = answerQuery;
    books.write(orderNo, 'T1', '3000');
    expect((await reconcile(orderNo)).body).toMatchObject({ status: 'paid' });
    expect(await relay.truth(id)).toMatchObject({ status: 'approved' });
  });
});
