import { describe, expect, it, onTestFinished } from 'vitest';
import { declinedOf, lost, record, SECOND, setUpResolving } from '../../test/support/payments/resolving.ts';
import { silentAudit } from '../../test/support/relays/audit.ts';
import { card as testCard } from '../../test/support/relays/relay.ts';
import { keepTimers } from '../../test/support/time/timers.ts';
import { until } from '../../test/support/time/until.ts';
import type { Context } from '../context/context.ts';
import type { Call, CallResult } from '../gateway/call.ts';
import type { Store } from '../store/store.ts';
import { pay } from './pay.ts';
import { quotasOf } from './quotas.ts';
import { changeOrder } from './server/session.ts';

const card = { ...testCard, device: {} };
const facts = { user_agent: '', accept: '', accept_language: '', shopper_ip: '' };

/** A relay whose gateway approves the order A as T2, and answers a query after this delay. */
async function setUp(queryMs = 0, config: object = {}) {
  const relay = await setUpResolving(config);
  const [session, another] = [await relay.session('A'), await relay.session('A')];
  const { context, account } = relay;
  const query = context.call;
  const sent: string[] = [];
  context.call = async (name, ...rest) => {
    if (name === 'query') {
      relay.pass(queryMs);
      return query(name, ...rest);
    }
    sent.push(name);
    const order = { merchant_id: '100001', account_id: '200001', order_no: 'A', amount: '10.00', currency: 'BRL' };
    const message = { ...order, transaction_id: 'T2', order_status: '1', result_info: '0000:Success' };
    return { kind: 'answer', message, evidence: () => ({}) };
  };
  const click = async (on: Context = context, hasHungUp = () => false) =>
    pay(on, {
      order: await relay.orderOf(session),
      session: await relay.stored(session.id),
      account,
      body: card,
      facts,
      deviceId: 'dv_1',
      hasHungUp,
    });
  /** A relay whose store calls `happens` before the first write of an order. */
  const racing = (happens: () => Promise<unknown>): Context => {
    let raced = false;
    const write: Store['orders']['write'] = async (one) => {
      if (!raced) {
        raced = true;
        await happens();
      }
      return context.store.orders.write(one);
    };
    return { ...context, store: { ...context.store, orders: { ...context.store.orders, write } } };
  };
  return { ...relay, session, another, click, racing, sent };
}

describe('a payment', () => {
  it('begins after the query about a watched attempt, however long that took', async () => {
    const { context, session, abandon, click, truth } = await setUp(20 * SECOND);
    await abandon(session);
    expect(await click()).toMatchObject({ status: 'approved' });
    expect((await truth(session)).attempts.at(-1)).toMatchObject({ started_at: context.now().toISOString() });
  });

  it('queries all watched attempts of its order once', async () => {
    const { session, another, abandon, click, queries } = await setUp();
    await abandon(session);
    await abandon(another);
    const before = queries.length;
    expect(await click()).toMatchObject({ status: 'approved' });
    expect(queries.slice(before)).toEqual([['A']]);
  });

  it('sends no query if no attempt is watched', async () => {
    const { click, queries } = await setUp();
    expect(await click()).toMatchObject({ status: 'approved' });
    expect(queries).toEqual([]);
  });

  it('sends no query if a limit is reached', async () => {
    const { context, account, session, abandon, click, queries } = await setUp(0, {
      limits: { attempts_per_card_per_hour: 1 },
    });
    await abandon(session);
    const counted = quotasOf(context, account, { card: card.card });
    const before = await context.store.orders.get('demo', 'B');
    const quotas = { counted, at: context.now().toISOString() };
    await context.store.orders.write({ before, after: before, events: [], quotas });
    const asked = queries.length;
    for (let presses = 0; presses < 5; presses++) {
      await expect(click()).rejects.toMatchObject({ code: 'too_many_attempts' });
    }
    expect(queries).toHaveLength(asked);
  });

  it('is not sent if the query finds a watched attempt paid', async () => {
    const { session, another, abandon, click, books, sent, truth } = await setUp();
    await abandon(another);
    books.records = [record('A', 'T1', '3000')];
    await expect(click()).rejects.toMatchObject({ code: 'order_already_paid' });
    expect(sent).toEqual([]);
    expect(await truth(another)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    expect(await truth(session)).toMatchObject({ status: 'failed', reason: 'order_already_paid' });
  });

  it('is held if the query shows another session’s undecided payment', async () => {
    const { session, another, abandon, click, books, sent, truth } = await setUp();
    await abandon(another);
    books.records = [record('A', 'T1', '77')];
    await expect(click()).rejects.toMatchObject({ code: 'order_in_progress' });
    expect(sent).toEqual([]);
    expect(await truth(session)).toMatchObject({ status: 'unknown', unknown: { reason: 'codes_not_listed' } });
  });

  it('is not sent where the query does not count', async () => {
    const { session, abandon, click, books, sent, truth } = await setUp();
    await abandon(session);
    books.change = { return_status: '0' };
    await expect(click()).rejects.toMatchObject({ code: 'gateway_unreachable' });
    expect(sent).toEqual([]);
    expect(await truth(session)).toMatchObject({ status: 'open', attempts: [{ status: 'not_paid' }] });
  });

  it('is not sent for a payer who hung up meanwhile', async () => {
    const { context, session, abandon, click, sent, truth } = await setUp();
    await abandon(session);
    await expect(click(context, () => true)).rejects.toMatchObject({ code: 'gateway_unreachable' });
    expect(sent).toEqual([]);
    expect(await truth(session)).toMatchObject({ status: 'open' });
  });

  it('is made although a query wrote about its order meanwhile', async () => {
    const { context, click, racing, orderOf, session } = await setUp();
    const write = async () => {
      const before = await orderOf(session);
      const after = { ...before, queries: { last: { at: context.now().toISOString(), counted: true }, failures: 0 } };
      await context.store.orders.write({ before, after, events: [] });
    };
    expect(await click(racing(write))).toMatchObject({ status: 'approved' });
  });

  it('is refused if another attempt was declined during the query', async () => {
    const { context, session, abandon, click, pay: payElsewhere, sent } = await setUp();
    await abandon(session);
    const query = context.call;
    let raced = false;
    context.call = async (...args) => {
      if (!raced) {
        raced = true;
        await payElsewhere(session, declinedOf('T3'));
      }
      return query(...args);
    };
    await expect(click()).rejects.toMatchObject({ code: 'attempt_in_flight' });
    expect(sent).toEqual([]);
  });

  it('waits ten seconds in all for queries', async () => {
    const { context, session, abandon, click, orderOf, sent } = await setUp(6 * SECOND);
    await abandon(session);
    const query = context.call;
    const held = Promise.withResolvers<CallResult>();
    onTestFinished(() => held.resolve({ kind: 'not_sent' }));
    // While the attempt is written, a notification comes, and the gateway answers no query any more.
    const write: Store['orders']['write'] = async (one) => {
      if (one.quotas && context.call === query) {
        const before = await orderOf(session);
        await context.store.orders.write({ before, after: { ...before, notices: before.notices + 1 }, events: [] });
        context.call = () => held.promise;
      }
      return context.store.orders.write(one);
    };
    const racing = { ...context, call: (...args: Parameters<Call>) => context.call(...args) };
    const timers = keepTimers(4 * SECOND);
    const clicked = click({ ...racing, store: { ...context.store, orders: { ...context.store.orders, write } } });
    await until('the press waits for the second query', () => timers.kept() > 0);
    timers.release();
    await expect(clicked).rejects.toMatchObject({ code: 'gateway_unreachable' });
    expect(sent).toEqual([]);
  });

  it('is not made where the order was changed meanwhile', async () => {
    const { context, account, session, truth, click, racing, sent } = await setUp();
    const change = () => changeOrder(context, account, session.id, { order: { amount: '20.00' } }, silentAudit);
    await expect(click(racing(change))).rejects.toMatchObject({ code: 'session_changed' });
    expect(await truth(session)).toMatchObject({ status: 'open', revision: 2, attempts: [] });
    expect(sent).toEqual([]);
  });

  it('is not made where another request began one meanwhile', async () => {
    const { session, click, racing, pay: payElsewhere, sent } = await setUp();
    await expect(click(racing(() => payElsewhere(session)))).rejects.toMatchObject({
      code: 'attempt_in_flight',
      message: 'Another request pays this order. Get the session.',
    });
    expect(sent).toEqual([]);
  });

  it('is not made where another session’s payment began meanwhile', async () => {
    const { another, click, racing, pay: payElsewhere, sent } = await setUp();
    await expect(click(racing(() => payElsewhere(another, lost)))).rejects.toMatchObject({
      code: 'attempt_in_flight',
    });
    expect(sent).toEqual([]);
  });

  it('is not made where another request’s payment was declined meanwhile', async () => {
    const { session, click, racing, pay: payElsewhere, sent } = await setUp();
    const declined = {
      kind: 'declined',
      result: { code: '2001', message: 'Declined' },
      advice: 'contact_bank',
    } as const;
    const late = click(racing(() => payElsewhere(session, declined)));
    await expect(late).rejects.toMatchObject({ code: 'attempt_in_flight' });
    expect(sent).toEqual([]);
  });
});
