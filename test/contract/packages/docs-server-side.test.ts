import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { approval, scriptedGateway, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import { serve } from '../../support/http/http-server.ts';
import { apiKey, card, startTestRelay } from '../../support/relays/relay.ts';
import { blocks, shopEnv, shopOfThePage, startRelayAndGateway } from '../../support/relays/server-page.ts';

/**
 * A shop's server: reads calls of the page's functions, one a line, and prints each result. It has its own modules
 * for each relay, since the page's code reads its environment once.
 */
const driver = `import { createInterface } from 'node:readline';

for await (const line of createInterface({ input: process.stdin })) {
  const { env, name, args } = JSON.parse(line);
  Object.assign(process.env, env);
  const shop = await import('./payments.js?' + env.TURNPIKE_URL);
  console.log(JSON.stringify((await shop[name](...args)) ?? null));
}
`;

let shop: Awaited<ReturnType<typeof shopOfThePage>>;
let server: ReturnType<typeof startServer>;
beforeAll(async () => {
  shop = await shopOfThePage();
  shop.write('driver.js', driver);
  server = startServer(shop.folder);
});
afterAll(() => server?.stop());

function startServer(cwd: string) {
  const child = spawn(process.execPath, ['driver.js'], { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += data;
  });
  return {
    async ask(question: object): Promise<string> {
      child.stdin.write(`${JSON.stringify(question)}\n`);
      const { value, done } = await lines.next();
      if (done || errors) throw new Error(`the page's code failed: ${errors}`);
      return value;
    },
    stop: () => void child.kill('SIGKILL'),
  };
}

/** Returns the result of one of the page's functions as JSON, without undefined values. */
async function callAt(url: string, name: string, ...args: unknown[]) {
  const given: Record<string, unknown> = JSON.parse(await server.ask({ env: shopEnv(url), name, args }));
  return given;
}

/** A sandbox gateway with a relay, and the page's functions as a shop's server calls them. */
async function start() {
  const relay = await startRelayAndGateway();
  const call = (name: string, ...args: unknown[]) => callAt(relay.url, name, ...args);
  let orders = 0;
  /** An approved payment with the fields that a shop stores. */
  const pay = async (number = `D-${++orders}`) => {
    const one = { id: `try-${number}`, tokenId: 'tok_1' };
    const { transactionId } = await call('charge', { number, currency: 'BRL', total: '129.90' }, one);
    return { transactionId, orderNo: number, currency: 'BRL', amount: '129.90' };
  };
  /** The fields of an item about such a payment. */
  const itemOf = ({ transactionId, orderNo, ...paid }: Awaited<ReturnType<typeof pay>>) => ({
    ...{ transaction_id: transactionId, order_no: orderNo },
    ...paid,
  });
  /** Refunds a payment of an order whose number may select faults. */
  const refundOf = async (order_no: string) => {
    return { refund_orders: [{ ...itemOf(await pay(order_no)), refund_amount: '9.90' }] };
  };
  return { relay, call, pay, itemOf, refundOf };
}

describe('the page for shops’ servers', () => {
  it('is type-checked and states what to install', async () => {
    const types = ['--types', 'node', '--module', 'nodenext', '--target', 'es2022'];
    // Strict, except for parameters, which have no types in plain JavaScript.
    const strict = ['--strict', '--noImplicitAny', 'false'];
    const checked = await shop.check('--allowJs', '--checkJs', ...strict, ...types, 'payments.js');
    expect(checked).toMatchObject({ ok: true, output: '' });
    expect(blocks[0]).toMatchObject({ language: 'sh', code: expect.stringContaining(`./${shop.packed.name}\n`) });
    expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(['sh', 'js', 'json']));
  });

  it('creates a checkout and sees that it is paid', async () => {
    const { relay, call } = await start();
    const lines = [{ name: 'Green tea', code: 'T-1', price: '64.95', quantity: 2 }];
    const order = { number: 'D-0', currency: 'BRL', total: '129.90', email: 'ada@example.com', lines };
    const { id, clientSecret, link } = await call('openCheckout', order);
    expect(link).toContain(`${relay.url}/checkout/${id}#`);
    expect(await call('outcomeOf', id)).toEqual({});
    await relay.pay(String(clientSecret), card);
    expect(await call('outcomeOf', id)).toEqual({ paid: true, transactionId: expect.any(String) });
    expect(await call('paymentsOf', ['D-0'])).toMatchObject([{ order_no: 'D-0', payment_status: '3000' }]);
  });

  it('shows payment statistics', async () => {
    const { call, pay } = await start();
    await pay();
    const { hours } = await call('approvalByHour', 2);
    expect(hours).toEqual(expect.arrayContaining([expect.objectContaining({ payments: 1, approval_rate: 1 })]));
  });

  it('lists what waits for a person', async () => {
    const { relay, call } = await start();
    expect(await call('onCall')).toEqual([]);
    const difference = { class: 'missing_here', order_no: 'A-1', known: false };
    const period = { from: '2027-03-30T00:00:00Z', to: '2027-03-31T00:00:00Z', orders: 1, total: 1 };
    await relay.post('/v1/reconciliations', apiKey, { ...period, differences: [difference] });
    expect(await call('onCall')).toMatchObject([{ kind: 'difference', count: 1, first: { order_no: 'A-1' } }]);
  });

  it('changes an order while no payment is running', async () => {
    const { relay, call } = await start();
    const { id, secret } = await relay.session({ order: { discount: '5.00' } });
    const lines = [{ name: 'Green tea', code: 'T-1', price: '64.95', quantity: 2 }];
    const order = { total: '149.80', shipping: '19.90', lines };
    expect(await call('changeTotal', id, order)).toEqual({ amount: '149.80', revision: 2 });
    expect(await call('changeTotal', id, order)).toEqual({ amount: '149.80', revision: 2 });
    expect(await relay.pay(secret, card)).toMatchObject({ status: 409, body: { code: 'session_changed' } });
    await relay.pay(secret, { ...card, revision: 2 });
    expect(await relay.truth(id)).toMatchObject({ status: 'approved', amount: '149.80' });
  });

  it('charges a token, and refunds once however often requested', async () => {
    const { call, pay } = await start();
    const payment = await pay();
    const asked = { id: 'r1', payment, amount: '29.90', reason: 'one tin was dented' };
    const first = await call('refund', asked);
    expect(first).toMatchObject({ refund_amount: '29.90', refund_status: '1' });
    expect(await call('refund', asked)).toEqual(first);
    expect(await call('refund', { ...asked, id: 'r2' })).not.toEqual(first);
  });

  it('charges a card that the server holds', async () => {
    const { call } = await start();
    expect(await call('chargeCard', 'D-30')).toMatchObject({ status: 'approved', order_no: 'D-30' });
  });

  it('charges again after a decline, and each try once', async () => {
    const gateway = await scriptedGateway((received, res) => {
      const declined = { order_status: '0', result_info: '2001:Do not honour' };
      const isEmpty = received.message.token_id === 'tok_empty';
      sendXml(res, signedXml({ ...approval(received), ...(isEmpty ? declined : {}) }));
    });
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const charge = (id: string, tokenId: string) =>
      callAt(relay.url, 'charge', { number: 'D-1', currency: 'BRL', total: '129.90' }, { id, tokenId });
    expect(await charge('try-1', 'tok_empty')).toMatchObject({ paid: false, why: 'Do not honour' });
    expect(await charge('try-1', 'tok_empty')).toMatchObject({ paid: false });
    expect(gateway.authorised()).toHaveLength(1);
    expect(await charge('try-2', 'tok_full')).toMatchObject({ paid: true });
    expect(await charge('try-2', 'tok_full')).toMatchObject({ paid: true });
    expect(gateway.authorised()).toHaveLength(2);
  });

  it('captures in a batch, cancels, and pays out', async () => {
    const { call, pay } = await start();
    const [one, other, third] = [await pay(), await pay(), await pay()];
    const unknown = { ...other, transactionId: '404' };
    expect(await call('capture', [one, unknown], 'c1')).toEqual(['succeeded', 'failed']);
    expect(await call('cancel', third)).toMatchObject({ cancel_status: '1' });
    const id = '2f1c9c3e-7f7f-4f5e-9d35-0d3c4e1b2a10';
    expect(await call('payOut', { id, amount: '250.00', beneficiaryId: 'ben_1' })).toBe('succeeded');
  });

  it('looks up an unknown outcome and reads the result', async () => {
    const { call, refundOf } = await start();
    const body = await refundOf('D-fault:refund.reset');
    const { operation } = await call('refundOrLook', body, 'r3');
    const { id } = z.object({ id: z.string() }).parse(operation);
    await expect.poll(() => call('refundsFound', id)).toEqual([`${body.refund_orders[0]?.transaction_id}-01`]);
    expect(await call('refundOrLook', body, 'r3')).toMatchObject({ operation: { status: 'settled' } });
  });

  it('searches for a refund, and settles manually without a search', async () => {
    const { relay, call, refundOf } = await start();
    const body = await refundOf('D-fault:refund.reset-fault:refund_search.server_error');
    const { operation } = await call('refundOrLook', body, 'r3');
    expect(operation).toMatchObject({ operation: 'refund', status: 'unknown' });
    const { id: refund } = z.object({ id: z.string() }).parse(operation);
    expect(await call('refundsFound', refund)).toBe('ask again later');
    const item = { transaction_id: 'T-1', order_no: 'D-fault:capture.reset', currency: 'BRL', amount: '129.90' };
    const captured = await relay.post('/v1/capture', apiKey, { capture_orders: [item] });
    expect(captured).toMatchObject({ status: 409, body: { code: 'outcome_unknown' } });
    const id = captured.body.operation_id;
    expect(await call('waitingForAPerson')).toMatchObject([{ id }]);
    expect(await call('settleByHand', id, 'succeeded')).toEqual(['succeeded']);
    expect(await call('settleByHand', refund, 'succeeded')).toEqual(['succeeded']);
    expect(await call('refundOrLook', body, 'r3')).toMatchObject({ operation: { status: 'settled' } });
  });

  it('withdraws a checkout, unless it is paid', async () => {
    const { relay, call } = await start();
    const open = await relay.session();
    expect(await call('withdraw', open.id)).toEqual({ withdrawn: true, status: 'expired' });
    expect(await call('withdraw', open.id)).toEqual({ withdrawn: true, status: 'expired' });
    const paid = await relay.session();
    await relay.pay(paid.secret, card);
    expect(await call('withdraw', paid.id)).toEqual({ withdrawn: false, why: 'session_final' });
  });

  it('finds the orders of a shopper, and the amounts of one', async () => {
    const { relay, call, pay, itemOf } = await start();
    const item = itemOf(await pay('D-10'));
    await relay.session({ order: { order_no: 'D-11', shopper_email: 'ada@example.com' } });
    const open = { order_no: 'D-11', status: 'open', amount: '129.90', currency: 'BRL' };
    expect(await call('ordersOf', 'Ada@example.com')).toEqual([open]);
    await relay.post('/v1/refund', apiKey, { refund_orders: [{ ...item, refund_amount: '9.90' }] });
    expect(await call('moneyOf', 'D-10')).toMatchObject({
      ...{ captured: '0.00', refunded: '9.90', refundable: '120.00' },
      happened: expect.arrayContaining([expect.objectContaining({ type: 'operation' })]),
    });
  });

  it('refunds an order and reports the gateway’s reason for declining', async () => {
    const { relay, call, pay, itemOf } = await start();
    await pay('D-20');
    const asked = { id: 'r1', amount: '29.90', reason: 'one tin was dented' };
    const done = { refunded: '29.90', left: '100.00' };
    expect(await call('refundOrder', 'D-20', asked)).toEqual(done);
    expect(await call('refundOrder', 'D-20', asked)).toEqual(done);
    // The gateway has cancelled it, which the relay does not know.
    const item = itemOf(await pay('D-21-fault:cancel.reset'));
    const { body } = await relay.post('/v1/cancel', apiKey, { cancel_orders: [item] });
    await relay.post(`/v1/operations/${body.operation_id}/settle`, apiKey, { outcome: 'failed' });
    expect(await call('refundOrder', 'D-21-fault:cancel.reset', { ...asked, id: 'r2' })).toMatchObject({
      declined: 'The payment was cancelled',
      code: expect.stringMatching(/^V\d+$/),
    });
    await pay('D-22-fault:refund.reset');
    expect(await call('refundOrder', 'D-22-fault:refund.reset', { ...asked, id: 'r3' })).toEqual({
      wait: expect.stringMatching(/^op_/),
    });
  });

  it('lists the contracts of a shopper', async () => {
    const { relay, call } = await start();
    const subscription = { contract_name: 'Tea club', interval: 'month' };
    const { secret } = await relay.session({ order: { shopper_email: 'ada@example.com', subscription } });
    await relay.pay(secret, card);
    expect(await call('contractsOf', 'ada@example.com')).toEqual([
      { recurring_id: expect.any(String), contract_name: 'Tea club', status: 'active', next: expect.any(String) },
    ]);
  });

  it('queries the gateway about an order now', async () => {
    const { call, pay } = await start();
    const { transactionId } = await pay('D-9');
    expect(await call('askNow', 'D-9')).toMatchObject({
      status: 'paid',
      payments: [{ transaction_id: transactionId, amount: '129.90', currency: 'BRL' }],
    });
  });

  it.each([
    ['paid', 'settleAsPaid', ['20270331101501000042'], { status: 'approved' }],
    ['not paid', 'settleAsNotPaid', [], { status: 'open' }],
  ])('settles a session as %s', async (_, name, given, outcome) => {
    const { relay, call } = await start();
    const order_no = `D-${name}-fault:reset-fault:query.server_error`;
    const { id, secret } = await relay.session({ order: { order_no } });
    expect(await relay.pay(secret, card)).toMatchObject({ body: { status: 'unknown' } });
    const note = 'Looked up in the portal by Ada';
    expect(await call(name, id, ...given, note)).toMatchObject({ ...outcome, settled: { note } });
    expect(await relay.truth(id)).toMatchObject(outcome);
  });

  it('stores the key of an unanswered refund and repeats it later', async () => {
    const { call, refundOf } = await start();
    const body = await refundOf('D-8');
    const silent = await serve((_req, res) => void res.destroy());
    onTestFinished(silent.close);
    const { later } = await callAt(silent.url, 'refundOrLater', body);
    expect(later).toMatchObject({ body });
    const { idempotencyKey } = z.object({ idempotencyKey: z.string() }).parse(later);
    const done = await call('refundOrLook', body, idempotencyKey);
    expect(done).toMatchObject({ answer: { refund_orders: [{ refund_amount: '9.90', refund_status: '1' }] } });
    expect(await call('refundOrLook', body, idempotencyKey)).toEqual(done);
    expect((await call('refundOrLater', body)).answer).not.toEqual(done.answer);
  });
});
