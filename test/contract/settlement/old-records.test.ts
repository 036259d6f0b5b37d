import { describe, expect, it } from 'vitest';
import { approval, sendXml, signedXml } from '../../support/gateways/scripted-gateway.ts';
import {
  approvedAs,
  bookDate,
  oneStore,
  setUpSettlement,
  storesOf,
  YEAR_MS,
} from '../../support/gateways/settlement.ts';

const HOUR_MS = 3_600_000;

describe.each(oneStore)('an order with old records, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** A payment with a lost answer, of an order that had a payment attempt a year ago. */
  async function unansweredAfter(payment_status: string, resolve: object) {
    const shop = await setUpSettlement(newStore, { resolve });
    const { id, secret, orderNo } = await shop.session();
    shop.books.write(orderNo, 'OLD', payment_status, { transaction_date: bookDate(YEAR_MS) });
    expect((await shop.byCard(secret)).body).toEqual({ status: 'unknown' });
    return { ...shop, id, secret, orderNo };
  }

  it('is not freed by an old decline', async () => {
    const { relay, waitForQueries, byCard, becomes, books, webhooksOf, gateway, id, secret, orderNo } =
      await unansweredAfter('4100', {
        absent_ms: HOUR_MS,
      });
    await waitForQueries(orderNo, 4);
    expect(await relay.truth(id)).toMatchObject({ status: 'unknown', attempts: [{ status: 'unknown' }] });
    expect((await relay.truth(id)).attempts).not.toMatchObject([{ transaction_id: 'OLD' }]);
    expect(await byCard(secret)).toMatchObject({ status: 409, body: { code: 'attempt_in_flight' } });
    books.write(orderNo, 'T2', '3000');
    await becomes(id, { status: 'approved', transaction_id: 'T2' });
    expect(await webhooksOf(id, 2)).toEqual(['session.unknown', 'session.approved']);
    expect(gateway.authorised()).toHaveLength(1);
  });

  it('becomes absent, not declined, and is queried before the next payment', async () => {
    const { relay, becomes, books, byCard, shop, gateway, id, secret, orderNo } = await unansweredAfter('4100', {
      absent_ms: 300,
    });
    await becomes(id, { status: 'open', attempts: [{ status: 'not_paid', reason: 'absent' }] });
    expect((await shop.one('session.declined')).data).toMatchObject({ id, reason: 'absent' });
    books.write(orderNo, 'T2', '3000');
    expect(await byCard(secret)).toMatchObject({ status: 409 });
    expect(gateway.authorised()).toHaveLength(1);
    expect(await relay.truth(id)).toMatchObject({ status: 'approved', transaction_id: 'T2' });
  });

  it('is held for a person at once by an old payment', async () => {
    const { becomes, byCard, sessionOf, shop, gateway, id, secret, orderNo } = await unansweredAfter('3000', {
      absent_ms: HOUR_MS,
    });
    await becomes(id, { status: 'unknown', unknown: { reason: 'paid_before', needs_attention: true } });
    expect(await byCard(secret)).toMatchObject({ status: 409, body: { code: 'attempt_in_flight' } });
    expect(await sessionOf(orderNo)).toMatchObject({
      status: 409,
      body: { code: 'order_in_progress', session_id: id },
    });
    expect(gateway.authorised()).toHaveLength(1);
    expect(shop.types()).not.toContain('session.approved');
  });

  it('can be paid once a person decided about the old payment', async () => {
    const { scripts, becomes, byCard, settle, waitForQueries, relay, shop, id, secret, orderNo } =
      await unansweredAfter('3000', {
        absent_ms: HOUR_MS,
      });
    await becomes(id, { status: 'unknown', unknown: { reason: 'paid_before' } });
    expect((await settle(id, { outcome: 'not_paid', note: 'Paid at the old shop' })).body).toMatchObject({
      status: 'open',
    });
    scripts.pay = approvedAs('T2');
    expect((await byCard(secret)).body).toMatchObject({ status: 'approved', transaction_id: 'T2' });
    await waitForQueries(orderNo);
    const truth = await relay.truth(id);
    expect(truth).toMatchObject({ status: 'approved', transaction_id: 'T2' });
    expect(truth).not.toHaveProperty('paid_twice');
    expect(shop.types()).not.toContain('session.paid_twice');
  });

  it('is never paid twice through an old payment that appears later', async () => {
    const { scripts, books, session, byCard, notify, queriesOf, relay, shop } = await setUpSettlement(newStore);
    const { id, secret, orderNo } = await session();
    scripts.pay = approvedAs('T2');
    expect((await byCard(secret)).body.status).toBe('approved');
    books.write(orderNo, 'OLD', '3000', { transaction_date: bookDate(YEAR_MS) });
    for (let time = 0; time < 2; time++) {
      await notify(id);
      await expect.poll(() => queriesOf(orderNo).length).toBeGreaterThan(time);
    }
    expect(await relay.truth(id)).not.toHaveProperty('paid_twice');
    await expect.poll(() => shop.types()).toEqual(['session.approved']);
  });

  it('is not paid twice through a later charge of its contract', async () => {
    const { scripts, books, session, byCard, notify, queriesOf, relay, shop, becomes } =
      await setUpSettlement(newStore);
    const { id, secret, orderNo } = await session();
    scripts.pay = (received, res) =>
      sendXml(res, signedXml({ ...approval(received), transaction_id: 'T1', recurring_id: 'R1' }));
    expect((await byCard(secret)).body.status).toBe('approved');
    const charge = { subscription_result: { recurring_id: 'R1' }, amount: '49.90' };
    books.write(orderNo, 'T2', '3000', { ...charge, transaction_date: bookDate(-31 * 24 * HOUR_MS) });
    await notify(id);
    await expect.poll(() => queriesOf(orderNo).length).toBeGreaterThan(0);
    expect(await becomes(id, { status: 'approved', transaction_id: 'T1' })).not.toHaveProperty('paid_twice');
    // A charge dated right after the first payment is a second payment.
    books.write(orderNo, 'T3', '3000', charge);
    await notify(id);
    expect((await shop.one('session.paid_twice')).data).toMatchObject({ id, transaction_ids: ['T1', 'T3'] });
    expect(await relay.truth(id)).toMatchObject({ paid_twice: ['T1', 'T3'] });
  });

  it.each([
    [10, 'declined'],
    [20, 'unknown'],
  ])('applies a tolerance of fifteen minutes (%i: %s)', async (minutes, status) => {
    const { books, waitForQueries, becomes, id, orderNo } = await unansweredAfter('4100', { absent_ms: HOUR_MS });
    books.write(orderNo, 'T1', '4100', { transaction_date: bookDate(minutes * 60_000) });
    await waitForQueries(orderNo, 3);
    await becomes(id, { status: status === 'unknown' ? 'unknown' : 'open', attempts: [{ status }] });
  });

  it.each([
    [-9 * HOUR_MS, 'declined'],
    [0, 'unknown'],
  ])('reads dates in the gateway’s time zone (%i: %s)', async (agoMs, status) => {
    const { session, byCard, books, waitForQueries, becomes } = await setUpSettlement(newStore, {
      resolve: { absent_ms: HOUR_MS },
      profile: { gateway_time_zone: 'Asia/Tokyo' },
    });
    const { id, secret, orderNo } = await session();
    expect((await byCard(secret)).body).toEqual({ status: 'unknown' });
    books.write(orderNo, 'T1', '4100', { transaction_date: bookDate(agoMs) });
    await waitForQueries(orderNo, 3);
    await becomes(id, { status: status === 'unknown' ? 'unknown' : 'open', attempts: [{ status }] });
  });
});
