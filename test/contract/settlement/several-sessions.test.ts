import { describe, expect, it } from 'vitest';
import {
  approvedAs,
  patient,
  paymentAnswers,
  refusedWith,
  setUpSettlement,
  stores,
  storesOf,
} from '../../support/gateways/settlement.ts';
import { apiKey } from '../../support/relays/relay.ts';

describe.each(stores)('several sessions of one order, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** Both sessions of one order are open; the first was declined by a signed answer (T1). */
  async function twoSessions(resolve: object = patient, more: object = {}) {
    const stack = await setUpSettlement(newStore, { resolve });
    const { scripts, session, byCard } = stack;
    const one = await session();
    const other = await session({ order: { order_no: one.orderNo, ...more } });
    scripts.pay = paymentAnswers.declined;
    expect((await byCard(one.secret)).body.status).toBe('declined');
    return { ...stack, one, other };
  }

  it('credits a proven payment of one while the other is unknown', async () => {
    const { scripts, books, byCard, notify, becomes, relay, webhooksOf, one, other } = await twoSessions();
    scripts.pay = paymentAnswers.lost;
    expect((await byCard(other.secret)).body).toEqual({ status: 'unknown' });
    books.write(one.orderNo, 'T1', '3000');
    await notify(one.id);
    await becomes(one.id, { status: 'approved', transaction_id: 'T1' });
    expect(await webhooksOf(one.id, 2)).toEqual(['session.declined', 'session.approved']);
    expect(await relay.truth(other.id)).toMatchObject({ status: 'unknown' });
    books.write(one.orderNo, 'T2', '3000');
    await notify(other.id);
    await becomes(other.id, { status: 'approved', paid_twice: ['T1', 'T2'] });
  });

  it('fails the unknown one as already paid once it settles unpaid', async () => {
    const { scripts, books, byCard, becomes, webhooksOf, notify, view, one, other } = await twoSessions({
      absent_ms: 1500,
    });
    scripts.pay = paymentAnswers.lost;
    expect((await byCard(other.secret)).body).toEqual({ status: 'unknown' });
    books.write(one.orderNo, 'T1', '3000');
    await notify(one.id);
    await becomes(one.id, { status: 'approved', transaction_id: 'T1' });
    await becomes(other.id, { status: 'failed', reason: 'order_already_paid' });
    expect(await webhooksOf(other.id, 2)).toEqual(['session.unknown', 'session.failed']);
    expect(await view(other.secret)).toMatchObject({ status: 'failed', reason: 'order_already_paid' });
  });

  it('ends the open one when the other is paid, with a reason', async () => {
    const { scripts, byCard, relay, view, shop, webhooksOf, sessionOf, one, other } = await twoSessions();
    scripts.pay = approvedAs('T2');
    expect((await byCard(other.secret)).body.status).toBe('approved');
    expect(await relay.truth(one.id)).toMatchObject({ status: 'failed', reason: 'order_already_paid' });
    expect(await view(one.secret)).toMatchObject({ status: 'failed', reason: 'order_already_paid' });
    expect(await webhooksOf(one.id, 2)).toEqual(['session.declined', 'session.failed']);
    expect((await shop.one('session.failed')).data).toMatchObject({ id: one.id, reason: 'order_already_paid' });
    expect(await byCard(one.secret)).toMatchObject({ status: 409 });
    const again = await sessionOf(one.orderNo);
    expect(again).toMatchObject({ status: 409, body: { code: 'order_already_paid', session_id: other.id } });
  });

  it('changes the requesting session to pending by another one’s record', async () => {
    const { scripts, books, byCard, relay, gateway, one, other } = await twoSessions();
    scripts.pay = refusedWith(400);
    expect((await byCard(one.secret)).body.status).toBe('declined');
    books.write(one.orderNo, 'T5', '2000');
    expect(await byCard(other.secret)).toMatchObject({ status: 409, body: { code: 'order_in_progress' } });
    expect(await relay.truth(other.id)).toMatchObject({ status: 'pending' });
    expect(gateway.authorised()).toHaveLength(2);
    const server = await relay.post('/v1/payments', apiKey, {
      ...{ order_no: one.orderNo, currency: 'BRL', amount: '129.90' },
      ...{ card: '4111111111111111', expiration_month: '12', expiration_year: '2030', security_code: '737' },
      ...{ first_name: 'Ada', last_name: 'Byron' },
    });
    expect(server).toMatchObject({ status: 409, body: { code: 'order_in_progress', session_id: one.id } });
  });

  it('credits a payment to the attempt with its amount', async () => {
    const { scripts, books, byCard, notify, becomes, one, other } = await twoSessions(patient, { amount: '50.00' });
    scripts.pay = paymentAnswers.lost;
    expect((await byCard(other.secret)).body).toEqual({ status: 'unknown' });
    books.write(one.orderNo, 'T3', '3000');
    await notify(other.id);
    await becomes(one.id, { status: 'approved', transaction_id: 'T3', amount: '129.90' });
    await becomes(other.id, { status: 'unknown' });
  });

  it('reports amount and revision of the paid attempt, and the order change', async () => {
    const { scripts, books, session, byCard, notify, becomes, shop, relay } = await setUpSettlement(newStore, {
      resolve: patient,
    });
    const { id, secret, orderNo } = await session();
    scripts.pay = refusedWith(400);
    expect((await byCard(secret)).body.status).toBe('declined');
    const changed = await relay.send(`/v1/sessions/${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ order: { amount: '50.00' } }),
    });
    expect(changed.body).toMatchObject({ amount: '50.00', revision: 2 });
    books.write(orderNo, 'T1', '3000');
    await notify(id);
    const expected = { status: 'approved', amount: '129.90', currency: 'BRL', revision: 1, order_changed: true };
    await becomes(id, expected);
    expect((await shop.one('session.approved')).data).toMatchObject(expected);
  });
});
