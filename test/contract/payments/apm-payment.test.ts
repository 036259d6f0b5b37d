import { describe, expect, it } from 'vitest';
import { apmPaymentRequest } from '../../../shared/gateway/apm-payment.ts';
import { sign } from '../../../shared/gateway/signature.ts';
import { methods, pix, redirection, setUpIssuer } from '../../support/gateways/issuer.ts';
import { scriptedGateway, sendRecords, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import { account, apiKey, card, order, shopOrigin, startTestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const person = {
  document_number: '12345678909',
  document_type: 'CPF',
  social_name: 'Ada',
  email: 'ada@example.com',
  phone_country_code: '55',
  phone_area_code: '11',
  phone_number: '912345678',
  birth_date: '1985-12-10',
  net_monthly_average_income: '1000',
  address_street: 'Rua Um',
  address_number: '1',
  address_complement: 'A',
  address_postal_code: '01000-000',
  address_city: 'São Paulo',
  address_state: 'SP',
  address_country: 'BR',
  fiscal_country: 'BR',
  documents: {
    file_type: 'image/png',
    file_data: 'AAAA',
    file_url: 'https://files.example/1',
    labels: {
      person_bank_account_id: 'b1',
      bank_account: {
        account_type: 'checking',
        account_number: '1',
        branch_number: '2',
        owner_document_number: '11222333000181',
        owner_name: 'Ada',
        branch_country: 'BR',
        currency: 'BRL',
        bank: { code: '001', name: 'Banco' },
      },
    },
  },
};
describe('an APM payment', () => {
  it('sends exactly the fields of §2.3, rightly signed', async () => {
    const { gateway, relay } = await setUpIssuer();
    const asked = {
      ...order(),
      item_total: '129.90',
      service: 'S',
      items: [{ name: 'Tea', code: 'T-1', price: '64.95', quantity: 2 }],
      shopper_email: 'ada@example.com',
      delivery_district_name: 'Centro',
      delivery_street_name: 'Rua Um',
      installments: '3',
      open3d: 'Y',
      subscription: { contract: '1' },
    };
    const { secret, id } = await relay.session({ order: asked, ...methods });
    const extra = { bank_code: '001', person, first_name: 'Ada', last_name: 'Byron' };
    const answer = await relay.pay(secret, { ...pix, ...extra });
    expect(answer.body.status).toBe('redirect');

    const [received] = gateway.authorised();
    const { installments: _i, open3d: _o, subscription: _s, ...ofTheTable } = asked;
    expect(apmPaymentRequest.parse(received?.message)).toEqual({
      ...ofTheTable,
      ...extra,
      payment_method: 'PIX',
      os: 'unknown',
      browser: 'unknown',
      browser_lang: 'pt-BR',
      color_depth: '24',
      items: 'Tea#,#T-1#,#64.95#,#2',
      merchant_id: account.merchant_id,
      account_id: account.account_id,
      device_type: expect.any(String),
      cookie_old: '',
      cookie_new: expect.stringMatching(/^dv_/),
      shopper_ip: '127.0.0.1',
      return_url: `${relay.url}/return/${id}`,
      notify_url: expect.stringMatching(`^${relay.url}/notify/payment/${id}/`),
      encryption_data: sign(received?.message ?? {}, account.signingSecret),
    });
  });

  it('takes the shopper to the issuer’s last page, asking issuer_url once', async () => {
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

  it('opens nothing without the right ticket, in time', async () => {
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

  it('is approved at the return by the gateway’s record alone', async () => {
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

  it('that the issuer declined is open at the return', async () => {
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

  it('without a record is open five seconds and three queries after return', async () => {
    const { gateway, relay } = await setUpIssuer({ config: { resolve: {} } });
    const { secret, id } = await relay.session({ ...methods, return_url: 'demoapp://paid' });
    await relay.pay(secret, pix);
    const [asked, start] = [gateway.queried().length, Date.now()];
    const back = relay.get(`/return/${id}`);
    await until('the gateway was asked', () => gateway.queried().length > asked);
    const { body: meanwhile } = await relay.get('/checkout/api/session', secret);
    expect(meanwhile).toMatchObject({ status: 'redirected', confirming: true });
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

  it('is asked about when the form is opened again', async () => {
    const { books, relay } = await setUpIssuer();
    const { secret } = await relay.session(methods);
    await relay.pay(secret, pix);
    books.status = '3000';
    expect((await relay.get('/checkout/api/session', secret)).body).toMatchObject({ status: 'approved' });
    expect(await relay.pay(secret, card)).toMatchObject({ status: 409, body: { code: 'session_final' } });
  });

  it('holds its order while the shopper is away', async () => {
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

  it('is unknown while the gateway’s code is not in the book', async () => {
    const { books, relay } = await setUpIssuer();
    const { secret, id } = await relay.session({ ...methods, return_url: 'demoapp://paid' });
    await relay.pay(secret, pix);
    books.status = '1234';
    expect((await relay.get(`/return/${id}`)).headers.get('location')).toMatch(/status=unknown$/);
    books.status = '3000';
    expect(await relay.settled(id, 'unknown')).toMatchObject({ status: 'approved' });
  });

  it('takes an unsigned answer, but not one that is wrongly signed', async () => {
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

  it('is unknown when its issuer_url may not be called', async () => {
    const { visits, relay } = await setUpIssuer({ config: { issuer: { allow_private: false } } });
    const { secret, id } = await relay.session(methods);
    const url = String((await relay.pay(secret, pix)).body.redirect_url);
    const page = await relay.get(url.slice(relay.url.length));
    expect(page.status).toBe(502);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(visits).toEqual([]);
    expect(await relay.truth(id)).toMatchObject({ status: 'unknown', unknown: { reason: 'issuer_unreachable' } });
  });

  it('shows the relay’s own page where the shop gave no return_url', async () => {
    const { books, relay } = await setUpIssuer();
    const { secret, id } = await relay.session(methods);
    await relay.pay(secret, pix);
    books.status = '3000';
    const page = await relay.get(`/return/${id}`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect((await relay.get('/return/cs_nothing')).status).toBe(404);
  });

  it('is asked about when the gateway notifies, whatever the notification says', async () => {
    const { books, gateway, relay } = await setUpIssuer();
    const { secret, id } = await relay.session(methods);
    await relay.pay(secret, pix);
    const path = new URL(String(gateway.authorised()[0]?.message.notify_url)).pathname;
    const forged = await relay.send(`${path.slice(0, -1)}x`, { method: 'POST', body: 'payment_status=3000' });
    expect(forged.status).toBe(404);
    const early = await relay.send(path, { method: 'POST', body: '<payment_status>3000</payment_status>' });
    expect(early).toMatchObject({ status: 200, text: 'OK' });
    await until('the gateway was asked', () => gateway.queried().length > 0);
    expect(await relay.truth(id)).toMatchObject({ status: 'redirected' });
    books.status = '3000';
    await relay.send(path, { method: 'POST', body: 'anything' });
    expect(await relay.settled(id, 'redirected')).toMatchObject({ status: 'approved', transaction_id: 'T1' });
  });

  it('keeps what the shop said inside the person’s documents too', async () => {
    const { gateway, relay } = await setUpIssuer();
    const labels = { person_bank_account_id: 'b1', bank_account: { account_number: '1' } };
    const asking = { type: 'apm', payment_method: 'PIX', label: 'Pix', fields: ['person.documents.file_data'] };
    const { secret } = await relay.session({ order: { person: { documents: { labels } } }, payment_methods: [asking] });
    const typed = { file_data: 'AAAA', labels: { bank_account: { account_number: '2', branch_number: '3' } } };
    await relay.pay(secret, { ...pix, person: { documents: typed } });
    expect(gateway.authorised()[0]?.message.person).toEqual({
      documents: {
        file_data: 'AAAA',
        labels: { person_bank_account_id: 'b1', bank_account: { account_number: '1', branch_number: '3' } },
      },
    });
  });

  it('keeps the shop’s person, except for what the shopper is asked', async () => {
    const { gateway, relay } = await setUpIssuer();
    const known = { document_number: '1', email: 'shop@example.com' };
    const asking = { type: 'apm', payment_method: 'PIX', label: 'Pix', fields: ['person.email'] };
    const { secret } = await relay.session({ order: { person: known }, payment_methods: [asking] });
    const typed = { document_number: '52998224725', email: 'shopper@example.com', phone_number: '961234567' };
    await relay.pay(secret, { ...pix, person: typed });
    expect(gateway.authorised()[0]?.message.person).toEqual({
      document_number: '1',
      email: 'shopper@example.com',
      phone_number: '961234567',
    });
  });

  it('takes a bank only from those that the session offers', async () => {
    const { gateway, relay } = await setUpIssuer();
    const method = { type: 'apm', payment_method: 'PIX', label: 'Pix', banks: [{ code: '001', name: 'Banco' }] };
    const { secret } = await relay.session({ payment_methods: [method] });
    expect(await relay.pay(secret, { ...pix, bank_code: '666' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'bank_code' }] },
    });
    expect((await relay.pay(secret, { ...pix, bank_code: '001' })).body.status).toBe('redirect');
    expect(gateway.authorised()).toHaveLength(1);
  });

  it('refuses to ask the shopper for a field that no message has', async () => {
    const { relay } = await setUpIssuer();
    const asking = (field: string) => ({
      order: order(),
      payment_methods: [{ type: 'apm', payment_method: 'PIX', label: 'Pix', fields: [field] }],
    });
    for (const field of [
      'document',
      'billing_city',
      'person.email',
      'person.documents.labels.bank_account.bank.code',
    ]) {
      expect((await relay.post('/v1/sessions', apiKey, asking(field))).status, field).toBe(201);
    }
    for (const field of [
      'person.documnt',
      'person',
      'amount',
      'card',
      'person.email.x',
      '__proto__',
      'person.constructor',
    ]) {
      expect((await relay.post('/v1/sessions', apiKey, asking(field))).status, field).toBe(400);
    }
  });
});
