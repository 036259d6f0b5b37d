import { describe, expect, it } from 'vitest';
import type { ShopperVisit } from '../../../bench/failover/shoppers.ts';
import type { ReceivedWebhook } from '../../../bench/failover/webhooks.ts';
import { sandboxGateway } from '../../support/gateways/sandbox-gateway.ts';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { apiKey, card, order, startTestRelay } from '../../support/relays/relay.ts';
import { verdictOf } from './verdict.ts';

/** A relay, its gateway, a shop, and an order that a client knows as approved. */
async function setUp() {
  const received: ReceivedWebhook[] = [];
  const shop = await startReceiver(({ id, type, data, raw }, res) => {
    received.push({ id, type, subject: String(data.id), body: raw });
    res.end();
  });
  const gateway = await sandboxGateway();
  const relay = await startTestRelay({ gatewayUrl: gateway.url, config: withReceiver(shop.url) });
  const body = order();
  const paid = await relay.post('/v1/payments', apiKey, { ...body, ...card });
  expect(paid.body).toMatchObject({ status: 'approved' });
  const visit: ShopperVisit = {
    order_no: body.order_no,
    session: String(paid.body.id),
    paid: 'approved',
    differing: [],
  };
  const get = (_kind: string, path: string) => relay.get(path, apiKey);
  const verdict = (visits: ShopperVisit[]) => verdictOf(gateway, { visits, get }, received, 2000);
  return { gateway, visit, verdict };
}

describe('the verdict', () => {
  it('is that nothing was lost', async () => {
    const { visit, verdict } = await setUp();
    const nothing = { wrong: [], waiting: [], replays: [] };
    expect(await verdict([visit])).toEqual(nothing);
    // A client whose request got no answer.
    const { session: _session, paid: _paid, ...unanswered } = visit;
    expect(await verdict([unanswered])).toEqual(nothing);
  });

  it('names an approval that the gateway does not have', async () => {
    const { visit, verdict } = await setUp();
    const { wrong } = await verdict([visit, { order_no: 'A-lost', paid: 'approved', differing: [] }]);
    expect(wrong).toEqual(['A-lost is approved for the client and not charged at the gateway']);
  });

  it('names a payment that the relay does not have', async () => {
    const { gateway, visit, verdict } = await setUp();
    const [payment] = gateway.payments.list();
    if (!payment) throw new Error('no payment');
    const other = { ...payment, order: { ...payment.order, order_no: 'A-unknown' } };
    gateway.payments.list = () => [payment, other];
    const { wrong } = await verdict([visit, { order_no: 'A-unknown', differing: [] }]);
    expect(wrong).toEqual(['A-unknown is charged at the gateway and not paid in the relay']);
  });

  it('names an order that was charged twice', async () => {
    const { gateway, visit, verdict } = await setUp();
    const [payment] = gateway.payments.list();
    if (!payment) throw new Error('no payment');
    gateway.payments.list = () => [payment, payment];
    expect((await verdict([visit])).wrong).toEqual([`${visit.order_no} is charged 2 times`]);
  });
});
