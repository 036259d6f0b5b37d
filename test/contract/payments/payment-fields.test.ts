import { describe, expect, it } from 'vitest';
import { sign } from '../../../shared/gateway/signature.ts';
import { approval, sendRecords, sendXml, xml } from '../../support/gateways/scripted-gateway.ts';
import { setUp } from '../../support/gateways/server-payments.ts';
import { account, card, order, shopOrigin } from '../../support/relays/relay.ts';

/** Every field of §2.1 that a shop may send. */
const everything = {
  order_no: 'A-1',
  currency: 'BRL',
  amount: '129.9',
  item_total: '120.00',
  shipping: '5.00',
  handling: '1.00',
  tax_total: '3.9',
  insurance: '0.00',
  shipping_discount: '0.00',
  discount: '0.00',
  service: 'tea',
  items: [{ name: 'Chá', code: 'T-1', price: '60.00', quantity: 2 }],
  note: 'ring twice',
  custom: 'x',
  price_id: 'p',
  quote_id: 'q',
  quote_price: '1.0',
  storefront_domains: 'shop.example',
  installments: '3',
  installments_id: 'i-3',
  platform_source: 'web',
  device_type: 'mobile',
  order_type: 'o',
  checkout_time: 1_790_000_000,
  shopper_id: 's-1',
  shopper_email: 'ada@shop.example',
  shopper_ip: '192.0.2.1',
  shopper_phone: '+558155550100',
  shopper_level: 'gold',
  open3d: '1',
  token_flag: '1',
  ...card,
  document: '123',
  birth_date: '31-12-1990',
  challenge_window_size: '02',
  session_id: 'sess',
  billing_country: 'BR',
  billing_state: 'PE',
  billing_city: 'Recife',
  billing_address: 'Rua 1',
  billing_postal_code: '50030',
  os: 'Android 16',
  browser: 'Chrome 150',
  browser_lang: 'pt-BR',
  time_zone: 'America/Recife',
  resolution: '390x844',
  cookie_new: 'n',
  cookie_old: 'o',
  device_fingerprint: 'f',
  user_agent: 'Mozilla/5.0',
  antifraud_token_cookie: 't',
  color_depth: '24',
  accept: '*/*',
  delivery_firstname: 'Ada',
  delivery_lastname: 'Byron',
  delivery_country: 'BR',
  delivery_state: 'PE',
  delivery_city: 'Recife',
  delivery_address: 'Rua 2',
  delivery_postal_code: '50031',
  cart_items: [
    {
      basic_item_data: {
        name: 'Chá',
        quantity: '2',
        type: 'food',
        price: { amount_usd: 11.5, amount_local_currency: 60, currency: 'BRL' },
        category: 'tea',
        productId: 'T-1',
      },
    },
  ],
  account_owner: [{ first_name: 'Ada', created: 1_700_000_000, past_orders_sum: 12.5, lastLogin_ip: '192.0.2.1' }],
  total_discount: [{ coupon_code_used: 'TEA', discount_type: 'fixed' }],
  additional_information: [{ mpi_info: { eci: '05', cavv: 'c', xid: 'x', dsTransID: 'd' } }],
  subscription: { contract_name: 'Tea', contract_amount: '10.00', interval: 'month', billing_cycle: 12 },
};

describe('POST /v1/payments', () => {
  it('sends the shop’s fields as in §2.1, with notify_url', async () => {
    const { gateway, relay, pay } = await setUp();
    const got = await pay(everything);
    expect(got, got.text).toMatchObject({
      status: 200,
      body: {
        status: 'approved',
        order_no: 'A-1',
        transaction_id: '00012345678901234567',
        card: '411111******1111',
        result: { code: '0000', message: 'Success' },
      },
    });
    const { encryption_data, notify_url, ...sent } = gateway.authorised()[0]?.message ?? {};
    expect(sent).toEqual({
      ...everything,
      amount: '129.90',
      item_total: '120.00',
      handling: '1.00',
      tax_total: '3.90',
      shipping_discount: '0.00',
      items: 'Chá#,#T-1#,#60.00#,#2',
      subscription: { ...everything.subscription, contract_amount: '10.00' },
      merchant_id: account.merchant_id,
      account_id: account.account_id,
    });
    expect(String(notify_url)).toContain(`${relay.url}/notify/payment/${got.body.id}/`);
    expect(encryption_data).toBe(sign({ ...sent, notify_url }, account.signingSecret));
    expect(await relay.truth(String(got.body.id))).toMatchObject({ status: 'approved', order_no: 'A-1' });
  });

  it('pays with a token, or with only an order and a card', async () => {
    const { gateway, pay } = await setUp();
    const token = await pay({ ...order(), token_id: 'tok-1' });
    expect(token, token.text).toMatchObject({ status: 200, body: { status: 'approved' } });
    expect(gateway.authorised()[0]?.message).toMatchObject({ token_id: 'tok-1' });
    expect(gateway.authorised()[0]?.message).not.toHaveProperty('card');
    const { card: number, expiration_month, expiration_year } = card;
    expect((await pay({ ...order(), card: number, expiration_month, expiration_year })).body.status).toBe('approved');
    expect(gateway.authorised()[1]?.message.checkout_time).toBeTypeOf('number');
    expect(gateway.authorised()[1]?.message).not.toHaveProperty('user_agent');
  });

  it('pays by an alternative method through the relay', async () => {
    const { gateway, relay, pay } = await setUp((received, res) => {
      if (received.path !== '/v1/authorise') return sendRecords(res, []);
      const { merchant_id, account_id, order_no, amount, currency } = approval(received);
      const fields = { merchant_id, account_id, order_no, amount, currency };
      sendXml(res, xml({ ...Object(fields), issuer_url: `${gateway.url}/issuer` }));
    });
    const person = { document_number: '1', documents: { labels: { bank_account: { bank: { code: '001' } } } } };
    const body = { ...order(), payment_method: 'PIX', bank_code: '7', person, return_url: `${shopOrigin}/thanks` };
    const got = await pay(body);
    expect(got, got.text).toMatchObject({ status: 200, body: { status: 'redirect', order_no: body.order_no } });
    expect(String(got.body.redirect_url).startsWith(`${relay.url}/checkout/${got.body.id}/issuer?ticket=`)).toBe(true);
    expect(gateway.authorised()[0]?.message).toMatchObject({
      payment_method: 'PIX',
      person,
      return_url: `${relay.url}/return/${got.body.id}`,
    });
    const back = await relay.comeBack(String(got.body.id));
    expect(back.status).toBe(303);
    expect(back.headers.get('location')).toContain(`${shopOrigin}/thanks?session=${got.body.id}`);
    expect(await relay.truth(String(got.body.id))).toMatchObject({ status: 'failed' });
  });

  it('accepts items as the string of §2.1 if it is valid', async () => {
    const { gateway, pay } = await setUp();
    expect((await pay({ ...order(), ...card, items: 'Tea#,#T-1#,#64.95#,#2' })).status).toBe(200);
    expect(gateway.authorised()[0]?.message.items).toBe('Tea#,#T-1#,#64.95#,#2');
    const bad = ['Tea', 'Tea#,#T-1#,#64.95#,#0', [{ name: 'a#,#b', code: '', price: '1.00', quantity: 1 }], 5];
    for (const items of bad) {
      expect(await pay({ ...order(), ...card, items })).toMatchObject({
        status: 400,
        body: { errors: [expect.objectContaining({ path: 'items' })] },
      });
    }
  });

  it('applies the rules of an item list to the string', async () => {
    const { gateway, pay } = await setUp();
    const many = Array.from({ length: 1001 }, () => 'Tea#,#T#,#1.00#,#1').join('#;#');
    for (const items of ['Tea#,#T#,#1.005#,#1', many, `${'T'.repeat(1001)}#,#T#,#1.00#,#1`]) {
      expect(await pay({ ...order(), ...card, items })).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      });
    }
    expect(gateway.received).toEqual([]);
  });

  it('accepts only fields of the method’s own table', async () => {
    const { gateway, pay } = await setUp();
    for (const [body, path] of [
      [{ ...order(), ...card, bank_code: '1' }, 'bank_code'],
      [{ ...order(), ...card, person: {} }, 'person'],
      [{ ...order(), ...card, notify_url: 'https://shop.example' }, 'notify_url'],
      [{ ...order(), ...card, return_url: shopOrigin }, 'return_url'],
      [{ ...order(), ...card, merchant_id: '1' }, 'merchant_id'],
      [{ ...order(), ...card, token_id: 't' }, 'token_id'],
      [{ ...order(), payment_method: 'PIX', card: card.card }, 'card'],
      [{ ...order(), payment_method: 'PIX', subscription: {} }, 'subscription'],
      [{ ...order() }, 'card'],
      [{ ...order(), ...card, amount: '-1.00' }, 'amount'],
      [{ ...order(), ...card, amount: '1.005' }, 'amount'],
      [{ ...order(), ...card, birth_date: '30-02-1990' }, 'birth_date'],
      [{ ...order(), payment_method: 'PIX', person: { birth_date: '31-02-1990' } }, 'person.birth_date'],
      [{ ...order(), ...card, subscription: { contract_start: '2026-02-30' } }, 'subscription.contract_start'],
      [
        { ...order(), ...card, subscription: { contract_start: '2026-03-01', contract_end: '2026-02-01' } },
        'subscription.contract_end',
      ],
      [
        { ...order(), ...card, cart_items: [{ basic_item_data: { price: { amount_usd: -1 } } }] },
        'cart_items.0.basic_item_data.price.amount_usd',
      ],
      [{ ...order(), payment_method: 'PIX', return_url: 'https://elsewhere.example/' }, 'return_url'],
      [{ ...order(), ...card, order_no: 'A,B' }, 'order_no'],
    ] as const) {
      const got = await pay(body);
      expect(got, path).toMatchObject({ status: 400 });
      expect(got.body.errors, path).toContainEqual(expect.objectContaining({ path }));
    }
    expect(gateway.received).toEqual([]);
  });
});
