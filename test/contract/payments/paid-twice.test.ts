import { describe, expect, it } from 'vitest';
import { methods, pix, redirection } from '../../support/gateways/issuer.ts';
import { approval, scriptedGateway, sendRecords, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { card, startTestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

/** A shopper leaves a Pix payment and pays by card (transaction T2); then the Pix (T1) is paid, too. */
async function setUp() {
  const shop = await startReceiver();
  const books: { transaction_id: string; transaction_date?: string }[] = [];
  const gateway = await scriptedGateway((received, res) => {
    if (received.path === '/v1/authorise') {
      if (!received.message.card) return sendXml(res, signedXml(redirection(received, 'http://127.0.0.1:9/')));
      books.push({ transaction_id: 'T2' });
      return sendXml(res, signedXml({ ...approval(received), transaction_id: 'T2' }));
    }
    const { amount, currency, order_no } = gateway.authorised()[0]?.message ?? {};
    sendRecords(
      res,
      books.map((one) => ({ amount, currency, order_no, payment_status: '3000', ...one })),
    );
  });
  const config = { ...withReceiver(shop.url), resolve: { first_ms: 20, max_ms: 100 } };
  const relay = await startTestRelay({ gatewayUrl: gateway.url, config });
  const leave = async (secret: string, id: string): Promise<void> => {
    await relay.pay(secret, pix);
    await relay.comeBack(id);
    expect(await relay.truth(id)).toMatchObject({ status: 'open' });
  };
  return { shop, books, gateway, relay, leave };
}

describe('an order that the gateway proves to be paid twice', () => {
  it('is reported once, with both transactions, without any notification', async () => {
    const { shop, books, gateway, relay, leave } = await setUp();
    const { secret, id, orderNo } = await relay.session(methods);
    await leave(secret, id);
    expect((await relay.pay(secret, card)).body).toMatchObject({ status: 'approved', transaction_id: 'T2' });
    books.push({ transaction_id: 'T1' });
    const { data } = await shop.one('session.paid_twice');
    expect(data).toMatchObject({ id, order_no: orderNo, transaction_id: 'T2', transaction_ids: ['T2', 'T1'] });
    expect(await relay.truth(id)).toMatchObject({
      status: 'approved',
      transaction_id: 'T2',
      paid_twice: ['T2', 'T1'],
      attempts: [
        { status: 'approved', transaction_id: 'T1' },
        { status: 'approved', transaction_id: 'T2' },
      ],
    });
    expect(await relay.context.metrics.registry.metrics()).toMatch(/^turnpike_paid_twice_total 1$/m);
    expect(gateway.authorised()).toHaveLength(2);

    const { notify_url } = gateway.authorised()[0]?.message ?? {};
    const handled = async () => (await relay.context.store.orders.get('demo', orderNo)).noticed;
    await relay.send(new URL(String(notify_url)).pathname, { method: 'POST' });
    await until('the gateway was queried once more', async () => (await handled()) === 1);
    // The webhooks of the payment and of the session come in any order.
    const types = ['payment.ready', 'session.approved', 'session.paid_twice', 'session.redirected'];
    await expect.poll(() => shop.types().toSorted()).toEqual(types);
  });

  it('approves an expired session late, by the date of its record', async () => {
    const { shop, books, gateway, relay, leave } = await setUp();
    const left = await relay.session({ ...methods, expires_in: 120 });
    await leave(left.secret, left.id);
    // With the clock tolerance of 15 minutes, this is after the first attempt and before the second.
    const paidAt = new Date(Date.now() - 14 * 60_000);
    relay.pass(120_000);
    await until('the webhook arrives', () => shop.types().includes('session.expired'));
    const other = await relay.session({ ...methods, order: { order_no: left.orderNo } });
    expect((await relay.pay(other.secret, card)).body).toMatchObject({ status: 'approved' });
    books.push({ transaction_id: 'T1', transaction_date: paidAt.toISOString().replace(/\D/g, '').slice(0, 14) });
    await relay.send(new URL(String(gateway.authorised()[0]?.message.notify_url)).pathname, { method: 'POST' });
    expect(await relay.settled(left.id, 'expired')).toMatchObject({
      status: 'approved',
      transaction_id: 'T1',
      paid_twice: ['T2', 'T1'],
      attempts: [{ status: 'approved', transaction_id: 'T1' }],
    });
    await shop.one('session.paid_twice');
    const webhooks = shop.received.filter(({ data }) => data.id === left.id);
    expect(webhooks.map(({ type }) => type)).toEqual([
      'session.redirected',
      'session.expired',
      'session.approved',
      'session.paid_twice',
    ]);
    expect(webhooks.at(-2)?.data).toMatchObject({ late: true });
    expect(webhooks.at(-1)?.data).toMatchObject({ transaction_ids: ['T2', 'T1'] });
    expect(await relay.truth(other.id)).toMatchObject({
      status: 'approved',
      transaction_id: 'T2',
      paid_twice: ['T2', 'T1'],
    });
  });
});
