import { describe, expect, it } from 'vitest';
import { redirection } from '../../support/gateways/issuer.ts';
import { approval, type Script, sendXml, signedXml, xml } from '../../support/gateways/scripted-gateway.ts';
import { setUpSettlement, stores, storesOf } from '../../support/gateways/settlement.ts';
import { apiKey, card, order } from '../../support/relays/relay.ts';

const codes = {
  order_status: { approved: ['1'], declined: ['0'], pending: ['2'] },
  payment_status: { approved: ['3000'], declined: ['4100'], pending: ['2000'] },
};
const answered = { transaction_id: 'T1', order_status: '2', result_info: '0001:Pending' };
const pendingAs: Script = (received, res) => sendXml(res, signedXml({ ...approval(received), ...answered }));

describe.each(stores)('a payment with a pending code in the gateway’s answer, on %s', (kind) => {
  const newStore = storesOf(kind);

  async function setUp(pay: Script = pendingAs) {
    const stack = await setUpSettlement(newStore, { profile: { codes } });
    stack.scripts.pay = pay;
    return stack;
  }

  it.each(['byCard', 'byPix'] as const)('is pending in the form at once, %s', async (by) => {
    const stack = await setUp();
    const { relay, view, webhooksOf, shop, gateway, sessionOf, waitForQueries } = stack;
    const { id, secret, orderNo } = await stack.session();
    expect(await stack[by](secret)).toMatchObject({ status: 200, body: { status: 'pending' } });
    const payment_method = by === 'byCard' ? 'card' : 'PIX';
    expect(await view(secret)).toMatchObject({
      status: 'pending',
      pending: { payment_method, can_abandon: by === 'byPix' },
    });
    await waitForQueries(orderNo);
    expect(await relay.truth(id)).toMatchObject({ status: 'pending', pending: { transaction_id: 'T1' } });
    expect(await webhooksOf(id, 1)).toEqual(['session.pending']);
    expect((await shop.one('session.pending')).data).toMatchObject({ id, pending: { transaction_id: 'T1' } });
    expect(await stack.byCard(secret)).toMatchObject({ status: 409, body: { code: 'attempt_in_flight' } });
    expect(await sessionOf(orderNo)).toMatchObject({ status: 409, body: { code: 'order_in_progress' } });
    expect(gateway.authorised()).toHaveLength(1);
  });

  it('ends according to its record', async () => {
    const { books, session, byPix, becomes, webhooksOf } = await setUp();
    const { id, secret, orderNo } = await session();
    await byPix(secret);
    books.write(orderNo, 'T1', '3000');
    await becomes(id, { status: 'approved', transaction_id: 'T1' });
    expect(await webhooksOf(id, 2)).toEqual(['session.pending', 'session.approved']);
  });

  it('from the shop’s server has this answer, then follows its session', async () => {
    const { relay, books, becomes } = await setUp();
    const given = order();
    for (const means of [card, { payment_method: 'PIX' }]) {
      const order_no = `${given.order_no}-${Object.keys(means).length}`;
      const key = { 'idempotency-key': order_no };
      const body = { ...given, order_no, ...means };
      const { status, body: answer } = await relay.post('/v1/payments', apiKey, body, key);
      expect({ status, answer }).toEqual({ status: 200, answer: { status: 'pending', id: answer.id, order_no } });
      expect(await relay.post('/v1/payments', apiKey, body, key)).toMatchObject({
        status: 409,
        body: { code: 'outcome_unknown', operation_id: answer.id },
      });
      books.write(order_no, 'T1', '4100');
      await becomes(String(answer.id), { status: 'failed', reason: 'declined' });
      expect(await relay.post('/v1/payments', apiKey, body, key)).toMatchObject({
        status: 200,
        body: { status: 'declined' },
      });
    }
  });

  it('with an issuer_url redirects to the issuer', async () => {
    const { session, byPix, relay } = await setUp((received, res) => {
      const redirected = redirection(received, 'http://127.0.0.1:9/');
      sendXml(res, signedXml({ ...redirected, ...answered }));
    });
    const { id, secret } = await session();
    expect((await byPix(secret)).body).toMatchObject({ status: 'redirect' });
    expect(await relay.truth(id)).toMatchObject({ status: 'redirected' });
  });

  it('without the required signature is unknown', async () => {
    const { session, byCard } = await setUp((received, res) =>
      sendXml(res, xml({ ...approval(received), ...answered })),
    );
    const { secret } = await session();
    expect((await byCard(secret)).body).toEqual({ status: 'unknown' });
  });
});
