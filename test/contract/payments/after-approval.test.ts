import { describe, expect, it } from 'vitest';
import { operations } from '../../../shared/gateway/operations.ts';
import { RefundBooks } from '../../support/gateways/refund-books.ts';
import { approvedAs, setUpSettlement, stores, storesOf } from '../../support/gateways/settlement.ts';
import { willing } from '../../support/relays/idempotent.ts';
import { apiKey, card, order } from '../../support/relays/relay.ts';
import { until } from '../../support/time/until.ts';

const codes = {
  payment_status: {
    ...{ approved: ['3000'], declined: ['4100'], pending: ['2000'] },
    ...{ held: ['2900'], charged_back: ['5000'] },
  },
};

type News = { type: string; data: Record<string, unknown> };

describe.each(stores)('a payment after its approval, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** A relay whose gateway approves a payment and shows the record that the test writes. */
  async function setUp(resolve: object = {}) {
    const of = await setUpSettlement(newStore, { profile: { codes }, resolve: { confirm_ms: 200, ...resolve } });
    const { relay, shop, books, scripts } = of;
    const [query, refunds] = [scripts.query, new RefundBooks()];
    scripts.pay = approvedAs('T1');
    scripts.query = (received, res, req) => {
      const isRefund = received.path === operations.refund.path || received.path === operations.refund_search.path;
      const script = received.path === operations.query.path ? query : isRefund ? refunds.script : willing;
      return script(received, res, req);
    };
    const webhooksOf = (type: string): News[] => shop.received.filter((one) => one.type === type);
    return {
      ...of,
      webhooksOf,
      async pay(record?: [code: string, more?: Record<string, unknown>]) {
        const given = order();
        if (record) books.write(given.order_no, 'T1', ...record);
        const { body } = await relay.post('/v1/payments', apiKey, { ...given, ...card });
        expect(body.status).toBe('approved');
        return given.order_no;
      },
      /** Waits until the shop has received the webhook, and returns its data. */
      async webhook(type: string, times = 1): Promise<News> {
        await until(`${times} ${type}`, () => webhooksOf(type).length >= times);
        const news = webhooksOf(type).at(-1);
        if (!news) throw new Error('no webhook arrived');
        return news;
      },
      payment: async () => (await relay.get('/v1/payments/T1', apiKey)).body,
      act: (name: string, orderNo: string, body: object = {}) =>
        relay.post(`/v1/orders/${orderNo}/${name}`, apiKey, body),
    };
  }

  it('is ready once its record exists', async () => {
    const { pay, webhook, webhooksOf, payment, shop } = await setUp();
    const orderNo = await pay(['3000', { reference_no: 'N1', is3ds: '1' }]);
    const gateway = { payment_status: '3000', reference_no: 'N1', is3ds: '1', as_of: expect.any(String) };
    expect(await webhook('payment.ready')).toMatchObject({
      data: { order_no: orderNo, confirmed: true, payment: { transaction_id: 'T1', status: 'paid', gateway } },
    });
    expect(await payment()).toMatchObject({ status: 'paid', gateway });
    // The webhooks of the payment and of the session come in any order.
    await expect.poll(() => shop.types().toSorted()).toEqual(['payment.ready', 'session.approved']);
    expect(webhooksOf('payment.ready')).toHaveLength(1);
  });

  it('needs a person if no record appears', async () => {
    const { pay, webhook, webhooksOf, relay } = await setUp({ absent_ms: 1000 });
    const orderNo = await pay();
    await webhook('payment.unconfirmed');
    expect((await relay.get(`/v1/orders/${orderNo}`, apiKey)).body).toMatchObject({ needs_attention: true });
    expect(webhooksOf('payment.ready')).toEqual([]);
  });

  it('is ready, unconfirmed, if no query counts', async () => {
    const { pay, webhook, scripts } = await setUp({ absent_ms: 1000 });
    scripts.query = (_received, res) => void res.destroy();
    await pay();
    expect(await webhook('payment.ready')).toMatchObject({ data: { confirmed: false } });
  });

  it('is held until a review accepts it', async () => {
    const { pay, webhook, payment, act, webhooksOf } = await setUp();
    const orderNo = await pay(['2900']);
    expect(await webhook('payment.held')).toMatchObject({ data: { payment: { status: 'held', capturable: '0.00' } } });
    expect(await payment()).toMatchObject({ status: 'held' });
    expect((await act('capture', orderNo)).body).toMatchObject({ code: 'payment_held' });
    const accepted = await act('review', orderNo, { decision: 'accept', metadata: { who: 'Ada' } });
    expect(accepted.body).toMatchObject({ outcome: 'succeeded', payment: { status: 'paid' } });
    expect(await webhook('payment.accepted')).toMatchObject({
      data: { operation_id: accepted.body.operation_id, metadata: { who: 'Ada' }, payment: { status: 'paid' } },
    });
    await webhook('payment.ready');
    expect(webhooksOf('payment.held')).toHaveLength(1);
  });

  it('is rejected by a review and never ready', async () => {
    const { pay, webhook, payment, act, webhooksOf, reconcile } = await setUp();
    const orderNo = await pay(['2900']);
    await webhook('payment.held');
    await act('review', orderNo, { decision: 'reject' });
    expect(await webhook('payment.rejected')).toMatchObject({ data: { payment: { status: 'rejected' } } });
    await reconcile(orderNo);
    expect(await payment()).toMatchObject({ status: 'rejected', refundable: '0.00' });
    expect(webhooksOf('payment.ready')).toEqual([]);
  });

  it('is reversed by its record, and restored', async () => {
    const { pay, webhook, payment, act, books, reconcile, relay } = await setUp();
    const orderNo = await pay(['3000']);
    await webhook('payment.ready');
    books.write(orderNo, 'T1', '5000');
    expect((await reconcile(orderNo)).body).toMatchObject({ payments: [{ status: 'reversed', refundable: '0.00' }] });
    await webhook('payment.reversed');
    expect((await relay.get(`/v1/orders/${orderNo}`, apiKey)).body).toMatchObject({ needs_attention: true });
    expect((await act('refund', orderNo, { reason: 'r', transaction_id: 'T1' })).body).toMatchObject({
      code: 'payment_reversed',
    });
    books.write(orderNo, 'T1', '3000');
    await reconcile(orderNo);
    expect(await webhook('payment.ready', 2)).toMatchObject({ data: { restored: true } });
    expect(await payment()).toMatchObject({ status: 'paid' });
  });

  it('is in each operation’s webhook, with its status at that time', async () => {
    const { pay, webhook, act, shop } = await setUp();
    const orderNo = await pay(['3000']);
    await webhook('payment.ready');
    for (const amount of ['20.00', '30.00', '79.90']) await act('refund', orderNo, { amount, reason: 'r' });
    await webhook('payment.refunded', 3);
    const refunded = shop.received.filter(({ type }) => type === 'payment.refunded').map(({ data }) => data.payment);
    expect(refunded).toMatchObject([
      { refunded: '20.00', refundable: '109.90', status: 'partially_refunded' },
      { refunded: '50.00', refundable: '79.90', status: 'partially_refunded' },
      { refunded: '129.90', refundable: '0.00', status: 'refunded' },
    ]);
  });

  it('is in webhooks of simultaneous refunds, finally with their sum', async () => {
    const { pay, webhook, act, shop } = await setUp();
    const orderNo = await pay(['3000']);
    await webhook('payment.ready');
    await Promise.all(['10.00', '20.00', '30.00'].map((amount) => act('refund', orderNo, { amount, reason: 'r' })));
    await webhook('payment.refunded', 3);
    const last = shop.received.findLast(({ type }) => type === 'payment.refunded');
    expect(last?.data.payment).toMatchObject({ refunded: '60.00', refund_undecided: '0.00', refundable: '69.90' });
  });
});
