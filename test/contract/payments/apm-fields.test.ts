import { describe, expect, it } from 'vitest';
import { apmPaymentRequest } from '../../../shared/gateway/apm-payment.ts';
import { sign } from '../../../shared/gateway/signature.ts';
import { methods, pix, setUpIssuer } from '../../support/gateways/issuer.ts';
import { account, apiKey, order } from '../../support/relays/relay.ts';

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

describe('the fields of an APM payment', () => {
  it('are exactly those of §2.3, correctly signed', async () => {
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

  it('include the shop’s data in the person’s documents', async () => {
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

  it('include the shop’s person, except for the fields of the form', async () => {
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

  it('include only banks that the session offers', async () => {
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

  it('include no form field that the message lacks', async () => {
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
