import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { relayProfile } from '../../../sandbox/relay-config.ts';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { methods, pix } from '../../support/gateways/issuer.ts';
import { sandboxPortal, willingPortal } from '../../support/gateways/portals.ts';
import { stores, storesOf } from '../../support/gateways/settlement.ts';
import { freePort } from '../../support/http/free-port.ts';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { openConsole, seen } from '../../support/operators/console-truth.ts';
import { apiKey, card, order, startTestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const DAY_MS = 86_400_000;

const gateways = { 'the sandbox': sandboxPortal, 'a gateway that says yes': willingPortal };
const worlds = stores.flatMap((store) =>
  Object.entries(gateways).map(([name, portal]) => [name, store, portal] as const),
);

/** From yesterday until after the last renewal. */
const period = new URLSearchParams({
  from: new Date(Date.now() - DAY_MS).toISOString(),
  to: new Date(Date.now() + 200 * DAY_MS).toISOString(),
});

const subscription = {
  ...{ contract: 'C-1', contract_name: 'Tea', contract_amount: '129.90', interval: 'month', interval_count: '1' },
  ...{ billing_cycle: 12, contract_start: '2026-11-21', contract_end: '2030-11-21' },
};

describe.each(worlds)('a merchant’s story with %s, on %s', (name, kind, startPortal) => {
  const newStore = storesOf(kind);
  /** The console is checked in one of these worlds: its answers are the same in all. */
  const isSeen = name === 'the sandbox' && kind === stores[0];

  async function setUp(capture: object = {}) {
    const [shop, portal, port, store] = await Promise.all([startReceiver(), startPortal(), freePort(), newStore()]);
    const relay = await startTestRelay({
      gatewayUrl: portal.url,
      ...(isSeen ? { consolePage: seen.consolePage() } : {}),
      profile: { ...relayProfile, capture: { ...relayProfile.capture, ...capture } },
      config: {
        ...withReceiver(shop.url),
        ...store,
        ...(isSeen ? seen.config : {}),
        ...{ listen: { port }, public_url: `http://127.0.0.1:${port}` },
        resolve: { first_ms: 50, max_ms: 100, confirm_ms: 100 },
      },
    });
    const console = isSeen ? await openConsole(relay) : undefined;
    const get = async (path: string) => (await relay.get(path, apiKey)).body;
    const webhooksOf = (type: string) => shop.received.filter((one) => one.type === type);
    return {
      relay,
      shop,
      portal,
      webhooksOf,
      async webhook(type: string, times = 1) {
        await until(`${times} ${type}`, () => webhooksOf(type).length >= times);
        return webhooksOf(type).at(-1)?.data ?? {};
      },
      /** Pays and returns the order_no and the transaction. */
      async pay(number: string = card.card, more: object = {}) {
        const given = { ...order(), ...more };
        const { body } = await relay.post('/v1/payments', apiKey, { ...given, ...card, card: number });
        expect(body).toMatchObject({ status: 'approved' });
        return {
          orderNo: given.order_no,
          transaction: String(body.transaction_id),
          recurring: String(body.recurring_id),
        };
      },
      act: async (name: string, orderNo: string, body: object = {}) =>
        (await relay.post(`/v1/orders/${orderNo}/${name}`, apiKey, body)).body,
      payment: (transaction: string) => get(`/v1/payments/${transaction}`),
      order: (orderNo: string) => get(`/v1/orders/${orderNo}`),
      /** Expects this status in the order, its line in the list, the filtered list and the CSV. */
      async expectStatus(order_no: string, status: string) {
        await console?.expectTruth(order_no, () => get(`/v1/orders/${order_no}`));
        const csv = await relay.get(`/v1/orders?${new URLSearchParams({ order_no, status, format: 'csv' })}`, apiKey);
        expect(await get(`/v1/orders/${order_no}`)).toMatchObject({ status });
        expect(await get(`/v1/orders?order_no=${order_no}`)).toMatchObject({ orders: [{ status }] });
        expect(csv.text.split('\r\n').filter((line) => line.includes(order_no))).toEqual([
          expect.stringContaining(`,${status},`),
        ]);
      },
      /** Waits until the sums of the statistics are as expected. */
      expectSums: (sums: object) =>
        expect.poll(async () => (await get(`/v1/stats?${period}`)).total).toMatchObject(sums),
      async list(what: 'orders' | 'payments', filter: Record<string, string>): Promise<unknown[]> {
        const found = (await get(`/v1/${what}?${new URLSearchParams(filter)}`))[what];
        return Array.isArray(found) ? found : [];
      },
    };
  }

  it('authorises, and captures in two parts', async () => {
    const { pay, act, webhook, payment, portal, expectStatus } = await setUp({ card: 'manual' });
    const { orderNo, transaction } = await pay(testCards.authorised.number);
    await webhook('payment.ready');
    expect(await payment(transaction)).toMatchObject({ status: 'authorised', captured: '0.00', capturable: '129.90' });
    await expectStatus(orderNo, 'authorised');
    expect(await act('refund', orderNo, { amount: '1.00', reason: 'r' })).toMatchObject({
      code: 'refund_exceeds_payment',
    });
    expect(await act('capture', orderNo, { amount: '50.00' })).toMatchObject({
      payment: { status: 'partially_captured' },
    });
    await expectStatus(orderNo, 'partially_captured');
    expect(await act('capture', orderNo, { amount: '80.00' })).toMatchObject({ code: 'capture_exceeds_payment' });
    expect(await act('refund', orderNo, { amount: '50.01', reason: 'r' })).toMatchObject({
      code: 'refund_exceeds_payment',
    });
    expect(await act('capture', orderNo)).toMatchObject({
      payment: { status: 'paid', captured: '129.90', capturable: '0.00' },
    });
    expect(await webhook('payment.captured', 2)).toMatchObject({ payment: { captured: '129.90' } });
    await expectStatus(orderNo, 'paid');
    expect([portal.sent('capture'), portal.sent('refund')]).toEqual([2, 0]);
  });

  it('voids the payment', async () => {
    const { pay, act, webhook, portal, webhooksOf, expectStatus } = await setUp({ card: 'manual' });
    const { orderNo } = await pay(testCards.authorised.number);
    await webhook('payment.ready');
    expect(await act('cancel', orderNo)).toMatchObject({ payment: { status: 'cancelled', refundable: '0.00' } });
    await webhook('payment.cancelled');
    await expectStatus(orderNo, 'cancelled');
    for (const [name, body] of [
      ['refund', { reason: 'r' }],
      ['capture', {}],
      ['cancel', {}],
    ] as const)
      expect(await act(name, orderNo, body)).toMatchObject({ code: 'payment_cancelled' });
    expect([portal.sent('cancel'), portal.sent('capture'), portal.sent('refund')]).toEqual([1, 0, 0]);
    expect(webhooksOf('payment.cancelled')).toHaveLength(1);
  });

  it('is held and accepted', async () => {
    const { pay, act, webhook, payment, portal, webhooksOf, expectStatus } = await setUp();
    const { orderNo, transaction } = await pay(testCards.held.number);
    expect(await webhook('payment.held')).toMatchObject({ payment: { status: 'held' } });
    await expectStatus(orderNo, 'held');
    expect(await act('capture', orderNo)).toMatchObject({ code: 'payment_held' });
    expect(webhooksOf('payment.ready')).toEqual([]);
    expect(await act('review', orderNo, { decision: 'accept' })).toMatchObject({ payment: { status: 'paid' } });
    await webhook('payment.accepted');
    await webhook('payment.ready');
    expect(await payment(transaction)).toMatchObject({ status: 'paid' });
    expect([portal.sent('review'), portal.sent('capture')]).toEqual([1, 0]);
  });

  it('is held, and accepted in the portal', async () => {
    const { pay, webhook, payment, portal } = await setUp();
    const { transaction } = await pay(testCards.held.number);
    await webhook('payment.held');
    await portal.act('accept', transaction);
    await webhook('payment.accepted');
    await webhook('payment.ready');
    expect(await payment(transaction)).toMatchObject({ status: 'paid' });
  });

  it('is held and rejected', async () => {
    const { pay, act, webhook, portal, webhooksOf, expectStatus } = await setUp();
    const { orderNo } = await pay(testCards.held.number);
    await webhook('payment.held');
    expect(await act('review', orderNo, { decision: 'reject' })).toMatchObject({ payment: { status: 'rejected' } });
    await webhook('payment.rejected');
    await expectStatus(orderNo, 'rejected');
    expect(await act('refund', orderNo, { reason: 'r' })).toMatchObject({ code: 'payment_rejected' });
    expect(await act('capture', orderNo)).toMatchObject({ code: 'payment_rejected' });
    expect(webhooksOf('payment.ready')).toEqual([]);
    expect([portal.sent('review'), portal.sent('refund'), portal.sent('capture')]).toEqual([1, 0, 0]);
  });

  it('refunds a part, then the rest', async () => {
    const { pay, act, webhook, portal, expectStatus, expectSums } = await setUp();
    const { orderNo } = await pay();
    await webhook('payment.ready');
    expect(await act('refund', orderNo, { amount: '29.90', reason: 'r' })).toMatchObject({
      payment: { status: 'partially_refunded', refundable: '100.00' },
    });
    await expectStatus(orderNo, 'partially_refunded');
    expect(await act('refund', orderNo, { amount: '100.01', reason: 'r' })).toMatchObject({
      code: 'refund_exceeds_payment',
    });
    expect(await act('refund', orderNo, { reason: 'r' })).toMatchObject({
      payment: { status: 'refunded', refunded: '129.90' },
    });
    expect(await webhook('payment.refunded', 2)).toMatchObject({ payment: { refundable: '0.00' } });
    await expectStatus(orderNo, 'refunded');
    await expectSums({ gross: [{ count: 1, amount: '129.90' }], net: [] });
    expect(await act('refund', orderNo, { amount: '0.01', reason: 'r' })).toMatchObject({
      code: 'refund_exceeds_payment',
    });
    expect(portal.sent('refund')).toBe(2);
  });

  it('is charged back, and the merchant wins', async () => {
    const { pay, act, webhook, payment, portal, order: orderOf, expectStatus } = await setUp();
    const { orderNo, transaction } = await pay();
    await webhook('payment.ready');
    await portal.act('charge_back', transaction);
    expect(await webhook('payment.reversed')).toMatchObject({ payment: { status: 'reversed', refundable: '0.00' } });
    expect(await act('refund', orderNo, { reason: 'r' })).toMatchObject({ code: 'payment_reversed' });
    expect(await orderOf(orderNo)).toMatchObject({ needs_attention: true });
    await expectStatus(orderNo, 'reversed');
    await portal.act('reverse', transaction);
    expect(await webhook('payment.ready', 2)).toMatchObject({ restored: true });
    expect(await payment(transaction)).toMatchObject({ status: 'paid' });
    await expectStatus(orderNo, 'paid');
    expect(portal.sent('refund')).toBe(0);
  });

  it('is paid twice, and one payment is refunded', async () => {
    const { relay, webhook, webhooksOf, portal, act, order: orderOf, expectStatus } = await setUp();
    const session = await relay.session(methods);
    await relay.pay(session.secret, pix);
    const voucher = portal.waiting();
    await relay.post('/checkout/api/abandon', session.secret, {});
    const { body } = await relay.pay(session.secret, card);
    expect(body).toMatchObject({ status: 'approved' });
    await portal.act('approve', voucher);
    await webhook('session.paid_twice');
    await expectStatus(session.orderNo, 'paid_twice');
    expect(await act('refund', session.orderNo, { reason: 'r' })).toMatchObject({ code: 'several_payments' });
    const refund = await act('refund', session.orderNo, { reason: 'r', transaction_id: voucher });
    expect(refund).toMatchObject({ payment: { status: 'refunded' } });
    const { payments } = await orderOf(session.orderNo);
    expect(payments).toHaveLength(2);
    await expectStatus(session.orderNo, 'paid');
    await webhook('payment.ready');
    expect(webhooksOf('payment.ready')).toMatchObject([{ data: { payment: { transaction_id: body.transaction_id } } }]);
  });

  it('pays out, and the bank returns the money', async () => {
    const { relay, portal, webhooksOf } = await setUp();
    const payout = {
      ...{ request_id: randomUUID(), beneficiary_id: 'B-1', payment_amount: '10.00', payment_currency: 'BRL' },
      reference: 'sandbox:pending-fail',
    };
    const { headers } = await relay.post('/v1/payout', apiKey, payout);
    await portal.returnPayout();
    const items = async () => (await relay.get(`/v1/operations/${headers.get('x-operation-id')}`, apiKey)).body.items;
    await until('the payout failed', async () => String(await items()) === 'failed');
    await until('the webhook arrives', () => webhooksOf('operation.completed').length > 0);
    expect((await relay.post('/v1/payout', apiKey, payout)).body).toMatchObject({ code: 'request_id_used' });
  });

  it('renews a contract: paid, failed, refunded', async () => {
    const { pay, webhook, portal, act, payment, list, expectStatus, expectSums } = await setUp();
    const { orderNo, recurring } = await pay(card.card, { subscription });
    await webhook('payment.ready');
    const renewal = await portal.renew(recurring, 'charge');
    const charged = await webhook('subscription.charged');
    expect(charged).toMatchObject({
      ...{ recurring_id: recurring, failures: 0 },
      payment: { transaction_id: renewal, origin: 'renewal', status: 'paid', recurring_id: recurring },
    });
    await webhook('payment.ready', 2);
    expect(charged.order_no).not.toBe(orderNo);
    expect(await list('payments', { recurring_id: recurring })).toHaveLength(2);
    const refund = await act('refund', String(charged.order_no), { amount: '29.90', reason: 'r' });
    expect(refund).toMatchObject({ payment: { transaction_id: renewal, status: 'partially_refunded' } });
    await expectStatus(String(charged.order_no), 'partially_refunded');
    await portal.renew(recurring, 'decline');
    expect(await webhook('subscription.charge_failed')).toMatchObject({ recurring_id: recurring, failures: 1 });
    await portal.renew(recurring, 'charge');
    expect(await webhook('subscription.charged', 2)).toMatchObject({ failures: 0 });
    expect(await payment(renewal)).toMatchObject({ refunded: '29.90', refundable: '100.00' });
    await expectSums({
      gross: [{ count: 3, amount: '389.70' }],
      net: [{ count: 3, amount: '359.80' }],
      renewals: [{ count: 2, amount: '259.80' }],
    });
  });

  it('ends a contract that is charged once more', async () => {
    const { pay, webhook, portal, relay, order: orderOf } = await setUp();
    const { orderNo, recurring } = await pay(card.card, { subscription });
    await webhook('payment.ready');
    const ended = await relay.post('/v1/subscription/cancel', apiKey, {
      recurring_id: recurring,
      contract_name: 'Tea',
    });
    expect(ended.status).toBe(200);
    const renewal = await portal.renew(recurring, 'charge');
    expect(await webhook('subscription.charged')).toMatchObject({ payment: { transaction_id: renewal } });
    expect(await orderOf(orderNo)).toMatchObject({ payments: [{ credited: true }] });
  });
});
