import { describe, expect, it } from 'vitest';
import {
  approvedAs,
  oneStore,
  patient,
  paymentAnswers,
  setUpSettlement,
  storesOf,
} from '../../support/gateways/settlement.ts';

/** The second try at the issuer's page is a separate transaction, or the first one, approved after all. */
const secondTries = [['T2'], ['T1']];

describe.each(oneStore)('an issuer’s page with two tries, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** The shopper is at the issuer's page, where the first try was declined. */
  async function declinedOnce(resolve: object = {}) {
    const shop = await setUpSettlement(newStore, { resolve });
    const { id, secret, orderNo } = await shop.session();
    expect((await shop.byPix(secret)).body.status).toBe('redirect');
    shop.books.write(orderNo, 'T1', '4100', { decline_reason: 'Insufficient funds' });
    return { ...shop, id, secret, orderNo };
  }

  it('stays redirected after the first decline', async () => {
    const { relay, waitForQueries, id, orderNo, byCard, secret, gateway } = await declinedOnce();
    await waitForQueries(orderNo, 3);
    expect(await relay.truth(id)).toMatchObject({ status: 'redirected', attempts: [{ status: 'redirected' }] });
    expect(await byCard(secret)).toMatchObject({ status: 409, body: { code: 'attempt_in_flight' } });
    expect(gateway.authorised()).toHaveLength(1);
  });

  it.each(secondTries)('ends as approved when the shopper returns (second try %s)', async (second) => {
    const { books, waitForQueries, comeBack, relay, byCard, webhooksOf, gateway, id, secret, orderNo } =
      await declinedOnce();
    await waitForQueries(orderNo);
    books.write(orderNo, second, '3000');
    expect(await comeBack(id)).toBe('approved');
    expect(await byCard(secret)).toMatchObject({ status: 409 });
    expect(gateway.authorised()).toHaveLength(1);
    expect(await relay.truth(id)).toMatchObject({ status: 'approved', transaction_id: second });
    expect(await webhooksOf(id, 2)).toEqual(['session.redirected', 'session.approved']);
  });

  it.each(secondTries)('is found by a press after the return (second try %s)', async (second) => {
    const { books, comeBack, relay, byCard, view, webhooksOf, gateway, id, secret, orderNo } =
      await declinedOnce(patient);
    expect(await comeBack(id)).toBe('open');
    expect(await view(secret)).toMatchObject({ status: 'open', notice: 'declined', last_method: 'PIX' });
    books.write(orderNo, second, '3000');
    expect(await byCard(secret)).toMatchObject({ status: 409, body: { code: 'order_already_paid' } });
    expect(gateway.authorised()).toHaveLength(1);
    expect(await relay.truth(id)).toMatchObject({ status: 'approved', transaction_id: second });
    expect(await webhooksOf(id, 3)).toEqual(['session.redirected', 'session.declined', 'session.approved']);
  });

  it.each(secondTries)('is found by a notification after the return (second try %s)', async (second) => {
    const { books, comeBack, becomes, notify, id, orderNo } = await declinedOnce(patient);
    expect(await comeBack(id)).toBe('open');
    books.write(orderNo, second, '3000');
    await notify(id);
    await becomes(id, { status: 'approved', transaction_id: second });
  });

  it.each(secondTries)('reports a double payment after a card payment (second try %s)', async (second) => {
    const { books, scripts, comeBack, relay, byCard, notify, shop, id, secret, orderNo } = await declinedOnce(patient);
    expect(await comeBack(id)).toBe('open');
    scripts.pay = approvedAs('T9');
    expect((await byCard(secret)).body).toMatchObject({ status: 'approved', transaction_id: 'T9' });
    books.write(orderNo, second, '3000');
    await notify(id);
    const { data } = await shop.one('session.paid_twice');
    expect(data).toMatchObject({ id, transaction_id: 'T9', transaction_ids: ['T9', second] });
    expect(await relay.truth(id)).toMatchObject({ status: 'approved', paid_twice: ['T9', second] });
  });

  it('lets a shopper who abandoned it pay by card once', async () => {
    const { scripts, comeBack, byCard, gateway, id, secret } = await declinedOnce();
    expect(await comeBack(id)).toBe('open');
    scripts.pay = paymentAnswers.declined;
    expect((await byCard(secret)).body.status).toBe('declined');
    scripts.pay = approvedAs('T9');
    expect((await byCard(secret)).body.status).toBe('approved');
    expect(gateway.authorised()).toHaveLength(3);
  });
});
