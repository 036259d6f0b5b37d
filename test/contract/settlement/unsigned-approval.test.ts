import { describe, expect, it } from 'vitest';
import { approval, sendXml, xml } from '../../support/gateways/scripted-gateway.ts';
import { patient, setUpSettlement, stores, storesOf } from '../../support/gateways/settlement.ts';

describe.each(stores)('an unsigned approval of an alternative payment, on %s', (kind) => {
  const newStore = storesOf(kind);

  it('is replaced by the record’s transaction, not paid twice', async () => {
    const { scripts, books, relay, session, byPix, notify, becomes, webhooksOf, queriesOf } = await setUpSettlement(
      newStore,
      {
        resolve: patient,
      },
    );
    const { id, secret, orderNo } = await session();
    scripts.pay = (received, res) => sendXml(res, xml({ ...approval(received), transaction_id: 'T-answer' }));
    expect((await byPix(secret)).body).toMatchObject({ status: 'approved' });
    expect(await relay.truth(id)).toMatchObject({ status: 'approved', transaction_id: 'T-answer' });
    books.write(orderNo, 'T-record', '3000');
    await notify(id);
    const truth = await becomes(id, { status: 'approved', transaction_id: 'T-record' });
    expect(truth).not.toHaveProperty('paid_twice');
    expect(await webhooksOf(id, 2)).toEqual(['session.approved', 'session.approved']);
    expect(queriesOf(orderNo)).toHaveLength(1);
  });
});
