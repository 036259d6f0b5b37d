import { describe, expect, it, onTestFinished } from 'vitest';
import {
  approvedBy,
  declinedOf,
  lost,
  MINUTE,
  record,
  SECOND,
  setUpResolving,
} from '../../test/support/payments/resolving.ts';
import { toIssuer } from '../../test/support/payments/sessions.ts';
import { keepTimers } from '../../test/support/time/timers.ts';
import { until } from '../../test/support/time/until.ts';
import type { CallResult } from '../gateway/call.ts';
import { confirmReturnInForm, returnFromIssuer, sessionForShopper } from './return.ts';
import { withdrawSession } from './server/settle.ts';

const pix = { payment_method: 'PIX' };

async function away() {
  const relay = await setUpResolving();
  const session = await relay.session('A');
  await relay.pay(session, toIssuer, pix);
  relay.pass(5 * SECOND);
  return { ...relay, session };
}

describe('a shopper who returns from the issuer’s page', () => {
  it('gets at once what the gateway knows', async () => {
    const { context, session, books, truth, queries } = await away();
    books.records = [record('A', 'T1', '3000')];
    const order = await returnFromIssuer(context, session);
    expect(order).toMatchObject({ hold: 'paid', payments: [{ transaction_id: 'T1' }] });
    expect(await truth(session)).toMatchObject({ status: 'approved' });
    expect(queries).toEqual([['A']]);
  });

  it('waits for what the poller finds', async () => {
    const { context, session, books, pass, poll, queries } = await away();
    const returned_at = context.now().toISOString();
    const timers = keepTimers(200);
    const coming = returnFromIssuer(context, session);
    await until('the page waits', () => timers.kept() > 0);
    expect((await context.store.orders.get('demo', 'A')).attempts[0]?.state).toMatchObject({ returned_at });
    books.records = [record('A', 'T1', '4100')];
    pass(2 * SECOND);
    await poll();
    timers.release();
    expect(await coming).toMatchObject({ attempts: [{ state: { status: 'declined' } }] });
    expect(queries).toHaveLength(2);
  });

  it('waits eight seconds at the most', async () => {
    const { context, session } = await away();
    const timers = keepTimers(8 * SECOND);
    const coming = returnFromIssuer(context, session);
    await until('the wait begins', () => timers.kept() > 0);
    timers.release();
    expect(await coming).toMatchObject({
      attempts: [{ state: { status: 'redirected', returned_at: expect.any(String) } }],
    });
  });

  it('in the form gets an answer within a second', async () => {
    const { context, session } = await away();
    const held = Promise.withResolvers<CallResult>();
    onTestFinished(() => held.resolve({ kind: 'not_sent' }));
    context.call = () => held.promise;
    const timers = keepTimers(SECOND);
    const coming = confirmReturnInForm(context, session);
    await until('the wait begins', () => timers.kept() > 0);
    timers.release();
    expect(await coming).toMatchObject({
      attempts: [{ state: { status: 'redirected', returned_at: expect.any(String) } }],
    });
  });

  it('in the form waits for one query alone', async () => {
    const { context, session, queries, truth } = await away();
    await confirmReturnInForm(context, session);
    expect(queries).toHaveLength(1);
    expect(await truth(session)).toMatchObject({ status: 'redirected' });
    // The queries keep their moments: the next is due two seconds later.
    await confirmReturnInForm(context, session);
    expect(queries).toHaveLength(1);
  });

  it('in the form is queried again once a query is due', async () => {
    const { context, session, queries, pass } = await away();
    await confirmReturnInForm(context, session);
    pass(2 * SECOND);
    await confirmReturnInForm(context, session);
    expect(queries).toHaveLength(2);
    // The third is due five seconds after the return, though the last one is long enough ago.
    pass(2.5 * SECOND);
    await confirmReturnInForm(context, session);
    expect(queries).toHaveLength(2);
    pass(0.5 * SECOND);
    await confirmReturnInForm(context, session);
    expect(queries).toHaveLength(3);
  });

  it('gets what is known where nothing is open', async () => {
    const relay = await setUpResolving();
    const session = await relay.session('A');
    await relay.pay(session, approvedBy('T1'));
    expect(await returnFromIssuer(relay.context, session)).toMatchObject({ hold: 'paid' });
    expect(relay.queries).toEqual([]);
  });
});

describe('a form that asks for its session', () => {
  it.each<[string, Parameters<Awaited<ReturnType<typeof setUpResolving>>['pay']>[1], string]>([
    ['processing', undefined, 'processing'],
    ['at the issuer', toIssuer, 'redirected'],
    ['unknown', lost, 'unknown'],
    ['approved', approvedBy('T1'), 'approved'],
  ])('of a payment that is %s asks the gateway nothing', async (_, outcome, status) => {
    const relay = await setUpResolving();
    const session = await relay.session('A');
    await relay.pay(session, outcome, pix);
    relay.pass(MINUTE);
    const order = await relay.orderOf(session);
    const shown = await relay.stored(session.id);
    expect(shown.state.status).toBe(status);
    expect(await sessionForShopper(relay.context, shown, order)).toBe(order);
    expect(relay.queries).toEqual([]);
  });

  it('queries an earlier attempt that may be charged', async () => {
    const relay = await setUpResolving();
    const session = await relay.session('A');
    await relay.abandon(session);
    const asked = relay.queries.length;
    relay.books.records = [record('A', 'T1', '3000')];
    const order = await sessionForShopper(relay.context, await relay.stored(session.id), await relay.orderOf(session));
    expect(order).toMatchObject({ hold: 'paid' });
    expect(relay.queries).toHaveLength(asked + 1);
  });

  it('asks also where the session is over', async () => {
    for (const attempts_per_session of [5, 1]) {
      const relay = await setUpResolving({ limits: { attempts_per_session } });
      const session = await relay.session('A');
      await relay.abandon(session);
      if (attempts_per_session > 1) {
        await withdrawSession(relay.context, relay.account, session.id, 'server', () => ({}));
      }
      const asked = relay.queries.length;
      const shown = await relay.stored(session.id);
      expect(shown.state.status).toBe(attempts_per_session > 1 ? 'expired' : 'failed');
      const order = await sessionForShopper(relay.context, shown, await relay.orderOf(session));
      expect(order).toMatchObject({ hold: 'free' });
      expect(relay.queries).toHaveLength(asked + 1);
    }
  });

  it('sends no query for a session without a sent attempt', async () => {
    const relay = await setUpResolving();
    const session = await relay.session('A');
    const ask = async () =>
      sessionForShopper(relay.context, await relay.stored(session.id), await relay.orderOf(session));
    expect(await ask()).toMatchObject({ hold: 'free' });
    await relay.pay(session, declinedOf('T0'));
    expect(await ask()).toMatchObject({ hold: 'free' });
    expect(relay.queries).toEqual([]);
  });

  it('sends no query while another session’s payment is sent', async () => {
    const relay = await setUpResolving();
    const [session, other] = [await relay.session('A'), await relay.session('A')];
    await relay.abandon(session);
    await relay.pay(other);
    const asked = relay.queries.length;
    const order = await relay.orderOf(session);
    expect(await sessionForShopper(relay.context, await relay.stored(session.id), order)).toBe(order);
    expect(relay.queries).toHaveLength(asked);
  });

  it('gets what the store has where the gateway does not answer', async () => {
    const relay = await setUpResolving();
    const session = await relay.session('A');
    await relay.abandon(session);
    const held = Promise.withResolvers<CallResult>();
    onTestFinished(() => held.resolve({ kind: 'not_sent' }));
    relay.context.call = () => held.promise;
    const timers = keepTimers(SECOND);
    const order = await relay.orderOf(session);
    const asking = sessionForShopper(relay.context, await relay.stored(session.id), order);
    await until('the wait begins', () => timers.kept() > 0);
    timers.release();
    expect(await asking).toMatchObject({ hold: 'free', attempts: [{ state: { status: 'not_paid' } }] });
  });
});
