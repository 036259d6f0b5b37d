import { describe, expect, it } from 'vitest';
import { identity } from '../../support/gateways/operation-cases.ts';
import {
  disagreeing,
  done,
  failed,
  holding,
  refunding,
  setUp,
  transaction_id,
} from '../../support/gateways/refunding.ts';
import { type Script, scriptedGateway, sendSigned } from '../../support/gateways/scripted-gateway.ts';
import { apiKey, card, startTestRelay } from '../../support/relays/relay.ts';

/** A payment of 129.90 by the relay. */
async function pay(relay: Awaited<ReturnType<typeof setUp>>['relay']): Promise<void> {
  const { secret } = await relay.session();
  expect((await relay.pay(secret, card)).body).toMatchObject({ status: 'approved', transaction_id });
}

describe('a refund', () => {
  it('of more than its amount is refused before anything is sent', async () => {
    const { refund, refunds } = await setUp();
    expect(await refund('10.00', '129.91')).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'refund_orders.1.refund_amount', message: 'must not be more than the amount' }] },
    });
    expect(refunds()).toEqual([]);
  });

  it('reports each invalid amount once', async () => {
    const { relay, items, refunds } = await setUp();
    const [item] = items('1.00');
    const got = await relay.post('/v1/refund', apiKey, {
      refund_orders: [{ ...item, amount: '-5', refund_amount: 'x' }],
    });
    expect(got).toMatchObject({ status: 400 });
    expect(got.body.errors).toHaveLength(2);
    expect(refunds()).toEqual([]);
  });

  it('is refused if the refunded sum differs from the request’s', async () => {
    const { relay, items, refunds } = await setUp();
    await pay(relay);
    const [item] = items('20.00');
    const refundAfter = (before: string) =>
      relay.post('/v1/refund', apiKey, { refund_orders: [item] }, { 'x-refunded-before': before });
    expect(await refundAfter('0.00')).toMatchObject({ status: 200 });
    for (const before of ['0.00', '20.001', '19.99']) {
      expect(await refundAfter(before)).toMatchObject({ status: 409, body: { code: 'refund_exceeds_payment' } });
    }
    expect(await refundAfter('a lot')).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(await refundAfter('20.00')).toMatchObject({ status: 200 });
    expect(refunds()).toHaveLength(2);
  });

  it('is shown in the session', async () => {
    const { relay, refund } = await setUp();
    const { id, secret } = await relay.session();
    const refunded = async () => (await relay.get(`/v1/sessions/${id}`, apiKey)).body.refunded;
    expect(await refunded()).toBeUndefined();
    await relay.pay(secret, card);
    expect(await refunded()).toBeUndefined();
    await refund('10.00', '5.50');
    expect(await refunded()).toBe('15.50');
  });

  it('in equal parts is allowed within and across batches until nothing remains', async () => {
    const { refund, refunds } = await setUp();
    expect((await refund('40.00', '40.00')).status).toBe(200);
    expect((await refund('40.00')).status).toBe(200);
    expect(await refund('40.00')).toMatchObject({
      status: 409,
      body: {
        code: 'refund_exceeds_payment',
        errors: [{ path: 'refund_orders.0.refund_amount', message: 'must not be more than 9.90' }],
      },
    });
    expect((await refund('9.90')).status).toBe(200);
    expect(await refund('0.01')).toMatchObject({ status: 409, body: { code: 'refund_exceeds_payment' } });
    expect(refunds()).toHaveLength(3);
  });

  it('counts the other parts of its own batch', async () => {
    const { refund, refunds } = await setUp();
    expect(await refund('100.00', '29.90', '0.01')).toMatchObject({
      status: 409,
      body: { errors: [{ path: 'refund_orders.2.refund_amount' }] },
    });
    expect(refunds()).toEqual([]);
    expect((await refund('129.90')).status).toBe(200);
  });

  it('is checked against the known paid amount, whatever the request says', async () => {
    const { relay, items, refunds } = await setUp();
    await pay(relay);
    const [item] = items('130.00');
    const got = await relay.post('/v1/refund', apiKey, { refund_orders: [{ ...item, amount: '500.00' }] });
    expect(got).toMatchObject({
      status: 409,
      body: { errors: [{ message: 'must not be more than 129.90' }] },
    });
    expect(refunds()).toEqual([]);
  });

  it('that failed or never reached the gateway reserves nothing', async () => {
    const { refund, refunds } = await setUp(refunding(() => failed));
    for (const _ of [1, 2]) expect((await refund('129.90')).status).toBe(200);
    expect(refunds()).toHaveLength(2);
    const relay = await startTestRelay({ gatewayUrl: 'http://127.0.0.1:9' });
    const refund_orders = [{ transaction_id, currency: 'BRL', amount: '129.90', refund_amount: '129.90' }];
    for (const _ of [1, 2]) expect((await relay.post('/v1/refund', apiKey, { refund_orders })).status).toBe(503);
  });

  it('counts as refunded while in flight and while unknown', async () => {
    let hold = true;
    const { refund, refunds } = await setUp((received, res, req) => {
      if (!hold) refunding(() => done)(received, res, req);
    }, 400);
    const first = refund('100.00');
    await expect.poll(() => refunds().length).toBe(1);
    expect(await refund('30.00')).toMatchObject({ status: 409, body: { code: 'refund_exceeds_payment' } });
    expect(await first).toMatchObject({ status: 409, body: { code: 'outcome_unknown' } });
    hold = false;
    expect(await refund('30.00')).toMatchObject({ status: 409, body: { code: 'refund_exceeds_payment' } });
    expect((await refund('29.90')).status).toBe(200);
  });

  it('with a contradicting status and message counts, and needs a person', async () => {
    const { relay, refund } = await setUp(refunding(() => disagreeing));
    const got = await refund('129.90');
    expect(got.status).toBe(200);
    expect((await refund('0.01')).status).toBe(409);
    const id = got.headers.get('x-operation-id');
    expect((await relay.get(`/v1/operations/${id}`, apiKey)).body).toMatchObject({ items: ['unknown'] });
    const settled = await relay.post(`/v1/operations/${id}/settle`, apiKey, { outcome: 'failed' });
    expect(settled).toMatchObject({ status: 200, body: { status: 'settled', items: ['failed'] } });
    expect((await refund('129.90')).status).toBe(200);
  });

  it('with an unclear outcome counts as refunded and needs a person', async () => {
    const answers: Record<string, object | undefined> = {
      'a status that is not listed': { refund_status: '2', refund_message: 'V0002:In process' },
      'no status': { refund_status: undefined, refund_message: undefined },
      'a status alone': { refund_status: '1', refund_message: undefined },
    };
    for (const [what, result] of Object.entries(answers)) {
      const { relay, refund, refunds } = await setUp(refunding(() => result));
      const got = await refund('129.90');
      expect(got.status, what).toBe(200);
      const { body } = await relay.get(`/v1/operations/${got.headers.get('x-operation-id')}`, apiKey);
      expect(body.items, what).toEqual(['unknown']);
      expect(await refund('0.01'), what).toMatchObject({ status: 409, body: { code: 'refund_exceeds_payment' } });
      expect(refunds()).toHaveLength(1);
    }
  });

  it('is unknown when the gateway accepts the batch without item results', async () => {
    for (const answer of [{ return_status: '1' }, { return_status: '2' }, {}]) {
      const { refund } = await setUp((_received, res) => {
        const whole = { ...identity, ...answer, refund_orders: [] };
        sendSigned(res, whole);
      });
      expect(await refund('129.90')).toMatchObject({ status: 409, body: { code: 'outcome_unknown' } });
      expect((await refund('0.01')).body.code).toBe('refund_exceeds_payment');
    }
  });

  it('must be in the currency of its payment', async () => {
    const { relay, items, refund, refunds } = await setUp();
    await pay(relay);
    const [item] = items('1.00');
    const inDollars = { refund_orders: [{ ...item, currency: 'USD' }] };
    expect(await relay.post('/v1/refund', apiKey, inDollars)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'refund_orders.0.currency', message: 'must be BRL' }] },
    });
    expect((await refund('1.00')).status).toBe(200);
    expect(refunds()).toHaveLength(1);
  });

  it('of an external payment is limited by its least original amount', async () => {
    const { relay, items, refunds } = await setUp();
    const [item] = items('100.00');
    const refundOf = (amount: string) => relay.post('/v1/refund', apiKey, { refund_orders: [{ ...item, amount }] });
    expect((await refundOf('120.00')).status).toBe(200);
    expect((await refundOf('999999999999999.00')).body.errors).toEqual([
      { path: 'refund_orders.0.refund_amount', message: 'must not be more than 20.00' },
    ]);
    const blank = { refund_orders: [{ ...item, transaction_id: `${transaction_id} ` }] };
    expect((await relay.post('/v1/refund', apiKey, blank)).status).toBe(400);
    expect(refunds()).toHaveLength(1);
  });

  it('meets that limit within one batch, and in one currency', async () => {
    const { relay, items, refunds } = await setUp();
    const [item] = items('60.00');
    const batch = (second: object) => ({
      refund_orders: [
        { ...item, amount: '100.00' },
        { ...item, ...second },
      ],
    });
    const more = await relay.post('/v1/refund', apiKey, batch({ amount: '200.00', refund_amount: '100.00' }));
    expect(more).toMatchObject({ status: 409, body: { errors: [{ message: 'must not be more than 40.00' }] } });
    const dollars = await relay.post('/v1/refund', apiKey, batch({ amount: '100.00', currency: 'USD' }));
    expect(dollars).toMatchObject({ status: 400, body: { errors: [{ path: 'refund_orders.1.currency' }] } });
    expect(refunds()).toEqual([]);
  });

  it('of a card-like amount is released when the gateway refuses it', async () => {
    const amount = '658610253242.00';
    const refused: Script = (received, res, req) => {
      if (received.path === '/v1/refund') res.writeHead(400).end();
      else refunding(() => done)(received, res, req);
    };
    const { relay, refunds } = await setUp(refused, 1500, { absent_ms: 300 });
    const refund_orders = [{ transaction_id, currency: 'BRL', amount, refund_amount: amount }];
    const refund = async () => (await relay.post('/v1/refund', apiKey, { refund_orders })).status;
    expect(await refund()).toBe(422);
    await expect.poll(refund).toBe(422);
    expect(refunds()).toHaveLength(2);
  });

  it('is reserved atomically, so concurrent refunds never exceed the payment', async () => {
    const { refund, refunds } = await setUp();
    const answers = await Promise.all(Array.from({ length: 12 }, () => refund('25.00')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
    expect(refunds()).toHaveLength(5);
  });

  it('with an answer after its relay counted as crashed is known', async () => {
    let now = new Date('2026-11-21T09:00:00Z');
    const { script, answer } = holding(refunding(() => done));
    const gateway = await scriptedGateway(script);
    const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs: 20_000, now: () => now });
    const body = { refund_orders: [{ transaction_id, currency: 'BRL', amount: '129.90', refund_amount: '1.00' }] };
    const first = relay.post('/v1/refund', apiKey, body, { 'idempotency-key': 'k-1' });
    await expect.poll(() => gateway.sent('/v1/refund').length).toBe(1);
    now = new Date('2026-11-21T10:00:00Z');
    const again = () => relay.post('/v1/refund', apiKey, body, { 'idempotency-key': 'k-1' });
    expect(await again()).toMatchObject({ status: 409, body: { code: 'outcome_unknown' } });
    const id = (await again()).body.operation_id;
    await expect
      .poll(async () => (await relay.get(`/v1/operations/${id}`, apiKey)).body)
      .toMatchObject({ status: 'unknown', unknown: { reason: 'relay_stopped' } });
    answer();
    expect((await first).status).toBe(200);
    expect((await again()).text).toBe((await first).text);
    expect((await relay.get(`/v1/operations/${id}`, apiKey)).body).toMatchObject({ status: 'answered' });
    expect(gateway.sent('/v1/refund')).toHaveLength(1);
  });

  it('of one account reveals nothing about another’s', async () => {
    const { relay, items } = await setUp();
    await pay(relay);
    const [item] = items('130.00');
    const body = { refund_orders: [{ ...item, amount: '500.00' }] };
    expect((await relay.post('/v1/refund', apiKey, body)).status).toBe(409);
    const other = await relay.post('/v1/refund', 'test-key-of-another-account', body);
    expect(other.body.code).toBe('outcome_unknown');
  });
});
