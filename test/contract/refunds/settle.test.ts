import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../relay/base/keys.ts';
import { disagreeing, done, holding, refunding, setUp, transaction_id } from '../../support/gateways/refunding.ts';
import { drop, scriptedGateway } from '../../support/gateways/scripted-gateway.ts';
import { account, apiKey, startTestRelay } from '../../support/relays/relay.ts';

describe('a person who settles an operation', () => {
  async function unknownRefund() {
    let answers = false;
    const all = await setUp((received, res, req) => {
      if (answers) refunding(() => done)(received, res, req);
      else res.destroy();
    });
    const body = { refund_orders: all.items('100.00', '20.00') };
    const key = { 'idempotency-key': 'k-1' };
    const got = await all.relay.post('/v1/refund', apiKey, body, key);
    answers = true;
    const id = String(got.headers.get('x-operation-id'));
    const settle = (how: object) => all.relay.post(`/v1/operations/${id}/settle`, apiKey, how);
    return { ...all, id, settle, again: () => all.relay.post('/v1/refund', apiKey, body, key) };
  }

  it('frees what did not happen, keeps what did, and sends nothing', async () => {
    const { settle, refund, refunds, relay, id } = await unknownRefund();
    const settlement = { outcome: 'failed', items: ['succeeded', 'failed'], note: 'seen in the portal' };
    expect(await settle(settlement)).toMatchObject({
      status: 200,
      body: {
        status: 'settled',
        items: ['succeeded', 'failed'],
        settlement: { by: 'person', who: 'all', items: ['succeeded', 'failed'], note: 'seen in the portal' },
      },
    });
    expect((await relay.get(`/v1/operations/${id}`, apiKey)).body).toMatchObject({ status: 'settled', by: 'all' });
    expect(refunds()).toHaveLength(1);
    expect((await refund('30.00')).status).toBe(409);
    expect((await refund('29.90')).status).toBe(200);
  });

  it('is overridden by a later answer, and refunded money stays reserved', async () => {
    let now = new Date('2026-11-21T09:00:00Z');
    const { script, answer } = holding(refunding(() => done));
    const gateway = await scriptedGateway(script);
    const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs: 20_000, now: () => now });
    const refund_orders = [{ transaction_id, currency: 'BRL', amount: '129.90', refund_amount: '129.90' }];
    const first = relay.post('/v1/refund', apiKey, { refund_orders }, { 'idempotency-key': 'k' });
    await expect.poll(() => gateway.sent('/v1/refund').length).toBe(1);
    now = new Date('2026-11-21T10:00:00Z');
    const again = await relay.post('/v1/refund', apiKey, { refund_orders }, { 'idempotency-key': 'k' });
    const path = `/v1/operations/${again.body.operation_id}`;
    await expect.poll(async () => (await relay.get(path, apiKey)).body.status).toBe('unknown');
    await relay.post(`${path}/settle`, apiKey, { outcome: 'failed', note: 'not in the books' });
    answer();
    expect((await first).status).toBe(200);
    expect((await relay.get(path, apiKey)).body).toMatchObject({
      status: 'answered',
      items: ['succeeded'],
      settlement: { items: ['failed'], note: 'not in the books' },
    });
    expect((await relay.post('/v1/refund', apiKey, { refund_orders })).body.code).toBe('refund_exceeds_payment');
    expect(gateway.sent('/v1/refund')).toHaveLength(1);
  });

  it('needs a key with the scope settle and the operation’s own', async () => {
    const scopesOf = { refunds: ['refund'], settles: ['settle'], both: ['refund', 'settle'] };
    const { merchant_id, account_id, signingSecret: signing_secret } = account;
    const api_keys = Object.entries(scopesOf).map(([name, scopes]) => ({ name, sha256: sha256(name), scopes }));
    const accounts = [
      { id: 'demo', merchant_id, account_id, signing_secret, allowed_origins: ['https://shop.example'], api_keys },
    ];
    const gateway = await scriptedGateway(drop);
    const relay = await startTestRelay({ gatewayUrl: gateway.url, config: { accounts } });
    const refund_orders = [{ transaction_id, currency: 'BRL', amount: '9.00', refund_amount: '9.00' }];
    const { operation_id } = (await relay.post('/v1/refund', 'refunds', { refund_orders })).body;
    const path = `/v1/operations/${operation_id}`;
    for (const key of ['refunds', 'settles']) {
      const refused = await relay.post(`${path}/settle`, key, { outcome: 'failed' });
      expect(refused, key).toMatchObject({ status: 403, body: { code: 'missing_scope' } });
    }
    expect((await relay.get(path, 'refunds')).body).toMatchObject({ status: 'unknown', by: 'refunds' });
    expect((await relay.post(`${path}/settle`, 'both', { outcome: 'failed' })).status).toBe(200);
    expect((await relay.get(path, 'both')).body).toMatchObject({ by: 'refunds', settlement: { who: 'both' } });
  });

  it('settles it only once', async () => {
    const { settle } = await unknownRefund();
    const both = await Promise.all([settle({ outcome: 'failed' }), settle({ outcome: 'succeeded' })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await settle({ outcome: 'failed' })).toMatchObject({ status: 409, body: { code: 'operation_not_unknown' } });
  });

  it('must decide every item', async () => {
    const { settle } = await unknownRefund();
    expect(await settle({ outcome: 'failed', items: ['failed'] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'items' }] },
    });
    expect((await settle({ outcome: 'maybe' })).status).toBe(400);
  });

  it('changes the answer to a repeated request, which is never resent', async () => {
    const { settle, again, refunds, id } = await unknownRefund();
    expect(await again()).toMatchObject({ status: 409, body: { code: 'outcome_unknown', operation_id: id } });
    await settle({ outcome: 'failed' });
    expect(await again()).toMatchObject({ status: 409, body: { code: 'operation_settled', operation_id: id } });
    expect(refunds()).toHaveLength(1);
  });

  it('cannot contradict the gateway’s result of an item', async () => {
    let count = 0;
    const { relay, refund } = await setUp(refunding(() => (count++ === 0 ? done : disagreeing)));
    const id = (await refund('1.00', '2.00')).headers.get('x-operation-id');
    const settle = (items: string[]) => relay.post(`/v1/operations/${id}/settle`, apiKey, { outcome: 'failed', items });
    expect(await settle(['failed', 'failed'])).toMatchObject({ status: 400, body: { errors: [{ path: 'items.0' }] } });
    expect(await settle(['succeeded', 'failed'])).toMatchObject({ body: { items: ['succeeded', 'failed'] } });
  });

  it('cannot settle an operation that the gateway answered', async () => {
    const { relay, refund } = await setUp();
    const id = (await refund('1.00')).headers.get('x-operation-id');
    expect(await relay.post(`/v1/operations/${id}/settle`, apiKey, { outcome: 'failed' })).toMatchObject({
      status: 409,
      body: { code: 'operation_not_unknown' },
    });
  });
});
