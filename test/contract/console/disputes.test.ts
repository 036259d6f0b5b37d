import { describe, expect, it } from 'vitest';
import { paymentList } from '../../../shared/api/order-payment.ts';
import { stats } from '../../../shared/api/stats.ts';
import { stores, storesOf } from '../../support/gateways/settlement.ts';
import { setUpOrderActions } from '../../support/relays/order-actions.ts';
import { apiKey } from '../../support/relays/relay.ts';

const codes = { payment_status: { approved: ['3000'], declined: ['4100'], charged_back: ['5000'] } };

describe.each(stores)('reversed payments, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** Three paid orders. `recorded` changes the gateway's record of the first one. */
  async function setUp() {
    const stack = await setUpOrderActions(newStore, { profile: { codes, capture: { card: 'automatic' } } });
    const { relay, records, pay, reference } = stack;
    const [first] = [await pay(), await pay(), await pay({ currency: 'USD' })];
    const recorded = async (payment_status: string, more: object = {}) => {
      const { orderNo: order_no, transactionId: transaction_id } = first;
      records.splice(0, 1, { order_no, amount: '129.90', currency: 'BRL', transaction_id, payment_status, ...more });
      await relay.post(`/v1/orders/${order_no}/reconcile`, apiKey, {});
    };
    const found = async () => {
      const answer = await relay.get('/v1/payments?status=reversed', apiKey);
      reference.check('get', '/v1/payments', answer);
      return paymentList.parse(answer.body).payments;
    };
    const figures = async () => stats.parse((await relay.get('/v1/stats', apiKey)).body).total;
    return { ...stack, ...first, recorded, found, figures };
  }

  it('are listed with reason, time and newest note, also as CSV', async () => {
    const { relay, orderNo, transactionId, recorded, found, reference } = await setUp();
    expect(await found()).toEqual([]);
    await recorded('5000', { decline_reason: '4853:Not received' });
    await relay.post(`/v1/orders/${orderNo}/notes`, apiKey, { note: 'first' });
    await relay.post(`/v1/orders/${orderNo}/notes`, apiKey, { note: 'sent the receipt, =1+1' });
    expect(await found()).toMatchObject([
      {
        ...{ transaction_id: transactionId, order_no: orderNo, status: 'reversed' },
        reversed_at: expect.stringMatching(/Z$/),
        gateway: { payment_status: '5000', decline_reason: '4853:Not received' },
        note: { by: 'all', note: 'sent the receipt, =1+1' },
      },
    ]);
    const csv = await relay.get('/v1/payments?status=reversed&format=csv', apiKey);
    reference.check('get', '/v1/payments', csv);
    const [head = '', line = '', ...rest] = csv.text.split('\r\n');
    expect(head).toMatch(/^transaction_id,order_no,status,amount,currency,paid_at,/);
    expect(line).toMatch(
      new RegExp(`^${transactionId},${orderNo},reversed,129\\.90,BRL,.*,4853:Not received,.*receipt`),
    );
    expect(rest).toEqual(['']);
    expect((await relay.get('/v1/payments?format=csv', apiKey)).text.trim().split('\r\n')).toHaveLength(4);
    await recorded('3000');
    expect(await found()).toEqual([]);
  });

  it('include those that a person decided, with the decision’s time', async () => {
    const { relay, transactionId, found } = await setUp();
    const body = { outcome: 'reversed', note: 'Chargeback letter 4711' };
    const settled = await relay.post(`/v1/payments/${transactionId}/settle`, apiKey, body);
    expect(settled.status).toBe(200);
    const [payment] = await found();
    expect(payment).toMatchObject({ transaction_id: transactionId, settled: body });
    expect(payment?.reversed_at).toBe(payment?.settled?.at);
    const { text } = await relay.get('/v1/payments?status=reversed&format=csv', apiKey);
    expect(text).toContain('Chargeback letter 4711');
  });

  it('have a share of the paid payments, by number and amount', async () => {
    const { recorded, figures } = await setUp();
    expect(await figures()).toMatchObject({ reversed: [], chargeback_rate: 0 });
    await recorded('5000');
    expect(await figures()).toMatchObject({
      reversed: [{ currency: 'BRL', count: 1, amount: '129.90', rate: 0.5 }],
      chargeback_rate: 0.3333,
    });
    await recorded('3000');
    expect(await figures()).toMatchObject({ reversed: [], chargeback_rate: 0 });
  });
});
