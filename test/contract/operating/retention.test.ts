import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { compliant } from '../../support/gateways/compliant-gateway.ts';
import {
  approval,
  type Script,
  scriptedGateway,
  sendRecords,
  sendXml,
  signedXml,
} from '../../support/gateways/scripted-gateway.ts';
import { startReceiver, withReceiver } from '../../support/http/receiver.ts';
import { apiKey, card, startTestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const DAY_MS = 86_400_000;
const RETENTION_DAYS = 30;

/** The gateway does not answer orders whose number begins with U. Each payment has a unique transaction_id. */
const gatewayScript: Script = (received, res, req) => {
  const order_no = String(received.message.order_no ?? '');
  if (received.raw.includes('"U-')) res.destroy();
  else if (order_no.startsWith('D')) {
    sendXml(res, signedXml({ ...approval(received), order_status: '0', result_info: '2001:Declined' }));
  } else if (received.path === '/v1/authorise') {
    sendXml(res, signedXml({ ...approval(received), transaction_id: `tx-${order_no}` }));
  } else if (received.path === '/v1/retrievalTrans') sendRecords(res, []);
  else if (received.path === '/v1/payout') {
    const { encryption_data: _, ...echo } = received.message;
    res.end(JSON.stringify({ ...echo, status: 'COMPLETED' }));
  } else compliant(received, res, req);
};

/** A relay on one store whose clock can be moved by days. A moved clock belongs to a new relay, as after years. */
async function setUp() {
  const gateway = await scriptedGateway(gatewayScript);
  const receiver = await startReceiver();
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-'));
  const clock = { ahead: 0 };
  const relay = await startTestRelay({
    gatewayUrl: gateway.url,
    folder,
    config: {
      ...withReceiver(receiver.url),
      retention_days: RETENTION_DAYS,
      resolve: { first_ms: 100, max_ms: 500, confirm_ms: 0, paid_days: [] },
    },
    now: () => new Date(Date.now() + clock.ahead),
  });
  const count = (table: string, where = '1 = 1'): number => {
    const db = new DatabaseSync(join(folder, 'turnpike.db'), { readOnly: true });
    try {
      return Number(db.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${where}`).get()?.n);
    } finally {
      db.close();
    }
  };
  const payFor = async (order_no: string, options: object = {}) => {
    const { id, secret } = await relay.session({ order: { order_no }, ...options });
    const answer = await relay.pay(secret, card);
    return { id, order_no, transaction_id: String(answer.body.transaction_id), answer };
  };
  const refund = ({ order_no, transaction_id }: { order_no: string; transaction_id: string }, refund_amount: string) =>
    relay.post('/v1/refund', apiKey, {
      refund_orders: [
        // The relay knows the amount of the payment better than this shop.
        { transaction_id, order_no, currency: 'BRL', amount: '999.00', refund_amount, refund_reason: 'cup' },
      ],
    });
  const delivered = () => until('every webhook is delivered', () => count('events', "status = 'pending'") === 0);
  return { gateway, relay, clock, count, payFor, refund, delivered };
}

describe('data older than retention_days', () => {
  it('is deleted once it is final', async () => {
    const { relay, clock, count, payFor, refund, delivered } = await setUp();
    const paid = await payFor('A-1');
    const refunded = await refund(paid, '10.00');
    expect(refunded.status).toBe(200);
    await payFor('D-1');
    await delivered();
    for (const table of ['sessions', 'attempts', 'operations', 'refunds', 'events', 'counted']) {
      expect(count(table), table).toBeGreaterThan(0);
    }
    clock.ahead = DAY_MS;
    await until('the declined session expires', () => count('sessions', "status = 'expired'") === 1);
    clock.ahead = (RETENTION_DAYS + 2) * DAY_MS;
    // No receiver accepts a timestamp so far ahead: the last webhook stays pending.
    const events = () => count('events', "type <> 'session.expired'");
    await until(
      'everything is deleted',
      () => count('sessions') + count('operations') + count('counted') + events() === 0,
    );
    for (const table of ['attempts', 'refunds']) expect(count(table), table).toBe(0);
    expect((await relay.get(`/v1/sessions/${paid.id}`, apiKey)).status).toBe(404);
  });

  it('leaves the fact that an order was paid', async () => {
    const { gateway, relay, clock, count, payFor } = await setUp();
    await payFor('A-1');
    await payFor('D-1');
    clock.ahead = DAY_MS;
    await until('the declined session expires', () => count('sessions', "status = 'expired'") === 1);
    clock.ahead = (RETENTION_DAYS + 2) * DAY_MS;
    await until('the sessions are deleted', () => count('sessions') === 0);
    const again = await relay.post('/v1/sessions', apiKey, {
      order: { order_no: 'A-1', currency: 'BRL', amount: '1.00' },
    });
    expect(again.body.code).toBe('order_already_paid');
    expect(gateway.authorised().filter(({ message }) => message.order_no === 'A-1')).toHaveLength(1);
    // An order without a payment leaves nothing.
    expect([count('orders', "order_no = 'A-1'"), count('orders', "order_no = 'D-1'")]).toEqual([1, 0]);
  });

  it('is kept while its outcome is unknown', async () => {
    const { relay, clock, count, payFor } = await setUp();
    const unknown = await payFor('U-1');
    expect(unknown.answer.body.status).toBe('unknown');
    const lost = await relay.post('/v1/capture', apiKey, {
      capture_orders: [{ transaction_id: 'T-9', order_no: 'U-2', currency: 'BRL', amount: '1.00' }],
    });
    expect(lost.body.code).toBe('outcome_unknown');
    const { id } = await payFor('A-1');
    clock.ahead = (RETENTION_DAYS + 1) * DAY_MS;
    await until('finished data is deleted', async () => (await relay.get(`/v1/sessions/${id}`, apiKey)).status === 404);
    expect((await relay.truth(unknown.id)).status).toBe('unknown');
    expect(count('orders', "order_no = 'U-1' AND hold = 'held'")).toBe(1);
    expect([count('attempts'), count('operations')]).toEqual([1, 1]);
  });

  it('never allows refunds above the payment, however old they are', async () => {
    const { clock, count, payFor, refund } = await setUp();
    const paid = await payFor('A-1');
    expect((await refund(paid, '100.00')).status).toBe(200);
    clock.ahead = (RETENTION_DAYS - 1) * DAY_MS;
    expect((await refund(paid, '20.00')).status).toBe(200);
    const other = await payFor('A-2');
    clock.ahead = (RETENTION_DAYS + 1) * DAY_MS;
    await until(
      'old webhooks are gone',
      () => count('events', `subject = '${paid.id}' AND type = 'session.approved'`) === 0,
    );
    // The payment and its first refund are old; the second refund is not.
    expect((await refund(paid, '10.00')).body.code).toBe('refund_exceeds_payment');
    expect((await refund(paid, '9.90')).status).toBe(200);
    clock.ahead = (2 * RETENTION_DAYS + 2) * DAY_MS;
    await until('all of it is deleted', () => count('refunds') + count('sessions') === 0);
    expect(count('orders', "hold = 'paid'")).toBe(2);
    expect(other.answer.body.status).toBe('approved');
    // The full refund is remembered. The other payment leaves nothing.
    expect((await refund(paid, '0.01')).body.code).toBe('refund_exceeds_payment');
    expect((await refund(other, '10.00')).status).toBe(200);
  });

  it('leaves a payout’s request_id, so that no payout is repeated', async () => {
    const { gateway, relay, clock, count } = await setUp();
    const request_id = '7f9c24e8-3b12-4fef-91d0-0123456789ab';
    const payout = { beneficiary_id: 'b', payment_amount: '10', payment_currency: 'BRL', request_id };
    const first = await relay.post('/v1/payout', apiKey, payout);
    expect(first.status, first.text).toBe(200);
    clock.ahead = (RETENTION_DAYS + 2) * DAY_MS;
    await until('the payout is deleted', () => count('operations') === 0);
    const again = await relay.post('/v1/payout', apiKey, payout);
    expect(again).toMatchObject({ status: 409, body: { code: 'request_id_used' } });
    expect(again.body.detail).toContain('no longer kept');
    expect(again.body).not.toHaveProperty('operation_id');
    expect(gateway.sent('/v1/payout')).toHaveLength(1);
  });

  it('is deleted in steps, until nothing remains', async () => {
    const { clock, count, relay } = await setUp();
    const many = Array.from({ length: 250 }, () => relay.session({ expires_in: 60 }));
    await Promise.all(many);
    clock.ahead = DAY_MS;
    await until('they expire', () => count('sessions', "status = 'expired'") === 250);
    expect(count('sessions')).toBe(250);
    clock.ahead = (RETENTION_DAYS + 1) * DAY_MS;
    await until('they are deleted', () => count('sessions') === 0);
  });
});
