import { describe, expect, it } from 'vitest';
import { operations } from '../../../shared/gateway/operations.ts';
import { done, failed, refunding } from '../../support/gateways/refunding.ts';
import { type Script, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { stores, storesOf } from '../../support/gateways/settlement.ts';
import { payment, willing } from '../../support/relays/idempotent.ts';
import { apiKey, card, order, startTestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

describe.each(stores)('refusals stored under an Idempotency-Key, on %s', (kind) => {
  const newStore = storesOf(kind);

  async function start(script: Script = willing) {
    const gateway = await scriptedGateway(script);
    const relay = await startTestRelay({ gatewayUrl: gateway.url, config: await newStore() });
    const post = (path: string, body: unknown, key = 'k-1') =>
      relay.post(path, apiKey, body, { 'idempotency-key': key });
    return { relay, gateway, post };
  }

  it('include a 400, byte for byte, and a corrected body is 422', async () => {
    const { post, gateway } = await start();
    const { order_no: _, ...wrong } = { ...order(), ...card };
    const first = await post('/v1/payments', wrong);
    expect(first).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    const again = await post('/v1/payments', wrong);
    expect([again.status, again.text]).toEqual([400, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const reused = { status: 422, body: { code: 'idempotency_key_reused' } };
    expect(await post('/v1/payments', payment())).toMatchObject(reused);
    // A reused key keeps its first answer.
    expect((await post('/v1/payments', wrong)).text).toBe(first.text);
    expect(gateway.received).toEqual([]);
  });

  it('include a 400 that the operation itself found', async () => {
    const { post } = await start();
    const first = await post('/v1/events/redeliver', { ids: ['msg_none'] });
    expect(first).toMatchObject({ status: 400, body: { errors: [{ path: 'ids.0' }] } });
    const again = await post('/v1/events/redeliver', { ids: ['msg_none'] });
    expect([again.status, again.text]).toEqual([400, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });

  it('exclude a 409: a refund is checked again', async () => {
    const { post, relay } = await start();
    const { order_no, currency, amount } = order();
    const paid = await relay.post('/v1/payments', apiKey, { ...order(), order_no, ...card });
    const { transaction_id } = paid.body;
    const refund = (refund_amount: string) => ({
      refund_orders: [{ order_no, transaction_id, currency, amount, refund_amount }],
    });
    expect((await post('/v1/refund', refund('100.00'), 'k-0')).status).toBe(200);
    for (const _ of [1, 2]) {
      const refused = await post('/v1/refund', refund('50.00'));
      expect(refused, refused.text).toMatchObject({ status: 409, body: { code: 'refund_exceeds_payment' } });
      expect(refused.headers.get('idempotency-replayed')).toBeNull();
    }
    expect((await post('/v1/refund', refund('29.90'))).status).toBe(200);
  });

  it.each([
    ['the currency', { transaction_id: 'tx-1', currency: 'USD' }, 'currency_differs'],
    ['the spelling', { transaction_id: 'TX-1', currency: 'BRL' }, 'transaction_id_form'],
  ])('exclude a 400 about %s of a refund that later fails', async (_, other, code) => {
    let fail = (): void => undefined;
    const { post, gateway } = await start((received, res, req) => {
      const isFirst = received === gateway.sent(operations.refund.path)[0];
      if (isFirst) fail = () => refunding(() => failed)(received, res, req);
      else refunding(() => done)(received, res, req);
    });
    const body = (more: object) => ({ refund_orders: [{ ...more, amount: '10.00', refund_amount: '10.00' }] });
    const first = post('/v1/refund', body({ transaction_id: 'tx-1', currency: 'BRL' }), 'k-0');
    await until('the first refund is sent', () => gateway.sent(operations.refund.path).length === 1);
    for (const _ of [1, 2]) {
      const refused = await post('/v1/refund', body(other));
      expect(refused).toMatchObject({ status: 400, body: { code } });
      expect(refused.headers.get('idempotency-replayed')).toBeNull();
    }
    fail();
    expect((await first).body).toMatchObject({ refund_orders: [failed] });
    expect(await post('/v1/refund', body(other))).toMatchObject({ status: 200, body: { refund_orders: [done] } });
  });

  it('exclude the gateway’s refusal of a read: it is sent again', async () => {
    const { post, gateway } = await start((received, res, req) => {
      if (gateway.received.length === 1) res.writeHead(429).end();
      else willing(received, res, req);
    });
    const query = { orders: ['A'] };
    expect(await post('/v1/query', query)).toMatchObject({ status: 422, body: { code: 'gateway_refused' } });
    await post('/v1/query', query);
    expect(gateway.received).toHaveLength(2);
  });

  it('are returned for deeply nested bodies and invalid Unicode', async () => {
    const { post } = await start();
    for (const body of ['{"order":"\\ud800"}', `${'['.repeat(50_000)}${']'.repeat(50_000)}`]) {
      for (const _ of [1, 2]) {
        const refused = await post('/v1/sessions', body, `k-${body.length}`);
        expect(refused.status, refused.text).toBe(400);
      }
    }
  });

  it('contain no card data, wherever it was', async () => {
    const { post, relay } = await start();
    const wrong = { ...payment(), [card.card]: card.card, order: { card: card.card }, amount: card.card };
    const first = await post('/v1/payments', wrong);
    expect(first.status).toBe(400);
    expect(first.text).not.toContain(card.card);
    expect((await post('/v1/payments', wrong)).headers.get('idempotency-replayed')).toBe('true');
    for (const file of relay.files()) expect(file).not.toContain(card.card);
    expect(relay.logLines.join('')).not.toContain(card.card);
  });

  it('are not stored while the store fails: the key is free', async () => {
    const { post, relay } = await start();
    const { store } = relay.context;
    const { answer } = store.keys;
    store.keys.answer = () => Promise.reject(new Error('lost'));
    expect((await post('/v1/sessions', { order: {} })).status).toBe(400);
    store.keys.answer = answer;
    await expect.poll(async () => (await post('/v1/sessions', { order: order() })).status).toBe(201);
  });
});
