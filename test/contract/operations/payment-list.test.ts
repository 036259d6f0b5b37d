import { describe, expect, it } from 'vitest';
import { paymentList } from '../../../shared/api/order-payment.ts';
import { stores, storesOf } from '../../support/gateways/settlement.ts';
import { setUpOrderActions } from '../../support/relays/order-actions.ts';
import { apiKey, queryOnlyKey } from '../../support/relays/relay.ts';

const manual = { profile: { capture: { card: 'manual' } } };

describe.each(stores)('the list of payments, on %s', (kind) => {
  const newStore = storesOf(kind);

  async function setUp() {
    const stack = await setUpOrderActions(newStore, manual);
    const { relay, reference } = stack;
    const page = async (filter: Record<string, string> = {}) => {
      const answer = await relay.get(`/v1/payments?${new URLSearchParams(filter)}`, apiKey);
      reference.check('get', '/v1/payments', answer);
      return paymentList.parse(answer.body);
    };
    /** All filtered payments, page by page. */
    const all = async (filter: Record<string, string> = {}) => {
      const pages: string[][] = [];
      for (let before: string | undefined, isFirst = true; isFirst || before !== undefined; isFirst = false) {
        const { payments, next } = await page({ ...filter, ...(before === undefined ? {} : { before }) });
        pages.push(payments.map(({ transaction_id }) => transaction_id));
        before = next;
      }
      return pages;
    };
    return { ...stack, page, all };
  }

  it('is filtered by each payment’s current status', async () => {
    const { pay, act, page, all } = await setUp();
    const [first, second, third] = [await pay(), await pay(), await pay()];
    expect(await all()).toEqual([[third, second, first].map(({ transactionId }) => transactionId)]);
    await act('capture', first.orderNo);
    await act('cancel', second.orderNo);
    expect(await all({ status: 'authorised' })).toEqual([[third.transactionId]]);
    expect(await all({ status: 'paid' })).toEqual([[first.transactionId]]);
    expect(await all({ status: 'cancelled' })).toEqual([[second.transactionId]]);
    expect(await all({ capturable: 'true' })).toEqual([[third.transactionId]]);
    expect(await all({ order_no: second.orderNo, capturable: 'true' })).toEqual([[]]);
    const { payments } = await page({ order_no: first.orderNo });
    expect(payments).toMatchObject([{ order_no: first.orderNo, captured: '129.90', operations: [{}] }]);
  });

  it('is paged, also with few matches', async () => {
    const { pay, act, all } = await setUp();
    const paid = [await pay(), await pay(), await pay(), await pay(), await pay()];
    const ids = paid.map(({ transactionId }) => transactionId).reverse();
    expect(await all({ limit: '2' })).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    for (const { orderNo } of paid.slice(1, 4)) await act('cancel', orderNo);
    expect((await all({ limit: '2', status: 'authorised' })).flat()).toEqual([ids[0], ids[4]]);
    expect(await all({ created_from: '2100-01-01T00:00:00Z' })).toEqual([[]]);
    expect(await all({ created_to: '2000-01-01T00:00:00Z' })).toEqual([[]]);
  });

  it('contains payments of a contract, and both of an order', async () => {
    const { relay, records, pay, all } = await setUp();
    const { orderNo, transactionId } = await pay();
    const sum = { order_no: orderNo, amount: '129.90', currency: 'BRL', payment_status: '3000' };
    records.push({ ...sum, transaction_id: transactionId, subscription_result: { recurring_id: 'R-1' } });
    records.push({ ...sum, transaction_id: 'SECOND-1' });
    await relay.post(`/v1/orders/${orderNo}/reconcile`, apiKey, {});
    expect(await all({ limit: '1' })).toEqual([[transactionId, 'SECOND-1']]);
    expect(await all({ recurring_id: 'R-1' })).toEqual([[transactionId]]);
    expect(await all({ recurring_id: 'R-2' })).toEqual([[]]);
  });

  it('needs the scope console and refuses an unknown filter', async () => {
    const { relay } = await setUp();
    expect((await relay.get('/v1/payments', queryOnlyKey)).status).toBe(403);
    expect(await relay.get('/v1/payments?capturable=false', apiKey)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'capturable' }] },
    });
    const put = await relay.send('/v1/payments', { method: 'PUT', headers: { authorization: `Bearer ${apiKey}` } });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  });
});
