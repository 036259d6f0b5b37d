import { describe, expect, it } from 'vitest';
import { approval, type Script, sendXml, xml } from '../../support/gateways/scripted-gateway.ts';
import {
  bookDate,
  oneStore,
  patient,
  paymentAnswers,
  refusedWith,
  setUpSettlement,
  stores,
  storesOf,
} from '../../support/gateways/settlement.ts';

/** A decline of an APM payment, which needs no signature; or with the signature of the request. */
const unsigned =
  (proof: 'no' | 'the request’s'): Script =>
  (received, res) => {
    const { encryption_data } = received.message;
    const answer = { ...approval(received), transaction_id: 'T1', order_status: '0', result_info: '2001:no' };
    sendXml(res, xml({ ...answer, ...(proof === 'no' ? {} : { encryption_data: String(encryption_data) }) }));
  };

describe.each(oneStore)('a payment that the gateway refused but booked, on %s', (kind) => {
  const newStore = storesOf(kind);

  async function refused(status = 400) {
    const shop = await setUpSettlement(newStore, { resolve: patient });
    const { id, secret, orderNo } = await shop.session();
    shop.scripts.pay = refusedWith(status);
    const { body } = await shop.byCard(secret);
    return { ...shop, id, secret, orderNo, answer: body };
  }

  it.each([400, 401, 403, 404, 429])('is declined as http_%i and does not count as an attempt', async (status) => {
    const { answer, relay, id } = await refused(status);
    expect(answer).toMatchObject({ status: 'declined', result: { code: `http_${status}` }, attempts_left: 5 });
    expect(await relay.truth(id)).toMatchObject({ status: 'open', attempts: [{ status: 'refused' }] });
  });

  it('is paid by its approved record after a notification', async () => {
    const { books, notify, becomes, webhooksOf, gateway, id, orderNo } = await refused();
    books.write(orderNo, 'T1', '3000');
    await notify(id);
    await becomes(id, { status: 'approved', transaction_id: 'T1', attempts: [{ status: 'approved' }] });
    expect(await webhooksOf(id, 2)).toEqual(['session.declined', 'session.approved']);
    expect(gateway.authorised()).toHaveLength(1);
  });

  it('is found before the next payment is sent', async () => {
    const { books, byCard, relay, gateway, id, secret, orderNo } = await refused();
    books.write(orderNo, 'T1', '3000');
    expect(await byCard(secret)).toMatchObject({ status: 409, body: { code: 'order_already_paid' } });
    expect(gateway.authorised()).toHaveLength(1);
    expect(await relay.truth(id)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
  });

  it('holds the requesting session while its record is pending', async () => {
    const { books, byCard, relay, gateway, id, secret, orderNo } = await refused();
    books.write(orderNo, 'T1', '2000');
    expect(await byCard(secret)).toMatchObject({ status: 409 });
    expect(gateway.authorised()).toHaveLength(1);
    expect(await relay.truth(id)).toMatchObject({ status: 'pending', pending: { transaction_id: 'T1' } });
  });

  it.each(['T1', 'T2'])('is paid by a record (%s) after a signed decline', async (transaction) => {
    const { books, scripts, notify, becomes, session, byCard } = await setUpSettlement(newStore, { resolve: patient });
    const { id, secret, orderNo } = await session();
    scripts.pay = paymentAnswers.declined;
    expect((await byCard(secret)).body).toMatchObject({ status: 'declined' });
    books.write(orderNo, transaction, '3000');
    await notify(id);
    await becomes(id, { status: 'approved', transaction_id: transaction });
    expect(await byCard(secret)).toMatchObject({ status: 409, body: { code: 'session_final' } });
  });

  it.each(['no', 'the request’s'] as const)('is found after a decline with %s signature', async (proof) => {
    const { books, scripts, session, byPix, byCard, gateway, relay } = await setUpSettlement(newStore, {
      resolve: patient,
    });
    const { id, secret, orderNo } = await session();
    scripts.pay = unsigned(proof);
    expect((await byPix(secret)).body).toMatchObject({ status: 'declined', result: { code: '2001' } });
    books.write(orderNo, 'T1', '3000');
    expect(await byCard(secret)).toMatchObject({ status: 409, body: { code: 'order_already_paid' } });
    expect(gateway.authorised()).toHaveLength(1);
    expect(await relay.truth(id)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
  });

  it.each([
    ['unknown', 'of another amount', { amount: '12.00' }],
    ['pending', 'of the amount', { transaction_id: 'T0' }],
  ])('answers %s to the next payment, after a pending record %s', async (status, _, record) => {
    const { books, reconcile, scripts, byCard, gateway, view, secret, orderNo } = await refused();
    const date = bookDate();
    const sent = Promise.withResolvers<() => void>();
    scripts.pay = (_received, res) => sent.resolve(() => void res.writeHead(400).end('Invalid input'));
    const second = byCard(secret);
    const refuse = await sent.promise;
    // Before the payment that is sent, so the record does not belong to it.
    books.write(orderNo, 'T1', '2000', { transaction_date: date, ...record });
    await reconcile(orderNo);
    refuse();
    expect((await second).body).toEqual({ status });
    expect(await view(secret)).toMatchObject({ status });
    expect(gateway.authorised()).toHaveLength(2);
  });

  it('is not declined by one declined record of two payments', async () => {
    const { books, scripts, session, byCard, waitForQueries, becomes, relay } = await setUpSettlement(newStore, {
      resolve: { absent_ms: 3_600_000 },
    });
    const { id, secret, orderNo } = await session();
    scripts.pay = refusedWith(400);
    expect((await byCard(secret)).body).toMatchObject({ status: 'declined' });
    scripts.pay = paymentAnswers.lost;
    expect((await byCard(secret)).body).toEqual({ status: 'unknown' });
    books.write(orderNo, 'T1', '4100');
    await waitForQueries(orderNo, 4);
    expect(await relay.truth(id)).toMatchObject({ status: 'unknown' });
    books.write(orderNo, 'T2', '4100');
    await becomes(id, { status: 'open', attempts: [{}, { status: 'declined' }] });
  });

  it('is paid and reported as late although its session ended', async () => {
    const { books, scripts, notify, becomes, session, byCard, shop } = await setUpSettlement(newStore);
    const { id, secret, orderNo } = await session({ expires_in: 1 });
    scripts.pay = refusedWith(400);
    expect((await byCard(secret)).body).toMatchObject({ status: 'declined' });
    await becomes(id, { status: 'expired' });
    await shop.one('session.expired');
    books.write(orderNo, 'T1', '3000');
    await notify(id);
    await becomes(id, { status: 'approved', transaction_id: 'T1' });
    expect((await shop.one('session.approved')).data).toMatchObject({ id, late: true });
  });
});

describe.each(stores)('a payment after a refused one, on %s', (kind) => {
  const newStore = storesOf(kind);

  it('declined with its own transaction is not credited with the refused one', async () => {
    const { books, scripts, session, byCard, becomes, notify } = await setUpSettlement(newStore, { resolve: patient });
    const { id, secret, orderNo } = await session();
    scripts.pay = refusedWith(400);
    expect((await byCard(secret, { card: '5555555555554444' })).body.status).toBe('declined');
    scripts.pay = paymentAnswers.declined;
    expect((await byCard(secret)).body.status).toBe('declined');
    books.write(orderNo, 'T9', '3000');
    await notify(id);
    await becomes(id, {
      status: 'approved',
      transaction_id: 'T9',
      card: '555555******4444',
      attempts: [
        { status: 'approved', transaction_id: 'T9' },
        { status: 'declined', transaction_id: 'T1' },
      ],
    });
  });
});
