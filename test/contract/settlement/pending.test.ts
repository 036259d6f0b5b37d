import { describe, expect, it } from 'vitest';
import {
  approvedAs,
  oneStore,
  patient,
  paymentAnswers,
  type Settlement,
  setUpSettlement,
  storesOf,
} from '../../support/gateways/settlement.ts';

describe.each(oneStore)('a pending payment, on %s', (kind) => {
  const newStore = storesOf(kind);

  const abandon = ({ relay }: Settlement, secret: string) => relay.post('/checkout/api/abandon', secret, {});

  /** The shopper returns with a voucher (T1) that is not paid yet. */
  async function voucher(resolve: object = {}, more: object = {}) {
    const stack = await setUpSettlement(newStore, { resolve });
    const session = await stack.session(more);
    expect((await stack.byPix(session.secret)).body.status).toBe('redirect');
    stack.books.write(session.orderNo, 'T1', '2000');
    expect(await stack.comeBack(session.id)).toBe('pending');
    return { ...stack, ...session, newSession: stack.session };
  }

  /** A card payment with a lost answer and a pending record. */
  async function cardUnderReview(resolve: object = {}) {
    const stack = await setUpSettlement(newStore, { resolve });
    const session = await stack.session();
    expect((await stack.byCard(session.secret)).body).toEqual({ status: 'unknown' });
    stack.books.write(session.orderNo, 'T1', '2000');
    await stack.becomes(session.id, { status: 'pending' });
    return { ...stack, ...session };
  }

  it('is visible to shop and shopper, reported once, without an alarm', async () => {
    const { relay, waitForQueries, view, shop, webhooksOf, id, secret, orderNo } = await voucher();
    await waitForQueries(orderNo);
    const pending = { transaction_id: 'T1', can_abandon: true, needs_attention: false, queries: expect.any(Number) };
    const moments = { since: expect.any(String), next_query_at: expect.any(String) };
    const truth = await relay.truth(id);
    expect(truth).toMatchObject({ status: 'pending', pending: { ...pending, ...moments } });
    expect(truth).not.toHaveProperty('unknown');
    expect(await view(secret)).toMatchObject({
      status: 'pending',
      pending: { payment_method: 'PIX', can_abandon: true },
    });
    expect(await webhooksOf(id, 2)).toEqual(['session.redirected', 'session.pending']);
    expect((await shop.one('session.pending')).data).toMatchObject({ id, status: 'pending', pending });
    expect(relay.logLines.join('')).not.toContain('needs a person');
  });

  it('is shown on the page that the relay renders', async () => {
    const { relay, id } = await voucher();
    const { status, text } = await relay.get(`/checkout/${id}`);
    expect(status).toBe(200);
    expect(text).toContain('"pending":{"payment_method":"PIX","can_abandon":true}');
  });

  it('blocks every other payment of its order', async () => {
    const { byCard, byPix, sessionOf, gateway, id, secret, orderNo } = await voucher();
    for (const pay of [byCard, byPix]) {
      expect(await pay(secret)).toMatchObject({ status: 409, body: { code: 'attempt_in_flight' } });
    }
    expect(await sessionOf(orderNo)).toMatchObject({
      status: 409,
      body: { code: 'order_in_progress', session_id: id },
    });
    expect(gateway.authorised()).toHaveLength(1);
  });

  it.each([
    ['3000', { status: 'approved', transaction_id: 'T1' }, 'session.approved', {}],
    ['4100', { status: 'open' }, 'session.declined', { reason: 'declined' }],
    ['7777', { status: 'unknown', unknown: { reason: 'codes_not_listed' } }, 'session.unknown', {}],
  ])('ends according to its record (%s)', async (code, state, webhook, data) => {
    const { books, becomes, webhooksOf, shop, id, orderNo } = await voucher();
    books.write(orderNo, 'T1', code);
    await becomes(id, state);
    expect(await webhooksOf(id, 3)).toEqual(['session.redirected', 'session.pending', webhook]);
    expect((await shop.one(webhook)).data).toMatchObject({ id, ...data });
  });

  it('is abandoned by the shopper, who pays another way', async () => {
    const stack = await voucher();
    const { scripts, relay, waitForQueries, byCard, shop, webhooksOf, id, secret, orderNo } = stack;
    expect(await abandon(stack, secret)).toMatchObject({ status: 200, body: { status: 'open', last_method: 'PIX' } });
    expect(await abandon(stack, secret), 'repeated').toMatchObject({ status: 200, body: { status: 'open' } });
    expect((await shop.one('session.declined')).data).toMatchObject({ id, reason: 'abandoned' });
    await waitForQueries(orderNo);
    expect(await relay.truth(id)).toMatchObject({ status: 'open', attempts: [{ reason: 'abandoned' }] });
    scripts.pay = approvedAs('T9');
    expect((await byCard(secret)).body).toMatchObject({ status: 'approved', transaction_id: 'T9' });
    expect(await webhooksOf(id, 4)).toEqual([
      'session.redirected',
      'session.pending',
      'session.declined',
      'session.approved',
    ]);
    expect(await abandon(stack, secret), 'when paid').toMatchObject({ status: 200, body: { status: 'approved' } });
  });

  it.each(['before', 'after'])('abandoned and then paid %s the card is found', async (when) => {
    const stack = await voucher(patient);
    const { books, scripts, byCard, relay, notify, becomes, gateway, id, secret, orderNo } = stack;
    await abandon(stack, secret);
    scripts.pay = approvedAs('T9');
    if (when === 'before') {
      books.write(orderNo, 'T1', '3000');
      expect(await byCard(secret)).toMatchObject({ status: 409, body: { code: 'order_already_paid' } });
      expect(gateway.authorised()).toHaveLength(1);
      expect(await relay.truth(id)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
      return;
    }
    expect((await byCard(secret)).body.status).toBe('approved');
    books.write(orderNo, 'T1', '3000');
    await notify(id);
    await becomes(id, { status: 'approved', paid_twice: ['T9', 'T1'] });
  });

  it('is abandoned through another session of its order', async () => {
    const stack = await setUpSettlement(newStore, { resolve: patient });
    const { books, scripts, session, byPix, comeBack, relay, gateway } = stack;
    const one = await session();
    const other = await session({ order: { order_no: one.orderNo } });
    await byPix(one.secret);
    books.write(one.orderNo, 'T1', '2000');
    expect(await comeBack(one.id)).toBe('pending');
    expect(await abandon(stack, other.secret)).toMatchObject({ status: 200, body: { status: 'open' } });
    expect(await relay.truth(one.id)).toMatchObject({ status: 'open' });
    scripts.pay = approvedAs('T9');
    expect((await stack.byCard(other.secret)).body.status).toBe('approved');
    expect(gateway.authorised()).toHaveLength(2);
  });

  it('cannot be abandoned by card; a person settles it', async () => {
    const stack = await cardUnderReview();
    const { relay, view, settle, id, secret } = stack;
    expect(await relay.truth(id)).toMatchObject({ pending: { can_abandon: false } });
    expect(await view(secret)).toMatchObject({ pending: { payment_method: 'card', can_abandon: false } });
    expect(await abandon(stack, secret)).toMatchObject({ status: 409, body: { code: 'cannot_abandon' } });
    expect(await relay.truth(id)).toMatchObject({ status: 'pending' });
    expect(await settle(id, { outcome: 'not_paid', note: 'Cancelled' })).toMatchObject({ body: { status: 'open' } });
  });

  it('is abandoned only with the session’s secret', async () => {
    const { relay, id } = await voucher();
    expect((await relay.post('/checkout/api/abandon', `${id}.wrong`, {})).status).toBe(401);
    expect(await relay.truth(id)).toMatchObject({ status: 'pending' });
  });

  it('is abandoned only with an empty body', async () => {
    const { relay, id, secret } = await voucher();
    const send = async (body: string, type = 'application/json') => {
      const headers = { authorization: `Bearer ${secret}`, 'content-type': type };
      return (await relay.send('/checkout/api/abandon', { method: 'POST', headers, body })).status;
    };
    expect(await send('{')).toBe(400);
    expect(await send('{"session_id":"cs_other"}')).toBe(400);
    expect(await send('{}', 'text/plain')).toBe(415);
    expect(await send(`{"a":"${'a'.repeat(1_200_000)}"}`)).toBe(413);
    expect(await relay.truth(id)).toMatchObject({ status: 'pending' });
    expect(await send('{}')).toBe(200);
  });

  it('stays at the session’s end, and is reported again with an alarm', async () => {
    const { shop, becomes, books, webhooksOf, id, orderNo } = await voucher({}, { expires_in: 3 });
    await becomes(id, { status: 'pending', pending: { needs_attention: true } });
    expect(await webhooksOf(id, 3)).toEqual(['session.redirected', 'session.pending', 'session.pending']);
    const [first, second] = shop.received.filter(({ type }) => type === 'session.pending');
    expect(first?.data).toMatchObject({ pending: { needs_attention: false } });
    expect(second?.data).toMatchObject({ pending: { needs_attention: true } });
    books.write(orderNo, 'T1', '4100');
    await becomes(id, { status: 'expired' });
    expect((await shop.one('session.expired')).data).toMatchObject({ id, reason: 'declined' });
  });

  it('counts as one attempt when declined', async () => {
    const { books, scripts, becomes, byCard, view, id, secret, orderNo } = await voucher();
    books.write(orderNo, 'T1', '4100');
    await becomes(id, { status: 'open' });
    expect(await view(secret)).toMatchObject({ attempts_left: 4 });
    scripts.pay = paymentAnswers.declined;
    expect((await byCard(secret)).body).toMatchObject({ status: 'declined', attempts_left: 3 });
  });
});
