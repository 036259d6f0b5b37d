import { describe, expect, it } from 'vitest';
import { approval, scriptedGateway, sendRecords, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import { account, apiKey, card, order, startTestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

describe('a payment whose answer has no outcome', () => {
  it('is settled by query and never resent', async () => {
    const gateway = await scriptedGateway((received, res) => {
      if (received.path === '/v1/authorise') return;
      const { amount, currency, order_no } = gateway.authorised()[0]?.message ?? {};
      sendRecords(res, [{ amount, currency, order_no, transaction_id: 'T1', payment_status: '3000' }]);
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs: 4000 });
    const { secret, id, orderNo } = await relay.session();
    expect((await relay.pay(secret, card)).body).toEqual({ status: 'unknown' });
    expect(await relay.settled(id, 'unknown')).toMatchObject({
      status: 'approved',
      transaction_id: 'T1',
      card: '411111******1111',
    });
    expect(gateway.authorised()).toHaveLength(1);
    expect(gateway.queried()[0]?.message).toMatchObject({ orders: orderNo, merchant_id: account.merchant_id });
  });

  it('holds the order, and shows the reason and the next query', async () => {
    const gateway = await scriptedGateway((received, res) => {
      if (received.path === '/v1/authorise') res.destroy();
      else sendRecords(res, []);
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const { secret, id, orderNo } = await relay.session();
    expect((await relay.pay(secret, card)).body).toEqual({ status: 'unknown' });
    expect(await relay.truth(id)).toMatchObject({
      status: 'unknown',
      unknown: {
        reason: 'connection_lost',
        since: expect.any(String),
        next_query_at: expect.any(String),
        queries: expect.any(Number),
        needs_attention: false,
      },
    });
    expect(await relay.pay(secret, card)).toMatchObject({ status: 409, body: { code: 'attempt_in_flight' } });
    const second = await relay.post('/v1/sessions', apiKey, { order: { ...order(), order_no: orderNo } });
    expect(second).toMatchObject({ status: 409, body: { code: 'order_in_progress' } });
    expect(gateway.authorised()).toHaveLength(1);
  });

  it('is open again after three empty queries over absent_ms', async () => {
    const gateway = await scriptedGateway((received, res) => {
      if (received.path === '/v1/authorise') res.destroy();
      else sendRecords(res, []);
    });
    const resolve = { first_ms: 10, max_ms: 20, absent_ms: 300 };
    const relay = await startTestRelay({ gatewayUrl: gateway.url, config: { resolve } });
    const { secret, id } = await relay.session();
    await relay.pay(secret, card);
    expect(await relay.settled(id, 'unknown')).toMatchObject({ status: 'open' });
    expect(gateway.queried().length).toBeGreaterThanOrEqual(3);
  });

  it('is not settled by a query that does not count', async () => {
    const record = (): object => {
      const { amount, currency, order_no } = gateway.authorised()[0]?.message ?? {};
      return { amount, currency, order_no, transaction_id: 'T1', payment_status: '3000' };
    };
    const lies = [{ return_status: '0' }, { merchant_id: '9' }, { account_id: '9' }, { encryption_data: 'wrong' }];
    const gateway = await scriptedGateway((received, res) => {
      if (received.path === '/v1/authorise') res.destroy();
      else sendRecords(res, [record()], lies[(gateway.queried().length - 1) % lies.length]);
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url, config: { resolve: { first_ms: 10, max_ms: 10 } } });
    const { secret, id } = await relay.session();
    await relay.pay(secret, card);
    await until('every false answer was sent twice', () => gateway.queried().length >= lies.length * 2);
    expect(await relay.truth(id)).toMatchObject({ status: 'unknown' });
  });

  it('of a crashed relay is taken over; a late decline changes nothing', async () => {
    let ahead = 0;
    const now = (): Date => new Date(Date.now() + ahead);
    let answerLate = (): void => undefined;
    const gateway = await scriptedGateway((received, res) => {
      if (received.path === '/v1/authorise') {
        const declined = signedXml({ ...approval(received), order_status: '0', result_info: '2001:no' });
        answerLate = () => sendXml(res, declined);
        return;
      }
      const { amount, currency, order_no } = gateway.authorised()[0]?.message ?? {};
      sendRecords(res, [{ amount, currency, order_no, transaction_id: 'T1', payment_status: '3000' }]);
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs: 60_000, now });
    const { secret, id } = await relay.session();
    const dying = relay.pay(secret, card);
    await until('the gateway has the payment', () => gateway.authorised().length > 0);

    const heir = await startTestRelay({ gatewayUrl: gateway.url, folder: relay.folder, now });
    ahead = 70_000;
    expect(await heir.settled(id, 'processing', 'unknown')).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    answerLate();
    expect((await dying).body).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    expect(await heir.truth(id)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    expect(gateway.authorised()).toHaveLength(1);
  });
});
