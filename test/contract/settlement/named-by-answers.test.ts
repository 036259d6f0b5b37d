import { describe, expect, it } from 'vitest';
import { approval, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import {
  patient,
  paymentAnswers,
  refusedWith,
  setUpSettlement,
  stores,
  storesOf,
} from '../../support/gateways/settlement.ts';
import { apiKey } from '../../support/relays/relay.ts';

describe.each(stores)('the transaction of a signed answer, on %s', (kind) => {
  const newStore = storesOf(kind);

  it('is queried after another one paid its order', async () => {
    const { session, byCard, scripts, books, relay } = await setUpSettlement(newStore, { resolve: patient });
    scripts.pay = paymentAnswers.declined;
    const { secret, orderNo } = await session();
    expect((await byCard(secret)).body.status).toBe('declined');
    const reconcile = () => relay.post(`/v1/orders/${orderNo}/reconcile`, apiKey, {});
    books.write(orderNo, 'T2', '3000');
    expect((await reconcile()).body).toMatchObject({ status: 'paid', next_query_at: expect.any(String) });
    books.write(orderNo, 'T1', '3000');
    expect((await reconcile()).body.payments).toMatchObject([{ transaction_id: 'T2' }, { transaction_id: 'T1' }]);
  });

  it('keeps its attempt from being credited with another’s payment', async () => {
    const { session, byCard, scripts, books, relay } = await setUpSettlement(newStore, { resolve: patient });
    scripts.pay = refusedWith(400);
    const { id, secret, orderNo } = await session();
    expect((await byCard(secret)).body.status).toBe('declined');
    scripts.pay = (received, res) =>
      sendXml(res, signedXml({ ...approval(received), transaction_id: 'T2', order_status: '9' }));
    expect((await byCard(secret)).body.status).toBe('unknown');
    expect(await relay.truth(id)).toMatchObject({ attempts: [{ status: 'refused' }, { status: 'unknown' }] });
    books.write(orderNo, 'T1', '3000');
    const { body } = await relay.post(`/v1/orders/${orderNo}/reconcile`, apiKey, {});
    expect(body.payments).toMatchObject([{ transaction_id: 'T1' }]);
    expect(await relay.truth(id)).toMatchObject({
      attempts: [{ status: 'approved', transaction_id: 'T1' }, { status: 'unknown' }],
    });
  });
});
