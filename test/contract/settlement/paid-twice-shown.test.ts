import { describe, expect, it } from 'vitest';
import { approvedAs, patient, setUpSettlement, stores, storesOf } from '../../support/gateways/settlement.ts';

describe.each(stores)('a shopper who pays twice, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** A voucher (T1) is abandoned, the order is paid by card (T9), and the voucher can still be paid. */
  async function paidByCard() {
    const stack = await setUpSettlement(newStore, { resolve: patient });
    const session = await stack.session({ return_url: undefined });
    await stack.byPix(session.secret);
    stack.books.write(session.orderNo, 'T1', '2000');
    await stack.reconcile(session.orderNo);
    await stack.relay.post('/checkout/api/abandon', session.secret, {});
    stack.scripts.pay = approvedAs('T9');
    expect((await stack.byCard(session.secret)).body.status).toBe('approved');
    return { ...stack, ...session };
  }

  it('sees which payment counts, with the secret, on return too', async () => {
    const { relay, books, view, notify, becomes, id, secret, orderNo } = await paidByCard();
    const before = await view(secret);
    expect(before).toMatchObject({ status: 'approved', watched: { payment_method: 'PIX' } });
    expect(before).not.toHaveProperty('paid_twice');
    const early = await relay.get(`/return/${id}`);
    expect(early.text).not.toContain('You paid twice');
    // The second payment may be known in a moment.
    expect(early.headers.get('refresh')).toBe('5');
    const again = await relay.send(`/return/${id}`, { headers: { 'sec-fetch-site': 'same-origin' } });
    expect(again.headers.get('refresh')).toBe('60');
    books.write(orderNo, 'T1', '3000');
    await notify(id);
    await becomes(id, { status: 'approved', transaction_id: 'T9', paid_twice: ['T9', 'T1'] });
    const after = await view(secret);
    expect(after).toMatchObject({ status: 'approved', transaction_id: 'T9', paid_twice: { payment_method: 'card' } });
    expect(after).not.toHaveProperty('watched');
    const late = await relay.get(`/return/${id}`);
    expect(late.text).toContain('You paid twice. Your payment with Card counts.');
    expect(late.headers.has('refresh')).toBe(false);
  });

  it('causes no query by polls of the outcome page', async () => {
    const { view, queriesOf, secret, orderNo } = await paidByCard();
    const queries = queriesOf(orderNo).length;
    for (let time = 0; time < 3; time++) await view(secret);
    expect(queriesOf(orderNo)).toHaveLength(queries);
  });
});
