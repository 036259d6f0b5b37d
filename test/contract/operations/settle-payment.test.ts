import { describe, expect, it } from 'vitest';
import { auditList } from '../../../shared/api/audit.ts';
import { approvedAs, patient, setUpSettlement, stores, storesOf } from '../../support/gateways/settlement.ts';
import { documented } from '../../support/relays/documented.ts';
import { apiKey, card, otherAccountKey, queryOnlyKey } from '../../support/relays/relay.ts';

const codes = { payment_status: { approved: ['3000'], declined: ['4100'], held: ['3900'] } };
const confirmed = { outcome: 'confirmed', note: 'Accepted in the portal, card 4111 1111 1111 1111' };

describe.each(stores)('a payment that a person settles, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** A payment that the gateway's record holds for a review. */
  async function held() {
    const stack = await setUpSettlement(newStore, { resolve: patient, profile: { codes } });
    const { relay, scripts, byCard, reconcile, books } = stack;
    const { secret, orderNo } = await stack.session();
    scripts.pay = approvedAs('T-1');
    await byCard(secret, card);
    books.write(orderNo, 'T-1', '3900');
    await reconcile(orderNo);
    const document = documented();
    const settle = async (body: object, { id = 'T-1', key = apiKey, headers = {} } = {}) => {
      const answer = await relay.post(`/v1/payments/${id}/settle`, key, body, headers);
      document.check('post', '/v1/payments/{transaction_id}/settle', answer);
      return answer;
    };
    const payment = async () => (await relay.get('/v1/payments/T-1', apiKey)).body;
    return { ...stack, orderNo, settle, payment, document };
  }

  it('is accepted and ready, once', async () => {
    const { relay, shop, settle, payment, document, orderNo } = await held();
    expect(await payment()).toMatchObject({ status: 'held' });
    const headers = { 'idempotency-key': 'k-1' };
    const first = await settle(confirmed, { headers });
    expect(first).toMatchObject({
      status: 200,
      body: {
        ...{ transaction_id: 'T-1', order_no: orderNo, status: 'paid' },
        settled: { by: 'all', at: expect.any(String), outcome: 'confirmed', note: expect.stringMatching(/^Accepted/) },
      },
    });
    expect(first.text).not.toContain('4111 1111 1111 1111');
    expect(await payment()).toEqual(first.body);
    expect((await settle(confirmed, { headers })).text).toBe(first.text);
    expect((await settle(confirmed)).body).toEqual(first.body);
    const ready = await shop.one('payment.ready');
    expect(ready.data).toMatchObject({ order_no: orderNo, confirmed: true, payment: first.body });
    expect(shop.types().filter((type) => type.startsWith('payment.'))).toEqual([
      ...['payment.held', 'payment.accepted', 'payment.ready'],
    ]);
    const order = await relay.get(`/v1/orders/${orderNo}`, apiKey);
    document.check('get', '/v1/orders/{order_no}', order);
    expect(order.body.timeline).toContainEqual(
      expect.objectContaining({ type: 'settled', transaction_id: 'T-1', by: 'all', outcome: 'confirmed' }),
    );
    const { entries } = auditList.parse((await relay.get('/v1/audit', apiKey)).body);
    expect(entries.filter(({ action }) => action === 'payment.settle')).toMatchObject([
      {
        ...{ by: 'all', subject: 'T-1', orders: [orderNo], decision: 'confirmed' },
        items: [{ transaction_id: 'T-1', amount: '129.90', currency: 'BRL' }],
      },
    ]);
  });

  it('is reversed and cannot be refunded', async () => {
    const { relay, shop, settle, orderNo } = await held();
    expect((await settle({ outcome: 'reversed', note: 'Chargeback' })).body).toMatchObject({
      ...{ status: 'reversed', refundable: '0.00', settled: { outcome: 'reversed' } },
    });
    expect((await shop.one('payment.reversed')).data).toMatchObject({ payment: { status: 'reversed' } });
    const refund = await relay.post(`/v1/orders/${orderNo}/refund`, apiKey, { reason: 'r' });
    expect(refund.body).toMatchObject({ code: 'payment_reversed' });
  });

  it('needs a key of its account with the scope settle', async () => {
    const { relay, settle } = await held();
    expect((await settle(confirmed, { id: 'T-none' })).body).toMatchObject({ code: 'not_found' });
    expect((await settle(confirmed, { key: otherAccountKey })).body).toMatchObject({ code: 'not_found' });
    expect((await settle(confirmed, { key: queryOnlyKey })).body).toMatchObject({ code: 'missing_scope' });
    expect((await settle({ outcome: 'confirmed', note: ' ' })).body).toMatchObject({ errors: [{ path: 'note' }] });
    // A refusal is written after its answer.
    const entries = async () => auditList.parse((await relay.get('/v1/audit', apiKey)).body).entries;
    const refused = { action: 'payment.settle', subject: 'T-none', problem: 'not_found' };
    await expect.poll(entries).toContainEqual(expect.objectContaining(refused));
  });
});
