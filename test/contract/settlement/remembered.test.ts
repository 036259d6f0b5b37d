import { describe, expect, it } from 'vitest';
import { deleteOld } from '../../../relay/operating/retention.ts';
import { RefundBooks } from '../../support/gateways/refund-books.ts';
import { approval, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import { oneStore, setUpSettlement, storesOf } from '../../support/gateways/settlement.ts';
import { type Answer, apiKey, type TestRelay } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const DAY_MS = 86_400_000;
const RETENTION_DAYS = 30;
const request_id = '7f9c24e8-3b12-4fef-91d0-0123456789ab';
const payout = { beneficiary_id: 'b', payment_amount: '10', payment_currency: 'BRL', request_id };

describe.each(oneStore)('data that survives retention, on %s', (kind) => {
  const newStore = storesOf(kind);

  async function setUp() {
    const clock = { ahead: 0 };
    const refunds = new RefundBooks();
    const stack = await setUpSettlement(newStore, {
      config: { retention_days: RETENTION_DAYS },
      resolve: { confirm_ms: 0, paid_days: [] },
      now: () => new Date(Date.now() + clock.ahead),
    });
    stack.scripts.query = (received, res, req) => {
      if (received.path !== '/v1/payout') return refunds.script(received, res, req);
      const { encryption_data: _, ...echo } = received.message;
      res.end(JSON.stringify({ ...echo, status: 'COMPLETED' }));
    };
    /**
     * Advances the time until the rows at some paths are old and deleted, by this purge or by the relay's own
     * meanwhile.
     */
    const forget = async (...paths: string[]) => {
      clock.ahead += (RETENTION_DAYS + 2) * DAY_MS;
      await deleteOld(stack.relay.context);
      const isGone = async (path: string) => (await stack.relay.get(path, apiKey)).status === 404;
      for (const path of paths) await until(`${path} is forgotten`, () => isGone(path));
    };
    return { ...stack, refunds, forget };
  }

  const refund = (relay: TestRelay, transaction_id: string, refund_amount: string, amount = '129.90') =>
    relay.post('/v1/refund', apiKey, { refund_orders: [{ transaction_id, currency: 'BRL', amount, refund_amount }] });

  const operationOf = ({ status, text, headers }: Answer): string => {
    expect(status, text).toBe(200);
    return `/v1/operations/${headers.get('x-operation-id')}`;
  };

  it('includes a payout’s request_id', async () => {
    const { relay, gateway, forget } = await setUp();
    const first = await relay.post('/v1/payout', apiKey, payout);
    for (let time = 0; time < 2; time++) {
      await forget(operationOf(first));
      const repeated = { ...payout, request_id: request_id.toUpperCase() };
      const again = await relay.post('/v1/payout', apiKey, repeated, { 'idempotency-key': `again-${time}` });
      expect(again).toMatchObject({ status: 409, body: { code: 'request_id_used' } });
    }
    expect(gateway.sent('/v1/payout')).toHaveLength(1);
  });

  it('includes the refunded amount of a payment by the relay', async () => {
    const { relay, scripts, session, byCard, gateway, forget } = await setUp();
    scripts.pay = (received, res) => sendXml(res, signedXml({ ...approval(received), transaction_id: 'T1' }));
    const { id, secret } = await session();
    expect((await byCard(secret)).body.status).toBe('approved');
    await forget(operationOf(await refund(relay, 'T1', '100.00')), `/v1/sessions/${id}`);
    const tooMuch = await refund(relay, 'T1', '30.00', '999.00');
    expect(tooMuch).toMatchObject({ status: 409, body: { code: 'refund_exceeds_payment' } });
    await forget(operationOf(await refund(relay, 'T1', '29.90')));
    expect((await refund(relay, 'T1', '0.01')).body).toMatchObject({ code: 'refund_exceeds_payment' });
    expect(gateway.sent('/v1/refund')).toHaveLength(2);
  });

  it('includes the refunded amount of an external payment', async () => {
    const { relay, gateway, forget } = await setUp();
    await forget(operationOf(await refund(relay, 'ELSEWHERE', '60.00', '100.00')));
    expect(await refund(relay, 'ELSEWHERE', '60.00', '100.00')).toMatchObject({ status: 409 });
    expect((await refund(relay, 'ELSEWHERE', '40.00', '100.00')).status).toBe(200);
    expect(gateway.sent('/v1/refund')).toHaveLength(2);
  });

  it('includes the fact that an order was paid', async () => {
    const { scripts, session, sessionOf, byCard, gateway, forget } = await setUp();
    scripts.pay = (received, res) => sendXml(res, signedXml(approval(received)));
    const { id, secret, orderNo } = await session();
    expect((await byCard(secret)).body.status).toBe('approved');
    await forget(`/v1/sessions/${id}`);
    expect(await sessionOf(orderNo)).toMatchObject({ status: 409, body: { code: 'order_already_paid' } });
    expect(gateway.authorised()).toHaveLength(1);
  });
});

describe.each(oneStore)('a refund with an unlisted code in its answer, on %s', (kind) => {
  const newStore = storesOf(kind);

  it.each([
    ['1', 'succeeded'],
    ['0', 'failed'],
  ])('is searched for by its refund_reference_id, and settled (%s)', async (status, outcome) => {
    const { relay, scripts, gateway, shop } = await setUpSettlement(newStore);
    const refunds = new RefundBooks();
    scripts.query = refunds.script;
    refunds.change = { refund_status: '7' };
    const answer = await refund(relay);
    expect(answer.status, answer.text).toBe(200);
    const id = answer.headers.get('x-operation-id');
    const operation = async () => (await relay.get(`/v1/operations/${id}`, apiKey)).body;
    await expect.poll(() => gateway.sent('/v1/retrievalRefund').length).toBeGreaterThan(1);
    expect(await operation()).toMatchObject({ status: 'answered' });
    for (const record of refunds.records) record.refund_status = status;
    const settlement = { by: 'refund_search', items: [outcome], refund_reference_ids: ['T1-01'] };
    await expect.poll(operation, { interval: 20 }).toMatchObject({ status: 'settled', items: [outcome], settlement });
    expect((await shop.one('operation.settled')).data).toMatchObject({ id, settlement });
    expect(gateway.sent('/v1/refund')).toHaveLength(1);
    const rest = await refund(relay);
    expect(rest.status).toBe(outcome === 'succeeded' ? 409 : 200);
  });

  const refund = (relay: TestRelay) =>
    relay.post('/v1/refund', apiKey, {
      refund_orders: [{ transaction_id: 'T1', currency: 'BRL', amount: '100.00', refund_amount: '60.00' }],
    });
});
