import { describe, expect, it } from 'vitest';
import { operations } from '../../../shared/gateway/operations.ts';
import { stores, storesOf } from '../../support/gateways/settlement.ts';
import { setUpOrderActions } from '../../support/relays/order-actions.ts';
import { apiKey } from '../../support/relays/relay.ts';

type Name = 'refund' | 'capture' | 'cancel' | 'review';

const manual = { profile: { capture: { card: 'manual' } } };

describe.each(stores)('an item without values that the relay knows, on %s', (kind) => {
  const newStore = storesOf(kind);

  async function setUp(options: { profile?: Record<string, unknown> } = {}) {
    const all = await setUpOrderActions(newStore, options);
    const ask = async (name: Name, items: object[], headers: Record<string, string> = {}) => {
      const { path } = operations[name].route;
      const answer = await all.relay.post(path, apiKey, { [operations[name].batch.list]: items }, headers);
      all.reference.check('post', path, answer);
      return answer;
    };
    return { ...all, ask };
  }

  it('refunds everything that can be refunded', async () => {
    const { relay, pay, ask, sent } = await setUp();
    const [one, other] = [await pay(), await pay({ currency: 'JPY', amount: '1000' })];
    const common = { transaction_id: one.transactionId, order_no: one.orderNo, currency: 'BRL', amount: '129.90' };
    expect(
      (await ask('refund', [{ transaction_id: one.transactionId, amount: '129.90', refund_amount: '29.9' }])).status,
    ).toBe(200);
    const answer = await ask('refund', [
      { transaction_id: one.transactionId },
      { transaction_id: other.transactionId },
    ]);
    expect(answer.body.refund_orders, answer.text).toMatchObject([{ outcome: 'succeeded' }, { outcome: 'succeeded' }]);
    const inYen = { transaction_id: other.transactionId, order_no: other.orderNo, currency: 'JPY', amount: '1000.00' };
    const whole = [
      { ...common, refund_amount: '100.00' },
      { ...inYen, refund_amount: '1000.00' },
    ];
    expect(sent('refund')).toEqual([{ ...common, refund_amount: '29.90' }, ...whole]);
    const kept = await relay.get(`/v1/operations/${answer.body.operation_id}`, apiKey);
    expect(kept.body.request).toEqual({ refund_orders: whole });
    const over = await ask('refund', [{ transaction_id: one.transactionId }]);
    const errors = [{ path: 'refund_orders.0.refund_amount', message: 'must not be more than 0.00' }];
    expect(over).toMatchObject({ status: 409, body: { code: 'refund_exceeds_payment', errors } });
  });

  it('captures the rest; reviews and cancels the whole payment', async () => {
    const { pay, ask, sent } = await setUp(manual);
    const { orderNo, transactionId } = await pay();
    const whole = { transaction_id: transactionId, order_no: orderNo, currency: 'BRL', amount: '129.90' };
    expect((await ask('capture', [{ transaction_id: transactionId, amount: '29.90' }])).status).toBe(200);
    expect((await ask('capture', [{ transaction_id: transactionId }])).status).toBe(200);
    expect(sent('capture')).toEqual([
      { ...whole, amount: '29.90' },
      { ...whole, amount: '100.00' },
    ]);
    const held = await pay();
    const item = { transaction_id: held.transactionId };
    expect((await ask('review', [{ ...item, review_flag: 'ACCEPT' }])).status).toBe(200);
    expect((await ask('cancel', [item])).status).toBe(200);
    const other = { ...whole, ...item, order_no: held.orderNo };
    expect(sent('review')).toEqual([{ ...other, review_flag: 'ACCEPT' }]);
    expect(sent('cancel')).toEqual([other]);
  });

  it('is the same request under its key, whatever remains', async () => {
    const { pay, ask, sent } = await setUp();
    const { transactionId } = await pay();
    const key = { 'idempotency-key': 'k-1' };
    const item = { transaction_id: transactionId };
    const first = await ask('refund', [item], key);
    expect((await ask('refund', [item], key)).text).toBe(first.text);
    const other = await ask('refund', [{ ...item, amount: '129.90', refund_amount: '129.90' }], key);
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect(sent('refund')).toHaveLength(1);
  });

  it('is refused for an unknown payment, with the missing fields', async () => {
    const { relay, pay, ask, sent } = await setUp();
    const { transactionId } = await pay();
    const missing = (...paths: string[]) => paths.map((path) => ({ path, message: 'is missing' }));
    const known = { transaction_id: transactionId };
    const unknown = { transaction_id: 'T-unknown' };
    const key = { 'idempotency-key': 'k-2' };
    const refused = await ask('refund', [known, unknown], key);
    const paths = ['currency', 'amount', 'refund_amount'].map((field) => `refund_orders.1.${field}`);
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(refused.body.errors).toEqual(missing(...paths));
    for (const name of ['capture', 'cancel', 'review'] as const) {
      const { list } = operations[name].batch;
      const { body } = await ask(name, [
        { ...unknown, currency: 'BRL', ...(name === 'review' ? { review_flag: '1' } : {}) },
      ]);
      expect(body.errors).toEqual(missing(`${list}.0.amount`));
    }
    const half = await ask('refund', [{ ...known, amount: '129.90' }]);
    expect(half.body.errors).toEqual(missing('refund_orders.0.refund_amount'));
    const plain = await ask('refund', [{ ...known, amount: '129', refund_amount: '1' }]);
    expect(plain.body.errors).toMatchObject([
      { path: 'refund_orders.0.amount', message: expect.stringContaining('write 129.00') },
      { path: 'refund_orders.0.refund_amount', message: expect.stringContaining('write 1.00') },
    ]);
    expect(sent('refund')).toEqual([]);
    // Another payment may become known, so the key is free.
    expect((await ask('refund', [known], key)).status).toBe(200);
    expect(relay.answers.join()).not.toContain('internal');
  });
});
