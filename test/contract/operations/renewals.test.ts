import { describe, expect, it } from 'vitest';
import { attention } from '../../../shared/api/attention.ts';
import { orderDetail, orderList } from '../../../shared/api/order.ts';
import { orderPayment, paymentList } from '../../../shared/api/order-payment.ts';
import { subscriptionList } from '../../../shared/api/subscription.ts';
import { operations } from '../../../shared/gateway/operations.ts';
import { RefundBooks } from '../../support/gateways/refund-books.ts';
import { patient, stores, storesOf } from '../../support/gateways/settlement.ts';
import { documented } from '../../support/relays/documented.ts';
import { setUpPaid, signedBody } from '../../support/relays/paid-order.ts';
import { apiKey } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const DAY_MS = 86_400_000;
const ofContract = { subscription_result: { contract_name: 'Tea club', recurring_id: 'R1', recurring_status: '1' } };

/** `YYYYMMDDHHMMSS` of a day this many days ago. */
const daysAgo = (days: number): string =>
  new Date(Date.now() - days * DAY_MS).toISOString().replace(/\D/g, '').slice(0, 14);

describe.each(stores)('a later charge, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** A paid order, sixty days old, with a known contract. `charge` writes the record of a later charge. */
  async function setUp(resolve: object = patient) {
    const stack = await setUpPaid(newStore, { ageMs: 60 * DAY_MS, resolve });
    const { paid, books, reconcile, relay, shop, notify, idle, scripts } = stack;
    const described = documented();
    const refunds = new RefundBooks();
    const { query } = scripts;
    scripts.query = (received, res, req) => {
      const isRefund = received.path === operations.refund.path || received.path === operations.refund_search.path;
      return (isRefund ? refunds.script : query)(received, res, req);
    };
    books.write(paid.orderNo, 'T1', '3000', { ...ofContract, transaction_date: daysAgo(60) });
    await reconcile(paid.orderNo);
    const get = async (path: string) => relay.get(path, apiKey);
    const shown = async (route: string, path: string) => {
      const answer = await get(path);
      described.check('get', route, answer);
      return answer.body;
    };
    const own = `${paid.orderNo}-R2`;
    return {
      ...stack,
      ...{ get, own, described },
      charge: (orderNo: string, id: string, code = '3000', more: object = {}) =>
        books.write(orderNo, id, code, {
          ...{ amount: '49.90', transaction_date: daysAgo(1), ...ofContract },
          ...more,
        }),
      /** The types of the webhooks about a transaction. */
      typesOf: (id: string) => shop.received.filter(({ raw }) => raw.includes(`"${id}"`)).map(({ type }) => type),
      dataOf: (type: string) => shop.received.filter((one) => one.type === type).map(({ data }) => data),
      announce: async (orderNo: string, id: string, more: object = {}) => {
        await notify(signedBody({ order_no: orderNo, transaction_id: id, ...more }));
        await idle();
      },
      payments: async (query: string) =>
        paymentList
          .parse(await shown('/v1/payments', `/v1/payments?${query}`))
          .payments.map(({ transaction_id }) => transaction_id),
      contract: async () => {
        const body = await shown('/v1/subscriptions', '/v1/subscriptions?recurring_id=R1');
        const [one, ...others] = subscriptionList.parse(body).subscriptions;
        expect(others).toEqual([]);
        return one;
      },
      waits: async () => {
        const { groups } = attention.parse((await get('/v1/attention')).body);
        return groups.filter(({ count }) => count > 0);
      },
    };
  }

  it('becomes a separate order, reported once', async () => {
    const { paid, own, charge, announce, typesOf, dataOf, get, payments, contract, relay, reconcile } = await setUp();
    charge(own, 'T6');
    for (let times = 0; times < 3; times++) await announce(own, 'T6', { note: `n${times}` });
    await reconcile(own);
    await until('the webhook of the charge', () => typesOf('T6').length >= 2);
    expect(typesOf('T6').toSorted()).toEqual(['payment.ready', 'subscription.charged']);
    expect(dataOf('subscription.charged')).toMatchObject([
      {
        ...{ recurring_id: 'R1', contract_name: 'Tea club', order_no: own, failures: 0 },
        payment: { transaction_id: 'T6', status: 'paid', amount: '49.90', order_no: own, origin: 'renewal' },
      },
    ]);
    const { body } = await get(`/v1/orders/${own}`);
    expect(body).toMatchObject({ order_no: own, status: 'paid', amount: '49.90', sessions: [], refundable: '49.90' });
    expect(body.timeline).toContainEqual(expect.objectContaining({ event: 'payment.ready', subject: 'T6' }));
    expect(orderPayment.parse((await get('/v1/payments/T6')).body)).toMatchObject({
      ...{ order_no: own, origin: 'renewal', recurring_id: 'R1', method: 'card', credited: false },
      gateway: { payment_status: '3000' },
    });
    expect(await payments('recurring_id=R1')).toEqual(['T6', 'T1']);
    expect(await payments(`order_no=${own}`)).toEqual(['T6']);
    const { orders } = orderList.parse((await get('/v1/orders')).body);
    expect(orders).toMatchObject([{ order_no: own, amount: '49.90', status: 'paid' }, { order_no: paid.orderNo }]);
    const csv = await relay.send('/v1/orders', { headers: { authorization: `Bearer ${apiKey}`, accept: 'text/csv' } });
    expect(csv.text).toContain(`\r\n${own},paid,`);
    expect(await contract()).toMatchObject({ later_charges: 1, last_charge: { transaction_id: 'T6' }, failures: 0 });
    expect((await relay.truth(paid.id)).paid_twice).toBeUndefined();
  });

  it('is refunded and reversed like any payment', async () => {
    const { own, charge, announce, get, relay, books, reconcile, typesOf } = await setUp();
    charge(own, 'T6');
    await announce(own, 'T6');
    const refund = (amount?: string) =>
      relay.post(`/v1/orders/${own}/refund`, apiKey, { reason: 'returned', ...(amount ? { amount } : {}) });
    expect((await refund('50.00')).body).toMatchObject({ code: 'refund_exceeds_payment' });
    expect((await refund('9.90')).body).toMatchObject({ outcome: 'succeeded', payment: { refundable: '40.00' } });
    expect((await get('/v1/payments/T6')).body).toMatchObject({ status: 'partially_refunded', refunded: '9.90' });
    books.write(own, 'T6', '4100', { amount: '49.90', transaction_date: daysAgo(1), ...ofContract });
    await reconcile(own);
    await until('the webhook of the reversal', () => typesOf('T6').includes('payment.reversed'));
    expect((await get('/v1/payments/T6')).body).toMatchObject({ status: 'reversed', refundable: '0.00' });
    expect((await refund()).body).toMatchObject({ code: 'payment_reversed' });
    expect(typesOf('T6')).not.toContain('subscription.charge_failed');
  });

  it('with the first order’s number is a further payment of it', async () => {
    const { paid, charge, announce, typesOf, get, relay, payments, reconcile, waits } = await setUp();
    charge(paid.orderNo, 'T6');
    await announce(paid.orderNo, 'T6');
    await reconcile(paid.orderNo);
    await until('the webhook of the charge', () => typesOf('T6').length >= 2);
    expect(typesOf('T6').toSorted()).toEqual(['payment.ready', 'subscription.charged']);
    expect((await get(`/v1/orders/${paid.orderNo}`)).body.payments).toMatchObject([
      { transaction_id: 'T1', origin: 'checkout', credited: true },
      { transaction_id: 'T6', origin: 'renewal', credited: false },
    ]);
    expect((await relay.truth(paid.id)).paid_twice).toBeUndefined();
    expect(await payments(`order_no=${paid.orderNo}`)).toEqual(['T1', 'T6']);
    const refunded = await relay.post(`/v1/orders/${paid.orderNo}/refund`, apiKey, { reason: 'x', amount: '1.00' });
    expect(refunded.body).toMatchObject({ outcome: 'succeeded', payment: { transaction_id: 'T1' } });
    expect(await waits()).toEqual([]);
  });

  it('that failed sends one webhook and needs attention until one succeeds', async () => {
    const { own, paid, charge, announce, typesOf, dataOf, contract, waits, get } = await setUp();
    const result = { code: '4100', message: 'Insufficient funds' };
    charge(own, 'T6', '4100', { decline_reason: result.message, transaction_date: daysAgo(3) });
    for (let times = 0; times < 2; times++) await announce(own, 'T6', { note: `n${times}` });
    await until('the webhook of the failure', () => typesOf('T6').length >= 1);
    expect(typesOf('T6')).toEqual(['subscription.charge_failed']);
    expect(dataOf('subscription.charge_failed')).toMatchObject([
      {
        ...{ recurring_id: 'R1', contract_name: 'Tea club', order_no: own, transaction_id: 'T6', amount: '49.90' },
        ...{ failures: 1, result },
      },
    ]);
    expect(await contract()).toMatchObject({ failures: 1, last_failure: { transaction_id: 'T6', result } });
    expect(await waits()).toMatchObject([
      {
        ...{ kind: 'charge_failed', count: 1 },
        cases: [{ order_no: paid.orderNo, why: '4100', recurring_id: 'R1', transaction_id: 'T6', amount: '49.90' }],
      },
    ]);
    expect((await get('/v1/orders?needs_attention=true')).body.orders).toMatchObject([{ order_no: paid.orderNo }]);
    expect((await get('/v1/payments/T6')).status).toBe(404);
    expect((await get('/metrics')).text).toContain('turnpike_gave_up_total{what="charge_failed"} 1');

    charge(`${own}b`, 'T7', '3000', { transaction_date: daysAgo(2) });
    await announce(`${own}b`, 'T7');
    await until('the webhook of the success', () => typesOf('T7').includes('subscription.charged'));
    expect(dataOf('subscription.charged')).toMatchObject([{ failures: 0 }]);
    const healthy = await contract();
    expect(healthy).toMatchObject({ failures: 0, later_charges: 1 });
    expect(healthy).not.toHaveProperty('last_failure');
    expect(await waits()).toEqual([]);
  });

  it('that failed needs no attention after acknowledgement by a person', async () => {
    const { own, charge, announce, relay, contract, waits, described, get, typesOf } = await setUp();
    charge(own, 'T6', '4100', { transaction_date: daysAgo(3) });
    await announce(own, 'T6');
    await until('the webhook of the failure', () => typesOf('T6').length === 1);
    const acknowledge = (id: string, note = 'asked for another card') =>
      relay.post(`/v1/subscriptions/${id}/acknowledge`, apiKey, { note });
    const answer = await acknowledge('R1');
    described.check('post', '/v1/subscriptions/{recurring_id}/acknowledge', answer);
    const acknowledged = { by: 'all', note: 'asked for another card', at: expect.any(String) };
    expect(answer.body).toMatchObject({ recurring_id: 'R1', failures: 1, last_failure: { acknowledged } });
    expect((await acknowledge('R1', 'again')).body).toMatchObject({ last_failure: { acknowledged } });
    expect(await contract()).toMatchObject({ failures: 1, last_failure: { acknowledged } });
    expect(await waits()).toEqual([]);
    expect((await get('/v1/orders?needs_attention=true')).body).toEqual({ orders: [] });
    const audit = (await get('/v1/audit')).text;
    expect(audit).toContain('"action":"subscription.acknowledge"');
    expect((await acknowledge('R9')).status).toBe(404);
    expect((await acknowledge('R1', ' ')).status).toBe(400);

    charge(`${own}b`, 'T7', '4100', { transaction_date: daysAgo(2) });
    await announce(`${own}b`, 'T7');
    await until('the webhook of the next failure', () => typesOf('T7').length === 1);
    expect(await waits()).toMatchObject([{ kind: 'charge_failed', cases: [{ transaction_id: 'T7' }] }]);
  });

  it('is found by a reconciliation without a notification', async () => {
    const { own, paid, charge, reconcile, typesOf, get } = await setUp();
    charge(own, 'T6');
    charge(paid.orderNo, 'T7', '3000', { transaction_date: daysAgo(31) });
    expect((await get(`/v1/orders/${own}`)).status).toBe(404);
    expect((await reconcile(own)).body).toMatchObject({ order_no: own, payments: [{ transaction_id: 'T6' }] });
    await reconcile(paid.orderNo);
    await until('the webhooks of both', () => ['T6', 'T7'].every((id) => typesOf(id).length >= 2));
    expect((await reconcile(`${own}x`)).status).toBe(404);
    charge('other', 'T8', '3000', { subscription_result: { recurring_id: 'R9' } });
    expect((await reconcile('other')).status).toBe(404);
  });

  it('is found by a query of its first order', async () => {
    const { own, paid, charge, reconcile, books, get, typesOf, scripts } = await setUp();
    charge(own, 'T6');
    const { query } = scripts;
    scripts.query = (received, res, req) => {
      const message = { ...received.message, orders: `${received.message.orders},${own}` };
      return query({ ...received, message }, res, req);
    };
    await reconcile(paid.orderNo);
    expect((await get('/v1/payments/T6')).body).toMatchObject({ order_no: own, origin: 'renewal' });
    await until('its webhooks', () => typesOf('T6').length >= 2);
    expect(books.records).toHaveLength(2);
  });

  it('sends one webhook, whichever relay finds it', async () => {
    const { own, paid, charge, relay, start, typesOf, contract, announce, get } = await setUp();
    const relays = kind === 'PostgreSQL' ? [relay, await start()] : [relay];
    charge(own, 'T6', '3000', { transaction_date: daysAgo(3) });
    charge(paid.orderNo, 'T7', '3000', { transaction_date: daysAgo(2) });
    charge(`${own}b`, 'T8', '4100');
    const asked = [own, own, paid.orderNo, paid.orderNo, `${own}b`, `${own}b`].flatMap((orderNo) =>
      relays.map((one) => one.post(`/v1/orders/${orderNo}/reconcile`, apiKey, {})),
    );
    await Promise.all([...asked, announce(own, 'T6'), announce(paid.orderNo, 'T7'), announce(`${own}b`, 'T8')]);
    await until('the webhooks of all', () =>
      ['T6', 'T7', 'T8'].every((id) => typesOf(id).some((type) => /^sub/.test(type))),
    );
    await until('both are ready', () => ['T6', 'T7'].every((id) => typesOf(id).includes('payment.ready')));
    for (const id of ['T6', 'T7']) expect(typesOf(id).toSorted()).toEqual(['payment.ready', 'subscription.charged']);
    expect(typesOf('T8')).toEqual(['subscription.charge_failed']);
    expect(await contract()).toMatchObject({ later_charges: 2, failures: 1 });
    expect((await get(`/v1/orders/${own}`)).body.payments).toHaveLength(1);
  });

  it('is queried after one, seven and thirty days', async () => {
    const { own, charge, announce, get } = await setUp({ ...patient, paid_days: [1, 7, 30] });
    charge(own, 'T6', '3000', { transaction_date: daysAgo(2) });
    await announce(own, 'T6');
    const { last_query, next_query_at = '' } = orderDetail.parse((await get(`/v1/orders/${own}`)).body);
    expect(last_query).toMatchObject({ counted: true });
    const days = (Date.parse(next_query_at) - Date.now()) / DAY_MS;
    expect(days).toBeGreaterThan(4.9);
    expect(days).toBeLessThan(5.1);
  });
});
