import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { directPaymentRequest } from '../../../shared/gateway/direct-payment.ts';
import { sign } from '../../../shared/gateway/signature.ts';
import { approving, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { account, card, order, startTestRelay } from '../../support/relays/relay.ts';

const userAgent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

const device = {
  browser_lang: 'pt-BR',
  time_zone: 'America/Sao_Paulo',
  resolution: '1920x1080',
  color_depth: '24',
  device_fingerprint: 'f1',
  antifraud_token_cookie: 'token',
  challenge_window_size: '05',
};

/** Every field of an order for a direct payment, as a shop sends it. */
const fullOrder = {
  item_total: '129.90',
  shipping: '1.5',
  handling: '2.00',
  tax_total: '3.00',
  insurance: '4.00',
  shipping_discount: '5.00',
  discount: '6.00',
  service: 'S',
  items: [{ name: 'Tea', code: 'T-1', price: '64.95', quantity: 2 }],
  note: 'line one\nline two',
  custom: 'c',
  price_id: 'p',
  quote_id: 'q',
  quote_price: '1.00',
  storefront_domains: 'shop.example',
  installments: '3',
  installments_id: 'i3',
  platform_source: 'web',
  order_type: 'o',
  shopper_id: 's1',
  shopper_email: 'ada@example.com',
  shopper_phone: '+55 11 91234-5678',
  shopper_level: 'gold',
  document: '123.456.789-09',
  birth_date: '10-12-1985',
  open3d: 'Y',
  token_flag: 'N',
  session_id: 'shop-session',
  billing_country: 'BR',
  billing_state: 'SP',
  billing_city: 'São Paulo',
  billing_address: 'Rua Um 1',
  billing_postal_code: '01000-000',
  delivery_firstname: 'Ada',
  delivery_lastname: 'Byron',
  delivery_country: 'BR',
  delivery_state: 'SP',
  delivery_city: 'São Paulo',
  delivery_address: 'Rua Dois 2',
  delivery_postal_code: '02000-000',
  cart_items: [
    {
      basic_item_data: {
        name: 'Tea',
        quantity: '2',
        type: 'physical',
        price: { amount_usd: 12.5, amount_local_currency: 64.95, currency: 'BRL' },
        category: 'food',
        productId: 'p1',
      },
    },
  ],
  account_owner: [
    {
      first_name: 'Ada',
      last_name: 'Byron',
      email: 'ada@example.com',
      account_id: 'a1',
      created: 1_600_000_000,
      past_orders_count: 3,
      past_orders_sum: 99.5,
      lastLogin_ip: '203.0.113.1',
      registration_ip: '203.0.113.2',
    },
  ],
  total_discount: [{ coupon_code_used: 'TEA', discount_type: 'fixed' }],
  additional_information: [{ mpi_info: { eci: '05', cavv: 'c', xid: 'x', dsTransID: 'd' } }],
  subscription: {
    contract: '1',
    contract_name: 'Club',
    contract_amount: '10.00',
    interval: 'month',
    interval_count: '1',
    billing_cycle: 12,
    promotion_cycle: 1,
    contract_start: '2026-12-01',
    contract_end: '2027-12-01',
    price_id: 'p',
  },
};

describe('a card payment', () => {
  it('prefers the order’s challenge window and anti-fraud token to the browser’s', async () => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const own = { challenge_window_size: '02', antifraud_token_cookie: 'of the shop' };
    const given = await relay.session({ order: own });
    const left = await relay.session();
    for (const { secret } of [given, left]) await relay.pay(secret, { ...card, device });
    const [first, second] = gateway.authorised().map(({ message }) => message);
    expect(first).toMatchObject(own);
    expect(second).toMatchObject({ challenge_window_size: '05', antifraud_token_cookie: 'token' });
  });

  it('sends the Accept header of the page, else of the payment', async () => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const accepts = { accept: '*/*' };
    const asked = 'text/html,*/*;q=0.8';
    const [withAccept, withoutAccept] = [await relay.session(), await relay.session()];
    await relay.post(
      '/checkout/api/pay',
      withAccept.secret,
      { ...card, device: { ...device, accept: asked } },
      accepts,
    );
    await relay.post('/checkout/api/pay', withoutAccept.secret, { ...card, device }, accepts);
    expect(gateway.authorised().map(({ message }) => message.accept)).toEqual([asked, '*/*']);
  });

  it('sends exactly the fields of §2.1, in their types, correctly signed', async () => {
    const started = Math.floor(Date.now() / 1000);
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const asked = {
      ...order(),
      ...fullOrder,
      person: { email: 'x@example.com' },
      bank_code: '1',
      delivery_street_name: 'Rua',
    };
    const { secret, id, orderNo } = await relay.session({ order: asked });
    const answer = await relay.post(
      '/checkout/api/pay',
      secret,
      { ...card, expiration_month: '3', expiration_year: '30', device },
      { 'user-agent': userAgent, accept: 'application/json', cookie: 'theme=dark' },
    );
    expect(answer.body).toEqual({
      status: 'approved',
      order_no: orderNo,
      transaction_id: '00012345678901234567',
      card: '411111******1111',
      result: { code: '0000', message: 'Success' },
    });

    const [received, ...more] = gateway.authorised();
    expect(more).toEqual([]);
    expect(received?.contentType).toBe('application/json');
    const message = directPaymentRequest.parse(received?.message);
    const { person: _p, bank_code: _b, delivery_street_name: _s, items: _i, ...sameInTheMessage } = asked;
    expect(message).toEqual({
      ...sameInTheMessage,
      shipping: '1.50',
      handling: '2.00',
      ...card,
      expiration_month: '03',
      expiration_year: '2030',
      ...device,
      merchant_id: account.merchant_id,
      account_id: account.account_id,
      items: 'Tea#,#T-1#,#64.95#,#2',
      os: 'Windows 10',
      browser: 'Chrome 131.0.0.0',
      device_type: 'desktop',
      cookie_old: '',
      cookie_new: expect.stringMatching(/^dv_[\w-]{32}$/),
      user_agent: userAgent,
      accept: 'application/json',
      shopper_ip: '127.0.0.1',
      checkout_time: expect.any(Number),
      notify_url: expect.stringMatching(`^${relay.url}/notify/payment/${id}/[\\w-]{43}$`),
      encryption_data: sign(z.record(z.string(), z.unknown()).parse(received?.message), account.signingSecret),
    });
    expect(Number(message.checkout_time)).toBeGreaterThanOrEqual(started);
    expect(Number(message.checkout_time)).toBeLessThanOrEqual(Date.now() / 1000);
    expect(await relay.truth(id)).toMatchObject({
      status: 'approved',
      transaction_id: '00012345678901234567',
      card: '411111******1111',
    });
  });

  it('renames the service field as the profile says', async () => {
    const gateway = await scriptedGateway(approving);
    const profile = { service_field: 'product_line', json_content_type: 'application/x-www-form-urlencoded; json' };
    const relay = await startTestRelay({ gatewayUrl: gateway.url, profile });
    const { secret } = await relay.session({ order: { service: 'S' } });
    await relay.pay(secret, card);
    expect(gateway.authorised()[0]).toMatchObject({
      contentType: 'application/x-www-form-urlencoded; json',
      message: { product_line: 'S' },
    });
    expect(gateway.authorised()[0]?.message).not.toHaveProperty('service');
  });

  it('recognises the device at its second payment', async () => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const first = await relay.pay((await relay.session()).secret, card);
    const cookie = first.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/^__Host-turnpike_device=dv_.*Path=\/; Secure; HttpOnly; SameSite=None; Partitioned$/);
    const { secret } = await relay.session();
    await relay.post('/checkout/api/pay', secret, card, { cookie: cookie.split(';')[0] ?? '' });
    const [one, two] = gateway.authorised();
    expect(two?.message.cookie_old).toBe(one?.message.cookie_new);
    expect(two?.message.cookie_new).toBe(one?.message.cookie_new);
  });

  it('accepts a forwarded address only from a trusted proxy', async () => {
    const gateway = await scriptedGateway(approving);
    const forwarded = { 'x-forwarded-for': '198.51.100.7, 203.0.113.9' };
    const plain = await startTestRelay({ gatewayUrl: gateway.url });
    const trusting = await startTestRelay({ gatewayUrl: gateway.url, config: { trust_proxy: ['127.0.0.0/8'] } });
    for (const relay of [plain, trusting]) {
      await relay.post('/checkout/api/pay', (await relay.session()).secret, card, forwarded);
    }
    expect(gateway.authorised().map(({ message }) => message.shopper_ip)).toEqual(['127.0.0.1', '203.0.113.9']);
  });

  it.each([
    ['203.0.113.7:51234', '203.0.113.7'],
    ['[2001:db8::7]:51234', '2001:db8::7'],
    ['198.51.100.7, 203.0.113.7:1, 127.0.0.2:443', '203.0.113.7'],
    ['unknown', undefined],
  ])('reads the forwarded address %s as %s', async (forwarded, shopper_ip) => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url, config: { trust_proxy: ['127.0.0.0/8'] } });
    const { secret } = await relay.session();
    await relay.post('/checkout/api/pay', secret, card, { 'x-forwarded-for': forwarded });
    expect(gateway.authorised()[0]?.message.shopper_ip || undefined).toBe(shopper_ip);
  });

  it('truncates a browser’s long headers to 1000 characters', async () => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const { secret } = await relay.session();
    const long = { 'user-agent': 'x'.repeat(2000), accept: 'y'.repeat(2000) };
    expect((await relay.post('/checkout/api/pay', secret, card, long)).body.status).toBe('approved');
    const { user_agent, accept } = gateway.authorised()[0]?.message ?? {};
    expect([user_agent, accept]).toEqual(['x'.repeat(1000), 'y'.repeat(1000)]);
  });

  it('reads a body that begins with a byte order mark', async () => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const { secret } = await relay.session();
    const answer = await relay.send('/checkout/api/pay', {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: `\ufeff${JSON.stringify(card)}`,
    });
    expect(answer.body.status).toBe('approved');
  });

  it('uses a saved card and a chosen installment plan', async () => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const saved = { token_id: 'tok', brand: 'visa', last4: '1111', expiration_month: '12', expiration_year: '2030' };
    const { secret } = await relay.session({
      saved_cards: [saved],
      installment_options: [{ installments: '3', installments_id: 'i3' }],
    });
    const choice = { installments: '3', installments_id: 'i3' };
    expect((await relay.pay(secret, { token_id: 'tok', security_code: '737', ...choice })).body.status).toBe(
      'approved',
    );
    expect(gateway.authorised()[0]?.message).toMatchObject({ token_id: 'tok', security_code: '737', ...choice });
    expect(gateway.authorised()[0]?.message).not.toHaveProperty('card');
  });

  it('accepts only complete installment plans of the session', async () => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const order = { installments: '1', installments_id: 'shop' };
    const plain = await relay.session({ order });
    expect(await relay.pay(plain.secret, { ...card, installments_id: 'mine' })).toMatchObject({ status: 400 });
    const { secret } = await relay.session({ order, installment_options: [{ installments: '3' }] });
    expect(await relay.pay(secret, { ...card, installments: '3', installments_id: 'mine' })).toMatchObject({
      status: 400,
    });
    expect((await relay.pay(secret, { ...card, installments: '3' })).body.status).toBe('approved');
    expect(gateway.authorised()[0]?.message.installments).toBe('3');
    expect(gateway.authorised()[0]?.message).not.toHaveProperty('installments_id');
  });

  it('is sent completely, however many items its order has', async () => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const items = Array.from({ length: 900 }, (_, at) => ({
      name: 'x'.repeat(900),
      code: `C-${at}`,
      price: '1.00',
      quantity: 1,
    }));
    const { secret } = await relay.session({ order: { items } });
    expect((await relay.pay(secret, card)).body.status).toBe('approved');
    expect(String(gateway.authorised()[0]?.message.items).split('#;#')).toHaveLength(900);
  });
});
