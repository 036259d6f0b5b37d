import { describe, expect, it } from 'vitest';
import {
  approvedAs,
  patient,
  paymentAnswers,
  setUpSettlement,
  stores,
  storesOf,
} from '../../support/gateways/settlement.ts';
import { until } from '../../support/time/until.ts';

describe.each(stores)('a payment that is booked after return_ms, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** The shopper reports having paid, and for a minute the gateway has no record of the payment. */
  async function notFound(method: 'PIX' | 'card') {
    const stack = await setUpSettlement(newStore, { decides: 'callers', resolve: patient });
    const { relay, scripts, queriesOf } = stack;
    const session = await stack.session();
    scripts.pay = paymentAnswers.redirected;
    const pay = method === 'card' ? stack.byCard : stack.byPix;
    expect((await pay(session.secret)).body).toMatchObject({ status: 'redirect' });
    const askedAfter = async (ms: number): Promise<void> => {
      const before = queriesOf(session.orderNo).length;
      relay.pass(ms);
      await until('the gateway is queried again', () => queriesOf(session.orderNo).length > before);
    };
    expect((await relay.post('/checkout/api/returned', session.secret, {})).status).toBe(200);
    for (const ms of [2000, 3000, 5000, 10_000, 20_000, 20_000]) await askedAfter(ms);
    await expect.poll(() => stack.view(session.secret)).toMatchObject({ status: 'open', notice: 'not_paid' });
    expect(await relay.truth(session.id)).toMatchObject({ attempts: [{ status: 'not_paid', reason: 'abandoned' }] });
    scripts.pay = approvedAs('T9');
    return { ...stack, ...session };
  }

  it.each([
    ['PIX', '2000', 'pending', true],
    ['card', '2000', 'pending', false],
    ['PIX', '77', 'unknown', false],
  ] as const)('by %s as %s holds the order, and is charged once', async (method, code, status, can_abandon) => {
    const { books, byCard, gateway, relay, reconcile, webhooksOf, view, id, secret, orderNo } = await notFound(method);
    books.write(orderNo, 'T1', code);
    expect(await byCard(secret)).toMatchObject({ status: 409 });
    expect(gateway.authorised()).toHaveLength(1);
    expect(await relay.truth(id)).toMatchObject({ status, attempts: [{ status }] });
    const shown = status === 'pending' ? { pending: { payment_method: method, can_abandon } } : {};
    expect(await view(secret)).toMatchObject({ status, ...shown });
    expect(await webhooksOf(id, 2)).toEqual(['session.redirected', `session.${status}`]);
    books.write(orderNo, 'T1', '3000');
    expect((await reconcile(orderNo)).body).toMatchObject({ status: 'paid' });
    expect(await relay.truth(id)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    expect(gateway.authorised()).toHaveLength(1);
  });

  it('as pending is shown in the open form and can be abandoned', async () => {
    const { books, relay, byCard, gateway, view, id, secret, orderNo } = await notFound('PIX');
    books.write(orderNo, 'T1', '2000');
    await expect.poll(() => view(secret)).toMatchObject({ status: 'pending', pending: { can_abandon: true } });
    const open = { status: 'open', notice: 'not_paid', watched: { payment_method: 'PIX' } };
    expect(await relay.post('/checkout/api/abandon', secret, {})).toMatchObject({ status: 200, body: open });
    expect((await byCard(secret)).body).toMatchObject({ status: 'approved', transaction_id: 'T9' });
    expect(gateway.authorised()).toHaveLength(2);
    expect(await relay.truth(id)).toMatchObject({ status: 'approved' });
  });

  it('as pending by card cannot be abandoned', async () => {
    const { books, relay, view, secret, orderNo } = await notFound('card');
    books.write(orderNo, 'T1', '2000');
    await expect.poll(() => view(secret)).toMatchObject({ status: 'pending', pending: { can_abandon: false } });
    const abandoned = await relay.post('/checkout/api/abandon', secret, {});
    expect(abandoned).toMatchObject({ status: 409, body: { code: 'cannot_abandon' } });
  });
});
