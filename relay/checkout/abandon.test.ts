import { describe, expect, it } from 'vitest';
import { approvedBy, declinedOf, lost, record, SECOND, setUpResolving } from '../../test/support/payments/resolving.ts';
import { toIssuer } from '../../test/support/payments/sessions.ts';
import { updateOrder } from '../commit/commit.ts';
import { rulesOf } from '../config/rules.ts';
import { applyAnswer } from '../payments/answer.ts';
import { abandon } from './return.ts';

const pix = { payment_method: 'PIX' };

/** A relay with a session of the order A whose shopper is at the issuer's page. */
async function away() {
  const relay = await setUpResolving();
  const session = await relay.session('A');
  await relay.pay(session, toIssuer, pix);
  relay.pass(5 * SECOND);
  return { ...relay, session, giveUp: async () => abandon(relay.context, await relay.stored(session.id)) };
}

describe('a shopper who gives up', () => {
  it('at the issuer’s page can choose another way after one query', async () => {
    const { context, session, giveUp, webhooks, queries } = await away();
    const order = await giveUp();
    expect(queries).toEqual([['A']]);
    expect(order).toMatchObject({
      hold: 'free',
      attempts: [{ settled_at: context.now().toISOString(), state: { status: 'not_paid', reason: 'abandoned' } }],
    });
    expect(order.sessions[0]?.state).toEqual({ status: 'open', notice: 'not_paid', last_method: 'PIX' });
    expect((await webhooks(session)).map(({ type }) => type)).toEqual(['session.redirected']);
  });

  it('at the issuer’s page after a decline queries that, too', async () => {
    const relay = await setUpResolving();
    const session = await relay.session('A');
    await relay.pay(session, declinedOf('T0'));
    await relay.pay(session, toIssuer, pix);
    expect(await abandon(relay.context, await relay.stored(session.id))).toMatchObject({ hold: 'free' });
    expect(relay.queries).toEqual([['A']]);
  });

  it('may repeat it, which asks and changes nothing', async () => {
    const { giveUp, queries } = await away();
    const order = await giveUp();
    expect(await giveUp()).toEqual(order);
    expect(queries).toHaveLength(1);
  });

  it.each([
    ['3000', 'approved'],
    ['4100', 'open'],
  ])('gets what the gateway knows: the code %s', async (code, status) => {
    const { session, giveUp, books, truth } = await away();
    books.records = [record('A', 'T1', code)];
    await giveUp();
    const shown = await truth(session);
    expect(shown).toMatchObject({ status, attempts: [{ status: code === '3000' ? 'approved' : 'declined' }] });
  });

  it('fails while the gateway is unreachable; the return still counts', async () => {
    const { context, session, giveUp, books, orderOf } = await away();
    const returned_at = context.now().toISOString();
    books.change = { return_status: '0' };
    await expect(giveUp()).rejects.toMatchObject({
      code: 'gateway_unreachable',
      message: 'The gateway cannot be queried about this payment. Try again.',
    });
    expect((await orderOf(session)).attempts).toMatchObject([{ state: { status: 'redirected', returned_at } }]);
  });

  it('cannot give up what was sent to the issuer after the request', async () => {
    const relay = await setUpResolving();
    const session = await relay.session('A');
    const attempt = await relay.pay(session, undefined, pix);
    const { context } = relay;
    let reads = 0;
    const store: typeof context.store = {
      ...context.store,
      orders: {
        ...context.store.orders,
        async get(...key) {
          reads += 1;
          // The answer to the payment is written before abandon reads the order again.
          if (reads === 2)
            await updateOrder(context, session, (order) =>
              applyAnswer(order, attempt.id, toIssuer, context.now(), rulesOf(context.config)),
            );
          return context.store.orders.get(...key);
        },
      },
    };
    await expect(abandon({ ...context, store }, session)).rejects.toMatchObject({ code: 'cannot_abandon' });
    expect(await relay.orderOf(session)).toMatchObject({
      hold: 'held',
      attempts: [{ state: { status: 'redirected' } }],
    });
    expect(relay.queries).toEqual([]);
  });

  it('cannot where a record is not listed', async () => {
    const { session, giveUp, books, truth } = await away();
    books.records = [record('A', 'T1', '77')];
    await expect(giveUp()).rejects.toMatchObject({ code: 'cannot_abandon' });
    expect(await truth(session)).toMatchObject({ status: 'unknown' });
  });

  it('a pending payment needs no query', async () => {
    const relay = await setUpResolving({ gateway: { ...gatewayWith('1000') } });
    const session = await relay.session('A');
    await relay.pay(session, lost, pix);
    relay.pass(5 * SECOND);
    relay.books.records = [record('A', 'T1', '1000')];
    await relay.reconcile(session);
    const asked = relay.queries.length;
    const order = await abandon(relay.context, await relay.stored(session.id));
    expect(order).toMatchObject({ hold: 'free', attempts: [{ state: { reason: 'abandoned' } }] });
    expect(relay.queries).toHaveLength(asked);
    expect((await relay.webhooks(session)).at(-1)).toMatchObject({
      type: 'session.declined',
      data: { reason: 'abandoned' },
    });
  });

  it('cannot give up a payment by card, which is not queried', async () => {
    const relay = await setUpResolving();
    const session = await relay.session('A');
    await relay.pay(session, lost);
    await expect(abandon(relay.context, session)).rejects.toMatchObject({
      code: 'cannot_abandon',
      message: 'This payment completes by itself. Get the session until it is known.',
    });
    expect(relay.queries).toEqual([]);
  });

  it('cannot abandon a card payment at its issuer’s page', async () => {
    const relay = await setUpResolving();
    const session = await relay.session('A');
    await relay.pay(session, toIssuer);
    const before = await relay.orderOf(session);
    await expect(abandon(relay.context, session)).rejects.toMatchObject({ code: 'cannot_abandon' });
    expect(await relay.orderOf(session)).toEqual(before);
    expect(relay.queries).toEqual([]);
  });

  it('changes nothing of an order that is paid', async () => {
    const relay = await setUpResolving();
    const session = await relay.session('A');
    await relay.pay(session, approvedBy('T1'));
    const before = await relay.orderOf(session);
    expect(await abandon(relay.context, session)).toEqual(before);
    expect(relay.queries).toEqual([]);
  });
});

/** A gateway with this code of pending payments. */
function gatewayWith(pending: string) {
  const payment_status = { approved: ['3000'], declined: ['4100'], pending: [pending] };
  return { base_url: 'http://127.0.0.1:8081', profile: { codes: { payment_status } } };
}
