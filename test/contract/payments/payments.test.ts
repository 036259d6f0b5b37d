import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../relay/base/keys.ts';
import {
  approval,
  approving,
  declining,
  scriptedGateway,
  sendRecords,
  sendXml,
  signedXml,
} from '../../support/gateways/scripted-gateway.ts';
import { setUp } from '../../support/gateways/server-payments.ts';
import { account, apiKey, card, order, queryOnlyKey, shopOrigin, startTestRelay } from '../../support/relays/relay.ts';

describe('POST /v1/payments', () => {
  it('returns a decline, after which the order can be paid again', async () => {
    const { gateway, relay, pay } = await setUp(declining);
    const body = { ...order(), ...card };
    const got = await pay(body);
    expect(got).toMatchObject({
      status: 200,
      body: {
        status: 'declined',
        result: { code: '2001', message: 'Do not honour' },
        advice: 'contact_bank',
        transaction_id: '00012345678901234567',
      },
    });
    expect(await relay.truth(String(got.body.id))).toMatchObject({ status: 'failed' });
    expect((await pay(body)).body.status).toBe('declined');
    expect(gateway.authorised()).toHaveLength(2);
  });

  it('charges an order once, despite a session, other payments and repeats', async () => {
    const { gateway, relay, pay } = await setUp();
    const body = { ...order(), ...card };
    const open = await relay.session({ order: { order_no: body.order_no } });
    const all = await Promise.all([pay(body), pay(body), pay(body), relay.pay(open.secret, card)]);
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(gateway.authorised()).toHaveLength(1);
    expect(await pay(body)).toMatchObject({ status: 409, body: { code: 'order_already_paid' } });
    expect(await relay.pay(open.secret, card)).toMatchObject({ status: 409 });
  });

  const { card: number, security_code, ...expiration } = card;
  it.each([
    ['a card', { ...card, token_id: null, payment_method: '' }],
    ['a card', { ...card, token_id: '', payment_method: null }],
    ['a card', { card: number, ...expiration, security_code: null }],
    ['a token', { token_id: 'tok-1', card: null, payment_method: null }],
    ['a token', { token_id: 'tok-1', card: '', security_code: '' }],
    ['a method', { payment_method: 'PIX', card: null, token_id: null, security_code: null }],
    ['a method', { payment_method: 'PIX', card: '', token_id: '', security_code: '' }],
  ])('by %s ignores empty fields of other means', async (_means, means) => {
    const { gateway, pay } = await setUp(approving);
    const got = await pay({ ...order(), ...means });
    expect(got, got.text).toMatchObject({ status: 200, body: { status: 'approved' } });
    const { message = {} } = gateway.authorised()[0] ?? {};
    const given = Object.entries(means).filter(([name, value]) => value && name !== 'card');
    expect(message).toMatchObject(Object.fromEntries(given));
    for (const name of Object.keys(means)) expect(message[name]).not.toBeNull();
  });

  it('without any means of payment asks for a card', async () => {
    const { pay } = await setUp();
    const got = await pay({ ...order(), ...expiration, card: null, token_id: '', payment_method: null });
    expect(got).toMatchObject({ status: 400, body: { errors: [{ path: 'card' }] } });
  });

  it('returns unknown, keeps the order locked, and later finds the outcome', async () => {
    const paid: object[] = [];
    const { gateway, relay, pay } = await setUp(
      (received, res) => {
        if (received.path === '/v1/authorise') return;
        sendRecords(res, paid);
      },
      { timeoutMs: 4000 },
    );
    const body = { ...order(), ...card };
    const key = { 'idempotency-key': 'k-1' };
    const got = await pay(body, key);
    expect(got).toMatchObject({ status: 200, body: { status: 'unknown', order_no: body.order_no } });
    expect(await pay(body, key)).toMatchObject({
      status: 409,
      body: { code: 'outcome_unknown', operation_id: got.body.id },
    });
    expect(await pay(body)).toMatchObject({ status: 409, body: { code: 'order_in_progress' } });
    paid.push({ ...body, payment_status: '3000', transaction_id: 'T-9' });
    expect(await relay.settled(String(got.body.id), 'unknown')).toMatchObject({ status: 'approved' });
    const again = await pay(body, key);
    expect(again).toMatchObject({ status: 200, body: { status: 'approved', transaction_id: 'T-9', id: got.body.id } });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(gateway.authorised()).toHaveLength(1);
  });

  it('that was not sent can be retried under the same key', async () => {
    const relay = await startTestRelay({ gatewayUrl: 'http://127.0.0.1:9' });
    const body = { ...order(), ...card };
    for (const _ of [1, 2]) {
      expect(await relay.post('/v1/payments', apiKey, body, { 'idempotency-key': 'k' })).toMatchObject({
        status: 503,
        body: { code: 'gateway_unreachable' },
      });
    }
  });

  it('reports a refusal of the gateway as a decline', async () => {
    const { pay } = await setUp((_received, res) => void res.writeHead(404).end('Record not found'));
    expect(await pay({ ...order(), ...card })).toMatchObject({
      status: 200,
      body: { status: 'declined', result: { code: 'http_404' } },
    });
  });

  it('reports that the profile does not say how to sign', async () => {
    const gateway = await scriptedGateway(approving);
    const fields = { query: ['merchant_id'] };
    const signing = { scheme: 'concat', algorithm: 'sha256', secret: 'append', fields, answer_fields: fields };
    const relay = await startTestRelay({ gatewayUrl: gateway.url, profile: { signing } });
    expect(await relay.post('/v1/payments', apiKey, { ...order(), ...card })).toMatchObject({
      status: 501,
      body: { code: 'operation_not_configured', detail: expect.stringContaining('direct_payment') },
    });
    expect(gateway.received).toEqual([]);
  });

  it('can be read with its own scope, which opens no other session', async () => {
    const gateway = await scriptedGateway(approving);
    const key = 'test-key-for-payments';
    const { merchant_id, account_id, signingSecret: signing_secret } = account;
    const api_keys = [{ name: 'payments', sha256: sha256(key), scopes: ['payments'] }];
    const shop = { id: 'demo', merchant_id, account_id, signing_secret, allowed_origins: [shopOrigin], api_keys };
    const relay = await startTestRelay({
      gatewayUrl: gateway.url,
      config: {
        accounts: [{ ...shop, api_keys: [...api_keys, { name: 'all', sha256: sha256(apiKey), scopes: ['*'] }] }],
      },
    });
    const made = await relay.post('/v1/payments', key, { ...order(), ...card });
    expect((await relay.get(`/v1/sessions/${made.body.id}`, key)).body).toMatchObject({ status: 'approved' });
    const { id } = await relay.session();
    expect((await relay.get(`/v1/sessions/${id}`, key)).status).toBe(403);
    expect((await relay.get('/v1/sessions/cs_none', key)).status).toBe(403);
  });

  it('needs its own scope', async () => {
    const { relay } = await setUp();
    expect((await relay.post('/v1/payments', queryOnlyKey, { ...order(), ...card })).status).toBe(403);
  });

  it('writes neither the card number nor the security code anywhere', async () => {
    const pan = '4000001234567899';
    const { relay, gateway, pay } = await setUp((received, res) => {
      if (received.path !== '/v1/authorise') return sendRecords(res, []);
      sendXml(res, signedXml({ ...approval(received), card: pan, result_info: `0000:${pan} 9173`, note: pan }));
    });
    const body = { ...order(), ...card, card: pan, security_code: '9173' };
    const got = await pay(body, { 'idempotency-key': 'k' });
    await pay({ ...body, [pan]: pan });
    await relay.truth(String(got.body.id));
    expect(gateway.authorised()[0]?.raw).toContain(pan);
    for (const text of [...relay.files(), ...relay.logLines, ...relay.answers]) {
      expect(text).not.toContain(pan);
      expect(text).not.toMatch(/(?<![\w-])9173(?![\w-])/);
    }
  });
});
