import { describe, expect, it } from 'vitest';
import { oneStore, patient, refusedWith, setUpSettlement, storesOf } from '../../support/gateways/settlement.ts';

const person = { status: 'unknown', unknown: { reason: 'amount_differs', needs_attention: true } };

describe.each(oneStore)('a record of another amount, on %s', (kind) => {
  const newStore = storesOf(kind);

  async function unknownPayment() {
    const stack = await setUpSettlement(newStore, { resolve: { absent_ms: 300 } });
    const session = await stack.session();
    expect((await stack.byCard(session.secret)).body).toEqual({ status: 'unknown' });
    return { ...stack, ...session };
  }

  it.each([
    ['approved', '3000', { amount: '130.00' }],
    ['pending', '2000', { amount: '1.00' }],
    ['unlisted', '7777', { amount: '1.00' }],
    ['approved in another currency', '3000', { currency: 'USD' }],
  ])('needs a person at once (%s)', async (_, code, more) => {
    const { books, becomes, reconcile, byCard, sessionOf, shop, webhooksOf, gateway, id, secret, orderNo } =
      await unknownPayment();
    books.write(orderNo, 'T1', code, more);
    await becomes(id, person);
    for (let time = 0; time < 2; time++) {
      expect((await reconcile(orderNo)).body).toMatchObject({ status: 'unknown', payments: [] });
    }
    expect(await byCard(secret)).toMatchObject({ status: 409 });
    expect(await sessionOf(orderNo)).toMatchObject({
      status: 409,
      body: { code: 'order_in_progress', session_id: id },
    });
    await becomes(id, person);
    expect(gateway.authorised()).toHaveLength(1);
    expect(await webhooksOf(id, 2)).toEqual(['session.unknown', 'session.unknown']);
    expect(shop.received.at(-1)?.data).toMatchObject({ id, ...person });
  });

  it('is ignored if it is declined', async () => {
    const { books, becomes, id, orderNo } = await unknownPayment();
    books.write(orderNo, 'T1', '4100', { amount: '130.00' });
    await becomes(id, { status: 'open', attempts: [{ status: 'not_paid', reason: 'absent' }] });
  });

  it('is found by a press of the button, which sends nothing', async () => {
    const { books, scripts, session, byCard, relay, gateway } = await setUpSettlement(newStore, { resolve: patient });
    const { id, secret, orderNo } = await session();
    scripts.pay = refusedWith(400);
    expect((await byCard(secret)).body.status).toBe('declined');
    books.write(orderNo, 'T1', '3000', { amount: '130.00' });
    expect(await byCard(secret)).toMatchObject({ status: 409 });
    expect(await relay.truth(id)).toMatchObject(person);
    expect(gateway.authorised()).toHaveLength(1);
  });

  it('is settled by a person, as paid or not paid', async () => {
    const { books, settle, becomes, reconcile, relay, id, orderNo } = await unknownPayment();
    books.write(orderNo, 'T1', '3000', { amount: '130.00' });
    await becomes(id, person);
    const verdict = { outcome: 'approved', transaction_id: 'T1', amount: '130.00', note: 'Typed by hand' };
    expect(await settle(id, verdict)).toMatchObject({
      status: 200,
      body: { status: 'approved', transaction_id: 'T1' },
    });
    expect((await reconcile(orderNo)).body).toMatchObject({ status: 'paid' });
    expect(await relay.truth(id)).not.toHaveProperty('paid_twice');
  });

  it('is ignored once an attempt with its amount is credited', async () => {
    const { books, becomes, notify, shop, id, orderNo } = await unknownPayment();
    books.write(orderNo, 'T1', '3000', { amount: '130.00' });
    await becomes(id, person);
    books.write(orderNo, 'T2', '3000');
    await notify(id);
    await becomes(id, { status: 'approved', transaction_id: 'T2', amount: '129.90', paid_twice: ['T2', 'T1'] });
    expect((await shop.one('session.paid_twice')).data).toMatchObject({ id, transaction_ids: ['T2', 'T1'] });
  });
});
