import { request as forward } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type ClientOptions,
  createClient,
  OperationDeclined,
  OutcomeUnknown,
  RelayRefused,
} from '../../../client/index.ts';
import { createGateway } from '../../../sandbox/gateway/gateway.ts';
import { bodyOf, serve } from '../../support/http/http-server.ts';
import { account, apiKey, card, order, queryOnlyKey, startTestRelay } from '../../support/relays/relay.ts';

const { merchant_id, account_id, signingSecret } = account;

/** A sandbox gateway with the messages that it received, a relay, and a client of it with short waits. */
async function start() {
  const merchants = [{ merchant_id, account_id, signing_secret: signingSecret }];
  const gateway = createGateway({ merchants, publicUrl: () => server.url, lateMs: 300 });
  const paths: string[] = [];
  const server = await serve((req, res) => {
    paths.push(req.url ?? '');
    gateway.app(req, res);
  });
  onTestFinished(server.close);
  const relay = await startTestRelay({ gatewayUrl: server.url });
  const clientWith = (options: Partial<ClientOptions> = {}) =>
    createClient({
      url: relay.url,
      apiKey,
      wait: (ms) => new Promise((done) => setTimeout(done, ms / 10)),
      ...options,
    });
  const client = clientWith();
  const sent = (path: string) => paths.filter((one) => one === path).length;
  /** An approved payment, and the item that names it in a batch. */
  const pay = async (order_no = order().order_no) => {
    const paid = await client.payments.create({ ...order(), order_no, ...card });
    if (paid.status !== 'approved') throw new Error(`the payment is ${paid.status}`);
    return { transaction_id: paid.transaction_id, order_no, currency: 'BRL', amount: '129.90' };
  };
  return { relay, client, clientWith, pay, sent };
}

/** A proxy that cuts the connection instead of forwarding the first answer. */
async function losingFirstAnswer(url: string): Promise<string> {
  let answers = 0;
  const proxy = await serve(async (req, res) => {
    const body = await bodyOf(req);
    const headers = { ...req.headers, 'content-length': Buffer.byteLength(body) };
    const onward = forward(`${url}${req.url}`, { method: req.method ?? 'GET', headers }, (answer) => {
      answers += 1;
      if (answers === 1) return void res.destroy();
      answer.pipe(res.writeHead(answer.statusCode ?? 500, answer.headers));
    });
    onward.end(body);
  });
  onTestFinished(proxy.close);
  return proxy.url;
}

describe('the client with a real relay', () => {
  it('creates a session and sees it paid', async () => {
    const { relay, client } = await start();
    const created = await client.sessions.create({ order: { ...order(), amount: '10.00' } });
    await relay.pay(created.client_secret, card);
    const session = await client.sessions.get(created.id);
    expect(session).toMatchObject({ status: 'approved', amount: '10.00', attempts: [{ status: 'approved' }] });
    const { orders_list } = await client.query({ orders: [created.order_no] });
    expect(orders_list).toMatchObject([{ transaction_id: session.transaction_id, payment_status: '3000' }]);
  });

  it('changes an order until it is paid', async () => {
    const { relay, client } = await start();
    const { id, client_secret } = await client.sessions.create({ order: { ...order(), discount: '5.00' } });
    const changed = await client.sessions.update(id, { order: { amount: '20.00', discount: null } });
    expect(changed).toMatchObject({ status: 'open', amount: '20.00', revision: 2 });
    await expect(client.sessions.update(id, { order: { amount: '0.00' } })).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'order.amount' }],
      idempotencyKey: undefined,
      message: expect.stringMatching(/^PATCH \/v1\/sessions\/:id was refused: 400 invalid_request: order\.amount \w/),
    });
    await relay.pay(client_secret, { ...card, revision: 2 });
    await expect(client.sessions.update(id, { order: {} })).rejects.toMatchObject({ code: 'session_final' });
  });

  it('withdraws a session, also when requested twice', async () => {
    const { relay, client } = await start();
    const { id, client_secret } = await client.sessions.create({ order: order() });
    expect(await client.sessions.expire(id)).toMatchObject({ id, status: 'expired' });
    expect(await client.sessions.expire(id)).toMatchObject({ id, status: 'expired' });
    expect((await relay.pay(client_secret, card)).body).toMatchObject({ code: 'session_final' });
    const paid = await client.payments.create({ ...order(), ...card });
    await expect(client.sessions.expire(paid.id)).rejects.toMatchObject({ code: 'session_final' });
    await expect(client.sessions.expire('cs_none')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('queries the gateway about an order', async () => {
    const { client, pay } = await start();
    const { order_no, transaction_id } = await pay();
    const found = await client.orders.reconcile(order_no);
    expect(found).toMatchObject({ order_no, status: 'paid', payments: [{ transaction_id, amount: '129.90' }] });
    expect(found.sessions).toMatchObject([{ order_no, status: 'approved' }]);
    await expect(client.orders.reconcile('never heard of / it')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('settles a session only if its outcome is unknown', async () => {
    const { relay, client } = await start();
    const order_no = `${order().order_no}-fault:reset-fault:query.server_error`;
    const { id, client_secret } = await client.sessions.create({ order: { ...order(), order_no } });
    const decision = { outcome: 'approved', transaction_id: 'T-1', note: 'seen in the portal' } as const;
    await expect(client.sessions.settle(id, decision)).rejects.toMatchObject({ code: 'session_not_unsettled' });
    expect((await relay.pay(client_secret, card)).body).toMatchObject({ status: 'unknown' });
    await expect(client.sessions.expire(id)).rejects.toMatchObject({ code: 'attempt_in_flight' });
    const settled = await client.sessions.settle(id, decision);
    expect(settled).toMatchObject({ status: 'approved', transaction_id: 'T-1', settled: { note: decision.note } });
    await expect(client.sessions.settle(id, decision)).rejects.toMatchObject({ code: 'session_not_unsettled' });
  });

  it('executes every operation of the interface', async () => {
    const { client, pay } = await start();
    const [one, other, third] = [await pay(), await pay(), await pay()];
    const captured = await client.capture({ capture_orders: [one, other] }).withMeta();
    expect(captured.answer.capture_orders).toMatchObject([{ capture_status: '1' }, { capture_status: '1' }]);
    expect(await client.operations.get(captured.operationId ?? '')).toMatchObject({
      operation: 'capture',
      status: 'answered',
      items: ['succeeded', 'succeeded'],
    });
    expect((await client.cancel({ cancel_orders: [third] })).cancel_orders?.[0]?.cancel_status).toBe('1');
    const refund_orders = [{ ...one, refund_amount: '29.9' }];
    expect((await client.refund({ refund_orders })).refund_orders).toMatchObject([{ refund_status: '1' }]);
    const found = await client.refundSearch({ refund_orders: [one.transaction_id] });
    expect(found.refund_orders).toMatchObject([{ refund_amount: '29.90' }]);
    const review = await client.review({ review_orders: [{ ...other, review_flag: 'accept' }] });
    expect(review.review_orders).toHaveLength(1);
    const request_id = crypto.randomUUID();
    const amount = { source_amount: '10', source_currency: 'USD', beneficiary_id: 'ben_1' };
    expect(await client.payout({ request_id, ...amount })).toMatchObject({ request_id, status: 'COMPLETED' });
    await expect(client.payout({ request_id, ...amount })).rejects.toMatchObject({ code: 'request_id_used' });
  });

  it('executes the operations on an order’s payment', async () => {
    const { client, pay } = await start();
    const paid = await pay();
    expect(await client.orders.capture(paid.order_no, { amount: '100.00' })).toMatchObject({
      outcome: 'succeeded',
      payment: { transaction_id: paid.transaction_id, captured: '100.00' },
    });
    const metadata = { ticket: '4711' };
    const body = { amount: '40.00', reason: 'Broken', metadata };
    const refunded = await client.orders.refund(paid.order_no, body, { idempotencyKey: 'r-1' }).withMeta();
    expect(refunded.answer).toMatchObject({ metadata, payment: { refunded: '40.00', refundable: '60.00' } });
    expect(refunded.operationId).toBe(refunded.answer.operation_id);
    const again = await client.orders.refund(paid.order_no, body, { idempotencyKey: 'r-1' }).withMeta();
    expect(again).toMatchObject({ replayed: true, answer: refunded.answer });
    await client.orders.capture(paid.order_no, {});
    const cancelled = client.orders.cancel(paid.order_no, {});
    await expect(cancelled).rejects.toBeInstanceOf(OperationDeclined);
    await expect(cancelled).rejects.toMatchObject({ code: '0', message: 'The payment was refunded' });
    const lost = await pay(`${order().order_no}-fault:review.reset`);
    const reviewed = client.orders.review(lost.order_no, { decision: 'accept' });
    await expect(reviewed).rejects.toBeInstanceOf(OutcomeUnknown);
    await expect(reviewed).rejects.toMatchObject({ operation_id: expect.stringMatching(/^op_/) });
  });

  it('ends a subscription that a payment began', async () => {
    const { client } = await start();
    const subscription = { contract_name: 'Tea club', interval: 'month' };
    const paid = await client.payments.create({ ...order(), ...card, subscription });
    const recurring_id = paid.status === 'approved' ? (paid.recurring_id ?? '') : '';
    expect(await client.subscriptionCancel({ recurring_id })).toMatchObject({
      ...{ recurring_id, cancel_status: '1', outcome: 'succeeded' },
    });
  });

  it('refunds once when the relay’s answer is lost', async () => {
    const { relay, clientWith, pay, sent } = await start();
    const body = { refund_orders: [{ ...(await pay()), refund_amount: '129.90' }] };
    const lossy = clientWith({ url: await losingFirstAnswer(relay.url) });
    const { answer, replayed } = await lossy.refund(body).withMeta();
    expect(answer.refund_orders).toMatchObject([{ refund_status: '1' }]);
    expect(replayed).toBe(true);
    expect(sent('/v1/refund')).toBe(1);
  });

  it('charges once when the relay’s answer to a payment is lost', async () => {
    const { relay, clientWith, sent } = await start();
    const lossy = clientWith({ url: await losingFirstAnswer(relay.url) });
    expect(await lossy.payments.create({ ...order(), ...card })).toMatchObject({ status: 'approved' });
    expect(sent('/v1/authorise')).toBe(1);
  });

  it('waits for the first of two equal requests, answering both alike', async () => {
    const { clientWith, pay, sent } = await start();
    const client = clientWith({ tries: 30 });
    const paid = await pay(`${order().order_no}-fault:refund.late`);
    const body = { refund_orders: [{ ...paid, refund_amount: '9.90' }] };
    const options = { idempotencyKey: 'refund-1' };
    const [one, other] = await Promise.all([client.refund(body, options), client.refund(body, options)]);
    expect(one.refund_orders).toMatchObject([{ refund_status: '1' }]);
    expect(other).toEqual(one);
    expect(sent('/v1/refund')).toBe(1);
  });

  it('never resends an unknown operation, and lets a person settle it', async () => {
    const { client, pay, sent } = await start();
    const paid = await pay(`${order().order_no}-fault:capture.reset`);
    const body = { capture_orders: [paid] };
    const options = { idempotencyKey: 'capture-1' };
    const refused = await client.capture(body, options).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'outcome_unknown', status: 409, idempotencyKey: 'capture-1' });
    const id = refused instanceof RelayRefused ? (refused.operationId ?? '') : '';
    expect(await client.operations.get(id)).toMatchObject({
      status: 'unknown',
      unknown: { since: expect.any(String) },
    });
    await expect(client.capture(body, options)).rejects.toMatchObject({ code: 'outcome_unknown', operationId: id });
    const settled = await client.operations.settle(id, { outcome: 'succeeded', note: 'seen in the portal' });
    expect(settled).toMatchObject({ status: 'settled', items: ['succeeded'] });
    await expect(client.capture(body, options)).rejects.toMatchObject({ code: 'operation_settled' });
    expect(sent('/v1/capture')).toBe(1);
  });

  it('reports the relay’s refusals by code and path', async () => {
    const { client, clientWith, pay } = await start();
    const paid = await pay();
    const refund = (refund_amount: string, idempotencyKey: string) =>
      client.refund({ refund_orders: [{ ...paid, refund_amount }] }, { idempotencyKey });
    await refund('100.00', 'r1');
    await expect(refund('30.00', 'r2')).rejects.toMatchObject({ code: 'refund_exceeds_payment', status: 409 });
    await expect(refund('1.00', 'r1')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    await expect(refund('1.001', 'r3')).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'refund_orders.0.refund_amount' }],
      requestId: expect.stringMatching(/^req_/),
    });
    const { order_no } = paid;
    await expect(client.sessions.create({ order: { ...order(), order_no } })).rejects.toMatchObject({
      code: 'order_already_paid',
      sessionId: expect.stringMatching(/^cs_/),
    });
    const queryOnly = clientWith({ apiKey: queryOnlyKey });
    await expect(queryOnly.sessions.get('cs_1')).rejects.toMatchObject({ code: 'missing_scope', status: 403 });
  });
});
