import { describe, expect, it } from 'vitest';
import {
  approvedAs,
  oneStore,
  patient,
  paymentAnswers,
  setUpSettlement,
  storesOf,
} from '../../support/gateways/settlement.ts';
import { apiKey, card, order, otherAccountKey, queryOnlyKey } from '../../support/relays/relay.ts';

const approved = { outcome: 'approved', transaction_id: 'P1', note: 'Seen at the portal' };
const notPaid = { outcome: 'not_paid', note: 'The bank says no' };

describe.each(oneStore)('an unknown payment that a person settles, on %s', (kind) => {
  const newStore = storesOf(kind);

  async function unknownPayment(resolve: object = {}) {
    const stack = await setUpSettlement(newStore, { resolve: { absent_ms: 3_600_000, ...resolve } });
    const session = await stack.session();
    expect((await stack.byCard(session.secret)).body).toEqual({ status: 'unknown' });
    return { ...stack, ...session };
  }

  it('is approved, stored with person and time, and reported', async () => {
    const { settle, relay, shop, webhooksOf, byCard, sessionOf, reconcile, gateway, id, secret, orderNo } =
      await unknownPayment();
    const said = { outcome: 'approved', transaction_id: 'P1', amount: '129.90', currency: 'BRL' };
    const settled = { by: 'all', at: expect.any(String), note: 'Seen at the portal', ...said };
    const expected = { id, status: 'approved', transaction_id: 'P1', amount: '129.90', settled };
    expect(await settle(id, approved)).toMatchObject({ status: 200, body: expected });
    expect(await relay.truth(id)).toMatchObject(expected);
    expect((await shop.one('session.approved')).data).toMatchObject(expected);
    expect(await webhooksOf(id, 2)).toEqual(['session.unknown', 'session.approved']);
    expect(await byCard(secret)).toMatchObject({ status: 409, body: { code: 'session_final' } });
    expect(await sessionOf(orderNo)).toMatchObject({ status: 409, body: { code: 'order_already_paid' } });
    expect((await reconcile(orderNo)).body).toMatchObject({ payments: [{ transaction_id: 'P1', proof: 'person' }] });
    expect(gateway.authorised()).toHaveLength(1);
  });

  it('masks a card number in the note', async () => {
    const { settle, relay, shop, id } = await unknownPayment();
    const note = 'card 4111 1111 1111 1111 seen';
    expect((await settle(id, { ...approved, transaction_id: ' P1' })).status).toBe(400);
    const { body } = await settle(id, { ...approved, note });
    expect(JSON.stringify([body, await relay.truth(id), await shop.one('session.approved')])).not.toMatch(
      /4111 ?1111 ?1111/,
    );
    expect(body).toMatchObject({ settled: { note: expect.stringMatching(/^card .+ seen$/) } });
  });

  it('gets its transaction_id from the gateway’s later confirmation', async () => {
    const { settle, books, becomes, reconcile, notify, shop, id, orderNo } = await unknownPayment();
    await settle(id, approved);
    books.write(orderNo, 'T1', '3000');
    const truth = await becomes(id, { status: 'approved', transaction_id: 'T1' });
    expect(truth).not.toHaveProperty('paid_twice');
    expect((await reconcile(orderNo)).body).toMatchObject({ payments: [{ transaction_id: 'T1', proof: 'record' }] });
    expect(shop.types()).not.toContain('session.paid_twice');
    books.write(orderNo, 'T2', '3000');
    await notify(id);
    await becomes(id, { paid_twice: ['T1', 'T2'] });
  });

  it('stays approved when the gateway declines it, and needs attention', async () => {
    const { settle, books, becomes, webhooksOf, shop, waitForQueries, id, orderNo } = await unknownPayment();
    await settle(id, approved);
    books.write(orderNo, 'P1', '4100');
    await becomes(id, { status: 'approved', transaction_id: 'P1', needs_attention: true });
    await waitForQueries(orderNo);
    const types = await webhooksOf(id, 3);
    expect(types).toHaveLength(3);
    expect(shop.received.findLast(({ type }) => type === 'session.approved')?.data).toMatchObject({
      ...{ id, status: 'approved', needs_attention: true },
    });
  });

  it('reopens as not paid, sends a webhook, and accepts later proof', async () => {
    const { settle, books, notify, becomes, shop, webhooksOf, id, orderNo } = await unknownPayment(patient);
    const { body } = await settle(id, notPaid);
    expect(body).toMatchObject({ status: 'open', settled: { by: 'all', note: 'The bank says no' } });
    expect(body).toMatchObject({ attempts: [{ status: 'not_paid', reason: 'settled' }] });
    expect((await shop.one('session.declined')).data).toMatchObject({ id, reason: 'settled' });
    books.write(orderNo, 'T1', '3000');
    await notify(id);
    await becomes(id, { status: 'approved', transaction_id: 'T1' });
    expect(await webhooksOf(id, 3)).toEqual(['session.unknown', 'session.declined', 'session.approved']);
  });

  it('ignores records that a person decided about, until they change', async () => {
    const { settle, scripts, books, becomes, byCard, gateway, id, secret, orderNo } = await unknownPayment();
    books.write(orderNo, 'T1', '7777');
    await becomes(id, { status: 'unknown', unknown: { reason: 'codes_not_listed' } });
    expect((await settle(id, notPaid)).body).toMatchObject({ status: 'open' });
    scripts.pay = paymentAnswers.lost;
    expect((await byCard(secret)).body, 'the record is decided').toEqual({ status: 'unknown' });
    expect((await settle(id, notPaid)).body).toMatchObject({ status: 'open' });
    books.write(orderNo, 'T1', '2000');
    expect(await byCard(secret), 'the record changed').toMatchObject({ status: 409 });
    expect(gateway.authorised()).toHaveLength(2);
  });

  it('accepts another amount and currency from a person', async () => {
    const { settle, reconcile, id, orderNo } = await unknownPayment();
    const { status } = await settle(id, { ...approved, amount: '100.00', currency: 'USD' });
    expect(status).toBe(200);
    const payment = { transaction_id: 'P1', amount: '100.00', currency: 'USD' };
    expect((await reconcile(orderNo)).body).toMatchObject({ payments: [payment] });
  });

  it('is not settled if no attempt is undecided', async () => {
    const { settle, scripts, byCard, session, id } = await unknownPayment();
    await settle(id, approved);
    expect(await settle(id, notPaid)).toMatchObject({ status: 409, body: { code: 'session_not_unsettled' } });
    const fresh = await session();
    const refused = { status: 409, body: { code: 'session_not_unsettled' } };
    expect(await settle(fresh.id, approved)).toMatchObject(refused);
    scripts.pay = approvedAs('T9');
    await byCard(fresh.secret);
    expect(await settle(fresh.id, notPaid)).toMatchObject(refused);
  });

  it('needs the scope, its own account and a note', async () => {
    const { settle, relay, id } = await unknownPayment();
    expect(await settle(id, approved, queryOnlyKey)).toMatchObject({ status: 403, body: { code: 'missing_scope' } });
    expect(await settle(id, approved, otherAccountKey)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await settle('cs_none', approved)).toMatchObject({ status: 404 });
    const { note: _, ...silent } = approved;
    expect(await settle(id, silent)).toMatchObject({ status: 400, body: { errors: [{ path: 'note' }] } });
    const { transaction_id: __, ...nameless } = approved;
    expect(await settle(id, nameless)).toMatchObject({ status: 400, body: { errors: [{ path: 'transaction_id' }] } });
    expect(await relay.truth(id)).toMatchObject({ status: 'unknown' });
  });

  it('ends a server payment as failed when not paid', async () => {
    const { settle, relay, shop } = await setUpSettlement(newStore, { resolve: { absent_ms: 3_600_000 } });
    const { body } = await relay.post('/v1/payments', apiKey, { ...order(), ...card });
    expect(body).toMatchObject({ status: 'unknown' });
    const failed = { status: 'failed', reason: 'settled' };
    expect(await settle(String(body.id), notPaid)).toMatchObject({ status: 200, body: failed });
    expect((await shop.one('session.failed')).data).toMatchObject({ id: body.id, ...failed });
  });

  it('is settled once by repeated requests', async () => {
    const { relay, settle, webhooksOf, id } = await unknownPayment();
    const send = () => relay.post(`/v1/sessions/${id}/settle`, apiKey, approved, { 'idempotency-key': 'k' });
    const answers = [await send(), await send()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]?.headers.get('idempotency-replayed')).toBe('true');
    const both = await Promise.all([settle(id, notPaid), settle(id, notPaid)]);
    expect(both.map(({ status }) => status)).toEqual([409, 409]);
    expect(await webhooksOf(id, 2)).toEqual(['session.unknown', 'session.approved']);
  });
});
