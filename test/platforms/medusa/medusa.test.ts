import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { freePort } from '../../support/http/free-port.ts';
import { FACTS } from '../../support/medusa/facts.ts';
import {
  checkTypes,
  failNextCompletion,
  installMedusa,
  type Medusa,
  run,
  startMedusa,
} from '../../support/medusa/server.ts';
import { openShop, type Shop } from '../../support/medusa/shop.ts';
import { type Capture, startRelayOf } from '../../support/medusa/stand.ts';
import { apiKey } from '../../support/relays/relay.ts';

let installed: Awaited<ReturnType<typeof installMedusa>>;
let medusa: Medusa;
let shop: Shop;
let relayPort: number;
beforeAll(async () => {
  relayPort = await freePort();
  installed = await installMedusa();
  medusa = await startMedusa(installed.folder, `http://127.0.0.1:${relayPort}`);
  shop = await openShop(medusa);
}, 1_800_000);
afterAll(async () => {
  await medusa?.stop();
  installed?.remove();
});

const start = (capture: Capture, options = {}) => {
  onTestFinished(({ task }) => {
    if (task.result?.state === 'fail') console.log(medusa.printed().slice(-8000));
  });
  return startRelayOf(medusa, shop, relayPort, { capture, ...options });
};

/** An order in Medusa whose payment is authorised only. */
async function authorisedOrder() {
  const stand = await start('manual');
  const { cart, session } = await stand.payInPage('authorised');
  const { body } = await shop.complete(cart);
  expect(body).toMatchObject({ type: 'order' });
  const id = await shop.orderOf(session.id);
  return { ...stand, session, id, payment: () => stand.payment(session.data.order_no), paid: await shop.payment(id) };
}

it('has a provider whose types fit those of Medusa', async () => {
  await checkTypes(installed.folder);
});

it('has a provider that is exact about money and webhooks', async () => {
  writeFileSync(join(installed.folder, 'facts.mjs'), FACTS);
  const printed = await run(installed.folder, 'node', ['facts.mjs'], { ...process.env, NODE_ENV: 'production' });
  expect(JSON.parse(printed)).toEqual({
    written: ['129.90', '107.25', '0.10', '1001', '10.126', '12345678901234.57', '5.00'],
    faulty: ['invalid_data', 'invalid_data'],
    parts: [
      ['334', '333', '334'],
      ['33.34', '33.33', '33.34'],
      ['3.334', '3.333', '3.334'],
      ['5.01', '5'],
      ['53.62', '53.63'],
    ],
    atOnce: ['0', '30'],
    afterwards: '10',
    beside: '30',
    reasons: [1000, 999, 'Refunded in Medusa'],
    isLive: [false, true],
    notCancellable: [
      expect.stringContaining('reject it'),
      expect.stringContaining('is refunded'),
      expect.stringContaining('was reversed'),
      expect.stringContaining('refund the captured amount'),
    ],
    unknownCapture: [expect.stringContaining('no known outcome yet'), 'taken'],
    sessions: [
      { message: expect.stringContaining('order_already_paid'), asked: 1 },
      { message: expect.stringContaining('create a new cart'), asked: 20 },
    ],
    unsigned: 'headers_missing',
    forged: 'signature_wrong',
    wrongOptions: ['ClientMisused', 'VerifierMisused'],
  });
});

describe('a cart that is paid in the page', () => {
  it('becomes an order by the webhook, and is refunded in part', async () => {
    const { gateway, payment, payInPage } = await start('automatic');
    const { session, outcome } = await payInPage();
    expect(outcome).toMatchObject({ status: 'approved', order_no: session.data.order_no });
    const id = await shop.orderOf(session.id);
    await expect.poll(() => shop.order(id)).toMatchObject({ payment_status: 'captured', total: 129.9 });
    expect(await payment(session.data.order_no)).toMatchObject({
      status: 'paid',
      amount: '129.90',
      captured: '129.90',
    });

    const paid = await shop.payment(id);
    expect(paid).toMatchObject({ amount: 129.9, captures: [{ amount: 129.9 }], refunds: [] });
    const refunded = await shop.admin('POST', `/payments/${paid.id}/refund`, { amount: 10.55, note: 'One cup broke' });
    expect(refunded.status, JSON.stringify(refunded.body)).toBe(200);
    expect(await payment(session.data.order_no)).toMatchObject({ status: 'partially_refunded', refunded: '10.55' });
    expect(gateway.books.refunds.list()).toMatchObject([{ refund_amount: '10.55', refund_reason: 'One cup broke' }]);
    expect((await shop.payment(id)).refunds).toMatchObject([{ amount: 10.55 }]);
    await expect.poll(() => shop.order(id)).toMatchObject({ payment_status: 'partially_refunded' });
  });

  it('stays a cart until the unknown outcome is known', async () => {
    const { gateway, payInPage, relay } = await start('automatic');
    // Its queries are not answered until the test lets them.
    gateway.armed.arm({ operation: 'query', fault: 'error_before', times: 1000 });
    const { cart, session, outcome } = await payInPage('reset');
    expect(outcome).toMatchObject({ status: 'unknown' });
    expect(await shop.complete(cart)).toMatchObject({ status: 400, body: { type: 'not_allowed' } });
    expect((await relay.truth(session.data.id)).status).toBe('unknown');
    gateway.armed.clear();
    const id = await shop.orderOf(session.id);
    await expect.poll(() => shop.order(id)).toMatchObject({ payment_status: 'captured' });
    expect(gateway.payments.list()).toHaveLength(1);
  });

  it('is an order without a payment while it is held', async () => {
    const { relay, payInPage, payment } = await start('automatic');
    const { cart, session } = await payInPage('held');
    expect((await shop.complete(cart)).body).toMatchObject({ type: 'order' });
    const id = await shop.orderOf(session.id);
    expect(await payment(session.data.order_no)).toMatchObject({ status: 'held' });
    expect(await shop.hasPayment(id)).toBe(false);
    await relay.post(
      `/v1/orders/${session.data.order_no}/review`,
      apiKey,
      { decision: 'accept' },
      { 'idempotency-key': 'accept' },
    );
    await expect.poll(() => shop.order(id)).toMatchObject({ payment_status: 'captured' });
  });

  it('is an order that waits for a payment which takes long', async () => {
    const { gateway, payInPage } = await start('automatic');
    const { cart, session, outcome } = await payInPage('pending');
    expect(outcome).toMatchObject({ status: 'pending' });
    expect((await shop.complete(cart)).body).toMatchObject({ type: 'order' });
    const id = await shop.orderOf(session.id);
    expect(await shop.hasPayment(id)).toBe(false);
    const [paid] = gateway.payments.list();
    if (paid) gateway.payments.end(paid);
    await expect.poll(() => shop.order(id)).toMatchObject({ payment_status: 'captured' });
  });

  it('becomes an order by the storefront’s code', async () => {
    const { payWith, relay } = await start('automatic');
    const cart = await shop.cart();
    const begun = await shop.storefront(installed.folder, 'begin', cart);
    const { secret, link } = z.object({ secret: z.string(), link: z.string() }).parse(begun);
    expect(link).toBe(`${relay.url}/checkout/${secret.split('.')[0]}#${secret}`);
    expect(await shop.storefront(installed.folder, 'approved', cart)).toEqual({ confirming: true });
    expect(await payWith(secret)).toMatchObject({ status: 'approved' });
    const { placed } = z
      .object({ placed: z.string() })
      .parse(await shop.storefront(installed.folder, 'approved', cart));
    expect(await shop.order(placed)).toMatchObject({ payment_status: 'captured' });
  });

  it('is paid by another order after its payment was cancelled', async () => {
    const { payWith, payInPage, payment, relay } = await start('manual', { hasWebhook: false });
    const { cart, session } = await payInPage('authorised');
    await expect(shop.pay(cart)).rejects.toThrow(/^Medusa answers (400|500)/);
    const { order_no } = session.data;
    await relay.post(`/v1/orders/${order_no}/cancel`, apiKey, {}, { 'idempotency-key': 'cancel' });
    expect(await payment(order_no)).toMatchObject({ status: 'cancelled' });
    const again = await shop.pay(cart);
    expect(again.data.order_no).toBe(`${order_no}-2`);
    expect(await payWith(again.data.client_secret, 'authorised')).toMatchObject({ status: 'approved' });
    expect((await shop.complete(cart)).body).toMatchObject({ type: 'order' });
    expect(await shop.order(await shop.orderOf(again.id))).toMatchObject({ payment_status: 'authorized' });
  });

  it('takes no payment after its session was replaced', async () => {
    const { relay } = await start('automatic');
    const cart = await shop.cart();
    const first = await shop.pay(cart);
    const second = await shop.pay(cart);
    expect((await relay.truth(first.data.id)).status).toBe('expired');
    expect(await relay.truth(second.data.id)).toMatchObject({ status: 'open', amount: '129.90' });
    expect(second.data.order_no).toBe(first.data.order_no);
  });

  it('keeps a session whose payment is undecided', async () => {
    const { gateway, relay, payInPage } = await start('automatic');
    gateway.armed.arm({ operation: 'query', fault: 'error_before', times: 1000 });
    const { cart, session } = await payInPage('reset');
    await expect(shop.pay(cart)).rejects.toThrow(/^Medusa answers (400|500)/);
    expect((await relay.truth(session.data.id)).status).toBe('unknown');
    gateway.armed.clear();
    await shop.orderOf(session.id);
  });
});

describe('a payment that is authorised only', () => {
  it('is captured in parts by the admin API', async () => {
    const { id, paid, payment } = await authorisedOrder();
    expect(await shop.order(id)).toMatchObject({ payment_status: 'authorized' });
    expect(await payment()).toMatchObject({ status: 'authorised', captured: '0.00' });
    expect((await shop.admin('POST', `/payments/${paid.id}/capture`, { amount: 40.01 })).status).toBe(200);
    expect(await payment()).toMatchObject({ status: 'partially_captured', captured: '40.01' });
    expect((await shop.payment(id)).captures).toMatchObject([{ amount: 40.01 }]);
    expect((await shop.admin('POST', `/payments/${paid.id}/capture`, { amount: 89.89 })).status).toBe(200);
    expect(await payment()).toMatchObject({ status: 'paid', captured: '129.90' });
    await expect.poll(() => shop.order(id)).toMatchObject({ payment_status: 'captured' });
  });

  it('is captured and refunded to the last unit of thirds', async () => {
    const { id, paid, payment } = await authorisedOrder();
    // 43.335 is rounded to 43.34, so that the parts are 43.34, 43.33 and 43.23.
    for (const amount of [43.335, 43.335, 43.23]) {
      expect((await shop.admin('POST', `/payments/${paid.id}/capture`, { amount })).status).toBe(200);
    }
    expect(await payment()).toMatchObject({ status: 'paid', captured: '129.90' });
    for (const amount of [43.335, 43.335, 43.23]) {
      expect((await shop.admin('POST', `/payments/${paid.id}/refund`, { amount })).status).toBe(200);
    }
    expect(await payment()).toMatchObject({ status: 'refunded', refunded: '129.90' });
    expect((await shop.payment(id)).refunds).toHaveLength(3);
  });

  it('is cancelled with its order', async () => {
    const { id, payment } = await authorisedOrder();
    expect((await shop.admin('POST', `/orders/${id}/cancel`)).status).toBe(200);
    expect(await payment()).toMatchObject({ status: 'cancelled', capturable: '0.00' });
    expect((await shop.payment(id)).canceled_at).not.toBeNull();
  });

  it('is cancelled if Medusa cannot complete the cart', async () => {
    const { payInPage, payment } = await start('manual', { hasWebhook: false });
    const { cart, session } = await payInPage('authorised');
    failNextCompletion(installed.folder);
    expect(await shop.complete(cart)).toMatchObject({ status: 500 });
    const { order_no } = session.data;
    expect(await payment(order_no)).toMatchObject({ status: 'cancelled' });
    // Medusa does not ask the provider again.
    expect((await shop.complete(cart)).body).toMatchObject({ type: 'order' });
    const paid = await shop.payment(await shop.orderOf(session.id));
    expect(paid.canceled_at).not.toBeNull();
    expect(await shop.admin('POST', `/payments/${paid.id}/capture`)).toMatchObject({ status: 400 });
    expect(await payment(order_no)).toMatchObject({ status: 'cancelled', captured: '0.00' });
  });

  it('is captured once although the answer was lost', async () => {
    const { id, paid, payment, gateway, relay } = await authorisedOrder();
    gateway.armed.arm({ operation: 'capture', fault: 'reset', times: 1 });
    const capture = () => shop.admin('POST', `/payments/${paid.id}/capture`, { amount: 40 });
    const lost = await capture();
    expect(lost).toMatchObject({ status: 400, body: { message: expect.stringContaining('not known yet') } });
    const [, operation] = /operation (op_[\w-]+)/.exec(String(lost.body.message)) ?? [];
    expect((await shop.payment(id)).captures).toEqual([]);
    expect((await capture()).status).toBe(400);
    const settled = await relay.post(
      `/v1/operations/${operation}/settle`,
      apiKey,
      { outcome: 'succeeded' },
      { 'idempotency-key': 'settle' },
    );
    expect(settled.status).toBe(200);
    expect((await capture()).status).toBe(200);
    expect((await shop.payment(id)).captures).toMatchObject([{ amount: 40 }]);
    expect(await payment()).toMatchObject({ captured: '40.00' });
    expect(gateway.payments.list()).toMatchObject([{ state: { captured: '40.00' } }]);
  });
});

describe('a refund in Medusa', () => {
  /** A captured payment of 129.90 BRL. The relay searches for refunds only after the test has moved its clock. */
  const capturedOrder = async () => {
    const hour = 3_600_000;
    const stand = await start('automatic', { resolve: { first_ms: hour, max_ms: hour } });
    const { session } = await stand.payInPage();
    const id = await shop.orderOf(session.id);
    await expect.poll(() => shop.order(id)).toMatchObject({ payment_status: 'captured' });
    const paid = await shop.payment(id);
    const { order_no } = session.data;
    return {
      ...stand,
      id,
      order_no,
      payment: () => stand.payment(order_no),
      refund: (amount: number, note?: string) => shop.admin('POST', `/payments/${paid.id}/refund`, { amount, note }),
      refunds: async () => (await shop.payment(id)).refunds.map(({ amount }) => amount),
      /** Makes a refund whose answer is lost, so that Medusa deletes it, and lets the relay find it. */
      async loseRefund(amount: number) {
        stand.gateway.armed.arm({ operation: 'refund', fault: 'reset', times: 1 });
        const lost = await shop.admin('POST', `/payments/${paid.id}/refund`, { amount });
        expect(lost).toMatchObject({ status: 400, body: { message: expect.stringContaining('not known yet') } });
        expect((await shop.admin('POST', `/payments/${paid.id}/refund`, { amount })).status).toBe(400);
        expect((await shop.payment(id)).refunds).toEqual([]);
        stand.relay.pass(hour);
        await expect.poll(() => stand.payment(order_no)).toMatchObject({ refund_undecided: '0.00' });
      },
    };
  };

  it('is made once although its answer was lost', async () => {
    const { loseRefund, refund, refunds, payment, gateway } = await capturedOrder();
    await loseRefund(10);
    expect((await refund(10)).status).toBe(200);
    expect(await refunds()).toEqual([10]);
    expect(gateway.books.refunds.list()).toHaveLength(1);
    expect((await refund(10)).status).toBe(200);
    expect(gateway.books.refunds.list()).toHaveLength(2);
    expect(await payment()).toMatchObject({ refunded: '20.00' });
  });

  it('counts a lost refund for one of two at once', async () => {
    const { loseRefund, refund, refunds, payment } = await capturedOrder();
    await loseRefund(30);
    const both = await Promise.all([refund(30), refund(30)]);
    expect(both.map(({ status }) => status)).toContain(200);
    // The provider refuses one while the other one is at the gateway, and Medusa deletes it.
    if ((await refunds()).length < 2) expect((await refund(30)).status).toBe(200);
    expect(await refunds()).toEqual([30, 30]);
    expect(await payment()).toMatchObject({ refunded: '60.00' });
  });

  it('is made beside a refund of the console', async () => {
    const { order_no, relay, refund, refunds, payment } = await capturedOrder();
    const body = { amount: '100.00', reason: 'Console' };
    await relay.post(`/v1/orders/${order_no}/refund`, apiKey, body, { 'idempotency-key': 'console' });
    expect((await refund(20)).status).toBe(200);
    expect(await payment()).toMatchObject({ refunded: '120.00' });
    expect(await refund(20)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^100 BRL .* outside Medusa \(op_.*at most 9\.90 BRL/) },
    });
    expect(await refunds()).toEqual([20]);
    for (const amount of [9.9, 100]) expect((await refund(amount)).status).toBe(200);
    expect(await payment()).toMatchObject({ status: 'refunded', refunded: '129.90' });
    expect(await refunds()).toEqual([20, 9.9, 100]);
  });

  it('has a note of any length', async () => {
    const { refund, gateway } = await capturedOrder();
    expect((await refund(1, 'x'.repeat(1500))).status).toBe(200);
    expect(gateway.books.refunds.list()).toMatchObject([{ refund_reason: 'x'.repeat(1000) }]);
  });
});
