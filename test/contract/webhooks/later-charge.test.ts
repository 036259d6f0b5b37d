import { describe, expect, it } from 'vitest';
import { oneStore, storesOf } from '../../support/gateways/settlement.ts';
import { setUpPaid, signedBody } from '../../support/relays/paid-order.ts';

const DAY_MS = 86_400_000;

describe.each(oneStore)('a later charge, on %s', (kind) => {
  const newStore = storesOf(kind);
  const ofContract = { subscription_result: { recurring_id: 'R1' } };

  /** A paid order whose contract is known and charged again: the charge is T6. */
  async function setUpCharged() {
    const stack = await setUpPaid(newStore, { ageMs: 31 * DAY_MS });
    const { paid, books, reconcile, told } = stack;
    books.write(paid.orderNo, 'T1', '3000', ofContract);
    await reconcile(paid.orderNo);
    const charge = () => books.write(paid.orderNo, 'T6', '3000', { ...ofContract, amount: '49.90' });
    const toldOf = (id: string) => told().filter(({ raw }) => raw.includes(`"${id}"`));
    return { ...stack, charge, toldOf };
  }

  it('is told once where a query alone shows it', async () => {
    const { paid, relay, reconcile, heard, told, charge } = await setUpCharged();
    charge();
    for (let times = 0; times < 3; times++) await reconcile(paid.orderNo);
    expect(await heard(1)).toMatchObject([
      { session_id: paid.id, verified: false, fields: {}, records: [{ transaction_id: 'T6', amount: '49.90' }] },
    ]);
    expect((await relay.truth(paid.id)).paid_twice).toBeUndefined();
    expect(told()).toHaveLength(1);
  });

  it('is told though a notification of the payment alone is told', async () => {
    const { paid, reconcile, notify, heard, toldOf, charge, idle } = await setUpCharged();
    charge();
    await notify(signedBody({ order_no: paid.orderNo, transaction_id: 'T1', note: 'statement' }));
    await heard(2);
    await idle();
    await reconcile(paid.orderNo);
    expect(['T1', 'T6'].map((id) => toldOf(id).length)).toEqual([1, 1]);
  });

  it('is told once, with the notification that names it', async () => {
    const { paid, reconcile, notify, heard, told, charge, idle } = await setUpCharged();
    charge();
    await notify(signedBody({ order_no: paid.orderNo, transaction_id: 'T6' }));
    await idle();
    await reconcile(paid.orderNo);
    expect(await heard(1)).toMatchObject([{ verified: true, records: [{ transaction_id: 'T6' }] }]);
    expect(told()).toHaveLength(1);
  });

  it('is told though its notification is one too many', async () => {
    const { paid, books, notify, heard, toldOf, charge, idle } = await setUpCharged();
    for (let n = 0; n < 60; n++) books.write('other', `T${n}-x`, '3000');
    for (let n = 0; n < 60; n++) await notify(signedBody({ order_no: 'other', transaction_id: `T${n}-x` }));
    await heard(60);
    charge();
    await notify(signedBody({ order_no: paid.orderNo, transaction_id: 'T6' }));
    await idle();
    await heard(61);
    expect(toldOf('T6')).toHaveLength(1);
  });
});
