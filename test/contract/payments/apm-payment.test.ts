import { describe, expect, it } from 'vitest';
import { methods, pix, redirection, setUpIssuer } from '../../support/gateways/issuer.ts';
import { scriptedGateway, sendRecords, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, card, order, shopOrigin, startTestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

describe('an APM payment', () => {
  it('redirects the shopper to the issuer’s last page, requesting issuer_url once', async () => {
    const { issuer, visits, relay } = await setUpIssuer();
    const { secret, id } = await relay.session(methods);
    const { redirect_url } = (await relay.pay(secret, pix)).body;
    expect(redirect_url).toContain(`${relay.url}/checkout/${id}/issuer?ticket=`);
    expect(await relay.truth(id)).toMatchObject({ status: 'redirected' });

    const path = String(redirect_url).slice(relay.url.length);
    const [one, two] = await Promise.all([relay.get(path), relay.get(path)]);
    const later = await relay.get(path);
    for (const answer of [one, two, later]) {
      expect(answer.status).toBe(303);
      expect(answer.headers.get('location')).toBe(`${issuer.url}/page?p=1`);
    }
    expect(visits).toEqual(['/start', '/page?p=1']);
  });

  it('opens the issuer’s page only with a valid, current ticket', async () => {
    let clock = new Date();
    const { visits, gateway } = await setUpIssuer();
    const relay = await startTestRelay({ gatewayUrl: gateway.url, now: () => clock });
    const { secret, id } = await relay.session(methods);
    const redirectUrl = String((await relay.pay(secret, pix)).body.redirect_url);
    const ticket = new URL(redirectUrl).searchParams.get('ticket') ?? '';
    for (const wrong of [
      '',
      '?ticket=',
      '?ticket=x',
      `?ticket=9${ticket}`,
      `?ticket=${ticket}x`,
      `?ticket=${ticket}&ticket=x`,
    ]) {
      expect((await relay.get(`/checkout/${id}/issuer${wrong}`)).status, wrong).toBe(403);
    }
    clock = new Date(clock.getTime() + 16 * 60_000);
    expect((await relay.get(redirectUrl.slice(relay.url.length))).status).toBe(403);
    expect(visits).toEqual([]);
  });

  it('is approved on return only by the gateway’s record', async () => {
    const { books, relay } = await setUpIssuer();
    const { secret, id, orderNo } = await relay.session({ ...methods, return_url: `${shopOrigin}/thanks?x=1` });
    await relay.pay(secret, pix);
    books.status = '3000';
    const back = await relay.send(`/return/${id}?status=approved`, { method: 'POST' });
    expect(back.status).toBe(303);
    expect(back.headers.get('location')).toBe(
      `${shopOrigin}/thanks?x=1&session=${id}&order_no=${orderNo}&status=approved`,
    );
    expect(await relay.truth(id)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
  });

  it('that the issuer declined is open on return', async () => {
    const { books, gateway, relay } = await setUpIssuer();
    const { secret, id } = await relay.session({ ...methods, return_url: 'demoapp://paid' });
    await relay.pay(secret, pix);
    books.status = '4100';
    const back = await relay.get(`/return/${id}`);
    expect(back.headers.get('location')).toMatch(/^demoapp:\/\/paid\?session=cs_.*&status=open$/);
    const { body } = await relay.get('/checkout/api/session', secret);
    expect(body).toMatchObject({ status: 'open', notice: 'declined', attempts_left: 4 });
    expect((await relay.pay(secret, pix)).body.status).toBe('redirect');
    expect(gateway.authorised()).toHaveLength(2);
  });

  it('without a record is open return_ms and three queries after return', async () => {
    const { gateway, relay } = await setUpIssuer({ config: { resolve: { return_ms: 5000 } } });
    const { secret, id } = await relay.session({ ...methods, return_url: 'demoapp://paid' });
    await relay.pay(secret, pix);
    const [asked, start] = [gateway.queried().length, Date.now()];
    const back = relay.get(`/return/${id}`);
    await until('the gateway was queried', () => gateway.queried().length > asked);
    const { body: meanwhile } = await relay.get('/checkout/api/session', secret);
    expect(meanwhile).toMatchObject({ status: 'redirected', redirected: { returned: true } });
    expect(await relay.pay(secret, card)).toMatchObject({ status: 409, body: { code: 'attempt_in_flight' } });
    expect((await back).headers.get('location')).toMatch(/^demoapp:\/\/paid\?session=cs_.*&status=open$/);
    expect(Date.now() - start).toBeGreaterThanOrEqual(5000);
    expect(gateway.queried().length - asked).toBe(3);
    const { body } = await relay.get('/checkout/api/session', secret);
    expect(body).toMatchObject({ status: 'open', notice: 'not_paid', attempts_left: 4 });
    relay.pass(2000);
    expect((await relay.pay(secret, pix)).body.status).toBe('redirect');
    expect(gateway.authorised()).toHaveLength(2);
  });

  it('is queried when the shopper reports in the form having paid', async () => {
    const { books, relay } = await setUpIssuer();
    const { secret } = await relay.session(methods);
    await relay.pay(secret, pix);
    books.status = '3000';
    expect((await relay.get('/checkout/api/session', secret)).body).toMatchObject({ status: 'redirected' });
    expect((await relay.post('/checkout/api/returned', secret, {})).body).toMatchObject({ status: 'approved' });
    expect(await relay.pay(secret, card)).toMatchObject({ status: 409, body: { code: 'session_final' } });
  });

  it('holds its order while the shopper is at the issuer', async () => {
    const { relay } = await setUpIssuer();
    const waiting = await relay.session(methods);
    const { secret, id, orderNo } = await relay.session({ order: { order_no: waiting.orderNo }, ...methods });
    await relay.pay(secret, pix);
    expect(await relay.pay(secret, card)).toMatchObject({ status: 409, body: { code: 'attempt_in_flight' } });
    const other = await relay.pay(waiting.secret, card);
    expect(other).toMatchObject({ status: 409, body: { code: 'order_in_progress' } });
    expect(other.body).not.toHaveProperty('session_id');
    const again = await relay.post('/v1/sessions', apiKey, { order: { ...order(), order_no: orderNo } });
    expect(again).toMatchObject({ status: 409, body: { code: 'order_in_progress', session_id: id } });
  });

  it('is unknown while the code book lacks the gateway’s code', async () => {
    const { books, relay } = await setUpIssuer();
    const { secret, id } = await relay.session({ ...methods, return_url: 'demoapp://paid' });
    await relay.pay(secret, pix);
    books.status = '1234';
    expect((await relay.get(`/return/${id}`)).headers.get('location')).toMatch(/status=unknown$/);
    books.status = '3000';
    expect(await relay.settled(id, 'unknown')).toMatchObject({ status: 'approved' });
  });

  it('accepts an unsigned answer, but none with a wrong signature', async () => {
    const unsigned = await setUpIssuer({ signed: false });
    const { secret } = await unsigned.relay.session(methods);
    expect((await unsigned.relay.pay(secret, pix)).body.status).toBe('redirect');

    const gateway = await scriptedGateway((received, res) => {
      if (received.path !== '/v1/authorise') return sendRecords(res, []);
      sendXml(res, signedXml(redirection(received, 'http://127.0.0.1:9/'), 'another secret'));
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const { secret: other, id } = await relay.session(methods);
    expect((await relay.pay(other, pix)).body).toEqual({ status: 'unknown' });
    expect(await relay.truth(id)).toMatchObject({ unknown: { reason: 'signature_wrong' } });
  });

  it('is unknown when its issuer_url may not be requested', async () => {
    const { visits, relay } = await setUpIssuer({ config: { issuer: { allow_private: false } } });
    const { secret, id } = await relay.session(methods);
    const url = String((await relay.pay(secret, pix)).body.redirect_url);
    const page = await relay.get(url.slice(relay.url.length));
    expect(page.status).toBe(502);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(visits).toEqual([]);
    expect(await relay.truth(id)).toMatchObject({ status: 'unknown', unknown: { reason: 'issuer_unreachable' } });
  });

  it('shows the relay’s own page if the shop has no return_url', async () => {
    const { books, relay } = await setUpIssuer();
    const { secret, id } = await relay.session(methods);
    await relay.pay(secret, pix);
    books.status = '3000';
    const page = await relay.get(`/return/${id}`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect((await relay.get('/return/cs_nothing')).status).toBe(404);
  });

  it('is queried when the gateway notifies, whatever the notification contains', async () => {
    const { books, gateway, relay } = await setUpIssuer();
    const { secret, id } = await relay.session(methods);
    await relay.pay(secret, pix);
    const path = new URL(String(gateway.authorised()[0]?.message.notify_url)).pathname;
    const forged = await relay.send(`${path.slice(0, -1)}x`, { method: 'POST', body: 'payment_status=3000' });
    expect(forged.status).toBe(404);
    const early = await relay.send(path, { method: 'POST', body: '<payment_status>3000</payment_status>' });
    expect(early).toMatchObject({ status: 200, text: 'OK' });
    await until('the gateway was queried', () => gateway.queried().length > 0);
    expect(await relay.truth(id)).toMatchObject({ status: 'redirected' });
    books.status = '3000';
    await relay.send(path, { method: 'POST', body: 'anything' });
    expect(await relay.settled(id, 'redirected')).toMatchObject({ status: 'approved', transaction_id: 'T1' });
  });
});
