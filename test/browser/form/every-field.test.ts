import { writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { sign } from '../../../shared/gateway/signature.ts';
import { checkoutOn } from '../../../testing/index.ts';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { apmPaymentTable, directPaymentTable, personTable } from '../../support/docs/spec-tables.ts';
import { redirection } from '../../support/gateways/issuer.ts';
import {
  approval,
  type Script,
  scriptedGateway,
  sendRecords,
  sendXml,
  signedXml,
} from '../../support/gateways/scripted-gateway.ts';
import { serve } from '../../support/http/http-server.ts';
import { account, startTestRelay } from '../../support/relays/relay.ts';
import { openPage, phone } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

/** A gateway independent of the sandbox: it approves cards and redirects other payments to a page. */
const gatewayOf =
  (issuerUrl: string): Script =>
  (received, res) => {
    if (received.path !== '/v1/authorise') return sendRecords(res, []);
    const apm = received.message.payment_method !== undefined;
    sendXml(res, signedXml(apm ? redirection(received, issuerUrl) : approval(received)));
  };

/** Fields that only a shop can send, for both tables. */
const known = {
  item_total: '120.00',
  shipping: '5.00',
  handling: '1.00',
  tax_total: '9.90',
  insurance: '2.00',
  shipping_discount: '3.00',
  discount: '5.00',
  service: 'tea',
  items: [
    { name: 'Ação #1, “fim”', code: 'T-1', price: '40.00', quantity: 3 },
    { name: '茶', code: 'T-2', price: '0.00', quantity: 1 },
  ],
  note: 'line one\nline two',
  custom: '{"a":1}',
  platform_source: 'web',
  device_type: 'kiosk',
};

/** Fields that only a shop can send, for cards. */
const knownForCards = {
  price_id: 'P-1',
  quote_id: 'Q-1',
  quote_price: '1.00',
  storefront_domains: 'shop.example',
  order_type: 'goods',
  open3d: 'Y',
  session_id: 'S-1',
  shopper_id: 'C-1',
  shopper_level: 'gold',
  cart_items: [
    {
      basic_item_data: {
        name: 'Tea',
        quantity: '3',
        type: 'physical',
        price: { amount_usd: 7.5, amount_local_currency: 40, currency: 'BRL' },
        category: 'food',
        productId: 'T-1',
      },
    },
  ],
  account_owner: [
    {
      first_name: 'Ada',
      last_name: 'Byron',
      email: 'ada@example.com',
      account_id: 'C-1',
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
    contract_name: 'Tea club',
    contract_amount: '10.00',
    interval: 'month',
    interval_count: '3',
    billing_cycle: 4,
    promotion_cycle: 1,
    contract_start: '2030-01-01',
    contract_end: '2030-12-31',
    price_id: 'P-1',
  },
};

const billing = {
  country: 'BR',
  postalCode: '01310100',
  address: 'Avenida Paulista 1',
  city: 'São Paulo',
  state: 'SP',
};
const delivery = { country: 'US', postalCode: '94105', address: '1 Market St', city: 'San Francisco', state: 'CA' };
const billed = {
  billing_country: 'BR',
  billing_state: 'SP',
  billing_city: 'São Paulo',
  billing_address: 'Avenida Paulista 1',
  billing_postal_code: '01310-100',
};
const delivered = {
  delivery_firstname: 'Grace',
  delivery_lastname: 'Hopper',
  delivery_country: 'US',
  delivery_state: 'CA',
  delivery_city: 'San Francisco',
  delivery_address: '1 Market St',
  delivery_postal_code: '94105',
};
const items = 'Ação #1, “fim”#,#T-1#,#40.00#,#3#;#茶#,#T-2#,#0.00#,#1';

const text = expect.stringMatching(/./);
/** Fields that the form and the relay fill by themselves, in both tables. */
const found = {
  os: text,
  browser: text,
  browser_lang: 'en-GB',
  time_zone: text,
  resolution: text,
  color_depth: text,
  cookie_new: text,
  cookie_old: '',
  shopper_ip: '127.0.0.1',
  notify_url: text,
};

/** A relay with that gateway, and a page. The fingerprint takes time, so its fields are compared separately. */
async function setUp(session: object) {
  const issuer = await serve((_req, res) => res.end('<title>Bank</title><link rel="icon" href="data:,">'));
  onTestFinished(issuer.close);
  const gateway = await scriptedGateway(gatewayOf(`${issuer.url}/`));
  const relay = await startTestRelay({ gatewayUrl: gateway.url });
  const { page, complaints } = await openPage(browser, phone);
  const { checkoutUrl, orderNo } = await relay.session(session);
  const checkout = checkoutOn(page);
  await page.goto(checkoutUrl);
  await checkout.ready();
  const sent = async () => {
    await expect.poll(() => gateway.authorised().length).toBe(1);
    const { device_fingerprint, encryption_data, ...message } = gateway.authorised()[0]?.message ?? {};
    if (device_fingerprint !== undefined) expect(device_fingerprint).toEqual(text);
    const signed = { ...message, ...(device_fingerprint === undefined ? {} : { device_fingerprint }) };
    expect(encryption_data).toBe(sign(signed, account.signingSecret));
    expect(gateway.authorised()[0]?.contentType).toBe('application/json');
    return message;
  };
  const { merchant_id, account_id } = account;
  const identity = { merchant_id, account_id, order_no: orderNo, currency: 'BRL', amount: '129.90' };
  return { page, complaints, checkout, sent, identity };
}

it('a card payment with every field is sent as in §2.1', async () => {
  const { page, complaints, checkout, sent, identity } = await setUp({
    order: { ...known, ...knownForCards },
    collect: ['email', 'phone', 'document', 'birth_date', 'billing_address', 'delivery_address'],
    installment_options: [
      { installments: '1' },
      { installments: '3', installments_id: 'plan-3', each: '45.00', total: '135.00' },
    ],
    save_card: 'ask',
  });
  await checkout.fill({
    card: '4111111111111111',
    expiry: '3/30',
    securityCode: '737',
    name: 'Ada King Byron',
    email: 'ada@Example.COM',
    phone: '11912345678',
    document: '12345678909',
    birthDate: '1985-12-10',
    billing,
    delivery: { ...delivery, firstName: 'Grace', lastName: 'Hopper' },
  });
  await checkout.chooseInstallments(3);
  await checkout.saveCard();
  expect(await checkout.pay()).toMatchObject({ status: 'approved' });
  const message = await sent();
  expect(message).toEqual({
    ...identity,
    ...known,
    ...knownForCards,
    ...found,
    ...billed,
    ...delivered,
    items,
    card: '4111111111111111',
    expiration_month: '03',
    expiration_year: '2030',
    security_code: '737',
    first_name: 'Ada King',
    last_name: 'Byron',
    shopper_email: 'ada@example.com',
    shopper_phone: '+5511912345678',
    document: '12345678909',
    birth_date: '10-12-1985',
    installments: '3',
    installments_id: 'plan-3',
    token_flag: '1',
    challenge_window_size: expect.stringMatching(/^0[1-5]$/),
    checkout_time: expect.any(Number),
    user_agent: text,
    accept: expect.stringMatching(/^text\/html,/),
  });
  // A typed card has no token yet. A vendor's cookie and the fingerprint may be missing.
  const missing = directPaymentTable.filter((name) => !(name in message));
  const left = ['encryption_data', 'token_id', 'antifraud_token_cookie', 'device_fingerprint'];
  expect(missing.filter((name) => !left.includes(name))).toEqual([]);
  expect(Object.keys(message).filter((name) => !directPaymentTable.includes(name))).toEqual([]);
  expect(page.url()).not.toContain('411111');
  expect(complaints).toEqual([]);
});

it('an alternative payment with every field is sent as in §2.3', async () => {
  const person = {
    'person.document_number': '11222333000181',
    'person.document_type': 'CNPJ',
    'person.social_name': 'Ada',
    'person.email': 'ada@example.com',
    'person.phone_country_code': '55',
    'person.phone_area_code': '11',
    'person.phone_number': '912345678',
    'person.net_monthly_average_income': '1000.00',
    'person.address_country': 'BR',
    'person.address_postal_code': '01310100',
    'person.address_street': 'Avenida Paulista',
    'person.address_number': '1',
    'person.address_complement': 'ap. 2',
    'person.address_city': 'São Paulo',
    'person.address_state': 'SP',
    'person.fiscal_country': 'BR',
    'person.documents.file_url': 'https://files.example/1.png',
    'person.documents.labels.person_bank_account_id': 'B-1',
    'person.documents.labels.bank_account.account_type': 'checking',
    'person.documents.labels.bank_account.account_number': '00123-4',
    'person.documents.labels.bank_account.branch_number': '0001',
    'person.documents.labels.bank_account.owner_document_number': '12345678909',
    'person.documents.labels.bank_account.owner_name': 'Ada Byron',
    'person.documents.labels.bank_account.branch_country': 'BR',
    'person.documents.labels.bank_account.currency': 'BRL',
    'person.documents.labels.bank_account.bank.code': '001',
    'person.documents.labels.bank_account.bank.name': 'Banco do Brasil',
  };
  const asked = apmPaymentTable.filter((name) =>
    /^(shopper_(?!ip)|first|last|document$|birth|billing|delivery)/.test(name),
  );
  const { page, complaints, checkout, sent, identity } = await setUp({
    order: known,
    payment_methods: [
      {
        type: 'apm',
        payment_method: 'BANK',
        label: 'Bank transfer',
        banks: Array.from({ length: 40 }, (_, index) => ({ code: `B${index}`, name: `Banco ${index}` })),
        fields: [...asked, ...personTable],
      },
    ],
  });
  const folder = await mkdtemp(join(tmpdir(), 'turnpike-file-'));
  const picture = Buffer.from('89504e470d0a1a0a', 'hex');
  writeFileSync(join(folder, 'id.png'), picture);
  await checkout.chooseBank('Banco 7');
  await checkout.fill({
    email: 'ada@example.com',
    phone: '11912345678',
    billing,
    delivery: { ...delivery, firstName: 'Grace', lastName: 'Hopper' },
    fields: {
      shopper_id: 'C-1',
      shopper_email: 'ada@example.com',
      shopper_level: 'gold',
      first_name: 'Ada',
      last_name: 'Byron',
      document: '12345678909',
      delivery_district_name: 'SoMa',
      delivery_street_name: 'Market St',
      ...person,
      'person.documents.file_data': join(folder, 'id.png'),
    },
  });
  for (const [part, digits] of [
    ['day', '10'],
    ['month', '12'],
    ['year', '1985'],
  ]) {
    for (const input of await page.locator(`[autocomplete="bday-${part}"]`).all()) await input.fill(digits ?? '');
  }
  expect(await checkout.pay()).toMatchObject({ status: 'redirect' });
  const message = await sent();
  const tree: Record<string, unknown> = {};
  const all = {
    ...person,
    'person.address_postal_code': '01310-100',
    'person.birth_date': '10-12-1985',
    'person.documents.file_type': 'image/png',
    'person.documents.file_data': picture.toString('base64'),
  };
  for (const [path, value] of Object.entries(all)) put(tree, path.split('.'), value);
  expect(message).toEqual({
    ...identity,
    ...known,
    ...found,
    ...billed,
    ...delivered,
    ...tree,
    items,
    payment_method: 'BANK',
    bank_code: 'B7',
    shopper_id: 'C-1',
    shopper_email: 'ada@example.com',
    shopper_phone: '+5511912345678',
    shopper_level: 'gold',
    first_name: 'Ada',
    last_name: 'Byron',
    document: '12345678909',
    birth_date: '10-12-1985',
    delivery_district_name: 'SoMa',
    delivery_street_name: 'Market St',
    return_url: text,
  });
  const left = ['encryption_data', 'device_fingerprint'];
  expect(apmPaymentTable.filter((name) => !(name in message) && !left.includes(name))).toEqual([]);
  expect(personTable.filter((path) => !(path in all))).toEqual([]);
  expect(complaints).toEqual([]);
});

function put(tree: Record<string, unknown>, [name = '', ...rest]: string[], value: string): void {
  if (!rest.length) {
    tree[name] = value;
    return;
  }
  const inner: Record<string, unknown> = {};
  Object.assign(inner, tree[name]);
  tree[name] = inner;
  put(inner, rest, value);
}
