import { describe, expect, it } from 'vitest';
import {
  approvedAs,
  patient,
  paymentAnswers,
  setUpSettlement,
  stores,
  storesOf,
} from '../../support/gateways/settlement.ts';
import { documented } from '../../support/relays/documented.ts';

describe.each(stores)('a transaction that paid an order, on %s', (kind) => {
  const newStore = storesOf(kind);

  it('settles no other order', async () => {
    const { scripts, session, byCard, settle, relay } = await setUpSettlement(newStore, { resolve: patient });
    const [paid, unknown] = [await session(), await session()];
    scripts.pay = approvedAs('T1');
    expect((await byCard(paid.secret)).body).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    scripts.pay = paymentAnswers.lost;
    expect((await byCard(unknown.secret)).body).toEqual({ status: 'unknown' });
    const said = { outcome: 'approved', transaction_id: 'T1', note: 'Seen at the portal' };
    expect(await settle(unknown.id, said)).toMatchObject({
      status: 409,
      body: { code: 'transaction_known', detail: expect.stringContaining(paid.orderNo) },
    });
    expect(await relay.truth(unknown.id)).toMatchObject({ status: 'unknown' });
    const respelled = await settle(unknown.id, { ...said, transaction_id: 't1' });
    expect(respelled).toMatchObject({
      status: 400,
      body: { code: 'transaction_id_form', errors: [{ path: 'transaction_id', message: 'must be "T1" exactly' }] },
    });
    documented().check('post', '/v1/sessions/{id}/settle', respelled);
    expect(await relay.truth(unknown.id)).toMatchObject({ status: 'unknown' });
    expect(await settle(unknown.id, { ...said, transaction_id: 'T2' })).toMatchObject({
      status: 200,
      body: { status: 'approved', transaction_id: 'T2' },
    });
  });
});
