import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Refunds } from '../../sandbox/gateway/books/refunds.ts';
import type { FaultName } from '../../sandbox/gateway/faults/faults.ts';
import type { OperationAnswer } from '../../shared/api/operation.ts';
import { sandboxGateway } from '../../test/support/gateways/sandbox-gateway.ts';
import { startReceiver, withReceiver } from '../../test/support/http/receiver.ts';
import { apiKey, card, startTestRelay } from '../../test/support/relays/relay.ts';
import { compareBooks } from './books.ts';
import { compareRefunds } from './refunds.ts';
import type { ShopperVisit } from './shoppers.ts';
import type { ReceivedWebhook } from './webhooks.ts';

const REFUND = '29.90';

/** A relay, its gateway, a shop, and one visit with an approved payment. */
async function setUp() {
  const received: ReceivedWebhook[] = [];
  const shop = await startReceiver(({ id, type, data, raw }, res) => {
    received.push({ id, type, subject: String(data.id), body: raw });
    res.end();
  });
  const gateway = await sandboxGateway();
  const config = { ...withReceiver(shop.url), resolve: { first_ms: 50, max_ms: 50 } };
  const relay = await startTestRelay({ gatewayUrl: gateway.url, config });
  const { id, secret, orderNo: order_no } = await relay.session();
  expect((await relay.pay(secret, card)).body).toMatchObject({ status: 'approved' });
  const visit: ShopperVisit = { order_no, session: id, differing: [] };
  const [payment] = gateway.payments.list();
  if (!payment) throw new Error('no payment');
  const { transaction_id } = payment;
  const item = { transaction_id, order_no, currency: 'BRL', amount: '129.90', refund_amount: REFUND };
  return {
    gateway,
    /** Refunds a part of the payment, and gives the answer's status. */
    async refund(fault?: FaultName): Promise<number> {
      if (fault) gateway.armed.arm({ operation: 'refund', fault, times: 1 });
      const key = { 'idempotency-key': randomUUID() };
      return (await relay.post('/v1/refund', apiKey, { refund_orders: [item] }, key)).status;
    },
    /** A refund in the gateway's books that no relay requested. */
    refundAtGateway: () =>
      gateway.books.refunds.add({ payment, refund_amount: REFUND, refund_reason: '', at: new Date() })
        .refund_reference_id,
    compare: (withinMs = 30_000, books: Pick<typeof gateway, 'payments' | 'books'> = gateway) =>
      compareBooks(books, [visit], received, (_kind, path) => relay.get(path, apiKey), withinMs),
    visit,
    received,
    order_no,
  };
}

const nothing = { lost: [], twice: [], waiting: [], webhooks: [], replays: [], unsettled: 0 };

describe('the books of a gateway and its relay', () => {
  it('agree about a payment, refunded or not', async () => {
    const { refund, compare } = await setUp();
    expect(await compare()).toEqual(nothing);
    expect(await refund()).toBe(200);
    expect(await compare()).toEqual(nothing);
  });

  it('agree about a refund whose answer was lost, once it is found', async () => {
    const { refund, compare } = await setUp();
    expect(await refund('server_error')).toBe(409);
    expect(await compare()).toEqual(nothing);
  });

  it('differ by a refund that the relay does not know', async () => {
    const { refundAtGateway, compare } = await setUp();
    const reference = refundAtGateway();
    expect(await compare()).toEqual({
      ...nothing,
      lost: [`${reference} is refunded at the gateway and not in the relay`],
    });
  });

  it('differ by a refund that the gateway does not have', async () => {
    const { gateway, refund, compare } = await setUp();
    await refund();
    const otherBooks = { ...gateway, books: { ...gateway.books, refunds: new Refunds() } };
    const lost = [expect.stringMatching(/-01 is refunded in the relay and not at the gateway$/)];
    expect(await compare(undefined, otherBooks)).toEqual({ ...nothing, lost });
  });

  it('differ by a refund that is made twice', async () => {
    const { refund, refundAtGateway, compare, order_no } = await setUp();
    await refund();
    const lost = [`${refundAtGateway()} is refunded at the gateway and not in the relay`];
    expect(await compare()).toEqual({ ...nothing, twice: [`${order_no} is refunded 2 times`], lost });
  });

  it('differ by a refund that the shop alone knows', async () => {
    const { visit, compare, order_no } = await setUp();
    visit.refund = { key: 'any', body: '', status: 200 };
    const lost = [`${order_no} has a confirmed refund that is neither in the relay nor at the gateway`];
    expect(await compare()).toEqual({ ...nothing, lost });
  });

  it('differ by a refund that the relay cannot find', async () => {
    const { refund, compare, order_no } = await setUp();
    expect(await refund('error_before')).toBe(409);
    const waiting = [
      expect.stringMatching(
        new RegExp(`^op_.* is unknown in the relay, and ${order_no} is refunded 0 times at the gateway$`),
      ),
    ];
    expect(await compare(500)).toEqual({ ...nothing, waiting });
  });
});

describe('the refunds of an order', () => {
  const reference = '20260000000000000001-01';
  const made = [{ refund_reference_id: reference, refund_amount: REFUND }];
  const operation = (id: string): OperationAnswer => ({
    ...{ id, operation: 'refund', status: 'answered', by: 'all', created_at: '2026-11-23T08:00:00.000Z' },
    ...{ request: {}, items: ['succeeded'], answer: { refund_orders: [{ refund_reference_id: reference }] } },
  });
  const order = { order_no: 'A-1', made, operations: [operation('op_1')], refunded: REFUND, currency: 'BRL' };

  it('must not be of two operations', () => {
    const found = compareRefunds({ ...order, operations: [operation('op_1'), operation('op_2')] });
    expect(found).toEqual({ lost: [], twice: [`${reference} is refunded by 2 operations in the relay`], waiting: [] });
  });

  it('must have the same sum at the gateway', () => {
    const found = compareRefunds({ ...order, refunded: '10.00' });
    expect(found).toEqual({
      lost: ['A-1 is refunded by 10.00 in the relay and by 29.90 at the gateway'],
      twice: [],
      waiting: [],
    });
  });
});

describe('the webhooks of a refund', () => {
  /** A visit with a refund, and its one event. */
  const refunded = async () => {
    const visited = await setUp();
    await visited.refund();
    expect(await visited.compare()).toEqual(nothing);
    const event = visited.received.find(({ type }) => type === 'operation.completed');
    if (!event) throw new Error('no event');
    return { ...visited, event };
  };

  it('may come again with the same id', async () => {
    const { received, event, compare } = await refunded();
    received.push(event);
    expect(await compare()).toEqual(nothing);
  });

  it('must not come again with another id', async () => {
    const { received, event, compare } = await refunded();
    received.push({ ...event, id: 'msg_other' });
    const webhooks = [`2 events operation.completed ${event.subject}`];
    expect(await compare()).toEqual({ ...nothing, webhooks });
  });

  it('must arrive', async () => {
    const { received, event, compare } = await refunded();
    received.splice(received.indexOf(event), 1);
    const webhooks = [`no event operation.completed of ${event.subject}`];
    expect(await compare(500)).toEqual({ ...nothing, webhooks });
  });

  it('must report the outcome of the refund', async () => {
    const { received, event, compare } = await refunded();
    received[received.indexOf(event)] = { ...event, body: event.body.replaceAll('succeeded', 'failed') };
    const webhooks = [`${event.subject} is succeeded in the relay and failed in its event`];
    expect(await compare()).toEqual({ ...nothing, webhooks });
  });

  it('must not report a refund that the relay does not know', async () => {
    const { received, event, compare } = await refunded();
    received.push({ ...event, id: 'msg_other', subject: 'op_other' });
    const webhooks = ['operation.completed of op_other, which the relay does not know'];
    expect(await compare()).toEqual({ ...nothing, webhooks });
  });
});
