import { describe, expect, it } from 'vitest';
import { SECOND, setUpResolving } from '../../test/support/resolving.ts';
import { withState } from '../payments/transitions.ts';
import type { Context } from '../store/context.ts';
import { pay } from './pay.ts';
import { changeOrder } from './server/change-order.ts';

const card = {
  card: '4111111111111111',
  expiration_month: '12',
  expiration_year: '2030',
  security_code: '737',
  first_name: 'Ada',
  last_name: 'Byron',
  device: {},
};
const facts = { user_agent: '', accept: '', accept_language: '', shopper_ip: '' };

/** A relay whose gateway approves the order A as T2, and takes so long for a query. */
async function setUp(queryMs = 0) {
  const relay = await setUpResolving();
  const [session, another] = [await relay.session('A'), await relay.session('A')];
  const { context, account } = relay;
  const query = context.call;
  context.call = async (name, ...rest) => {
    if (name === 'query') {
      relay.pass(queryMs);
      return query(name, ...rest);
    }
    const order = { merchant_id: '100001', account_id: '200001', order_no: 'A', amount: '10.00', currency: 'BRL' };
    const message = { ...order, transaction_id: 'T2', order_status: '1', result_info: '0000:Success' };
    return { kind: 'answer', message, evidence: {} };
  };
  const click = async (on: Context = context) =>
    pay(on, { session: await relay.stored(session.id), account, body: card, facts, deviceId: 'dv_1' });
  return { ...relay, session, another, click };
}

describe('a payment', () => {
  it('begins after the question about what was left, however long that took', async () => {
    const { context, session, leave, click, truth } = await setUp(20 * SECOND);
    await leave(session);
    expect(await click()).toMatchObject({ status: 'approved' });
    expect((await truth(session)).attempts.at(-1)).toMatchObject({ started_at: context.now().toISOString() });
  });

  it('asks once about all that was left of its order, in whatever session', async () => {
    const { session, another, leave, click, queries } = await setUp();
    await leave(session);
    await leave(another);
    const before = queries.length;
    expect(await click()).toMatchObject({ status: 'approved' });
    expect(queries.slice(before)).toEqual([['A']]);
  });

  it('is made although a look wrote about its session meanwhile', async () => {
    const { context, session, stored, click } = await setUp();
    const { store } = context;
    let written = 0;
    const startAttempt: Context['store']['startAttempt'] = async (...terms) => {
      if (written === 0) {
        written += 1;
        const before = await stored(session.id);
        await store.update(withState(before, before.state), []);
      }
      return store.startAttempt(...terms);
    };
    expect(await click({ ...context, store: { ...store, startAttempt } })).toMatchObject({ status: 'approved' });
  });

  it('is not made where the order was changed meanwhile', async () => {
    const { context, account, session, truth, click } = await setUp();
    const { store } = context;
    const startAttempt: Context['store']['startAttempt'] = async (...terms) => {
      await changeOrder(context, account, session.id, { order: { amount: '20.00' } });
      return store.startAttempt(...terms);
    };
    const late = click({ ...context, store: { ...store, startAttempt } });
    await expect(late).rejects.toMatchObject({ code: 'session_changed' });
    expect(await truth(session)).toMatchObject({ status: 'open', revision: 2, attempts: [] });
  });

  it('is not made where another request began one meanwhile', async () => {
    const { context, session, stored, click, pay: payElsewhere } = await setUp();
    const { store } = context;
    const startAttempt: Context['store']['startAttempt'] = async (...terms) => {
      if ((await stored(session.id)).state.status === 'open') await payElsewhere(session);
      const started = await store.startAttempt(...terms);
      return started.kind === 'started' ? started : { kind: 'changed' };
    };
    await expect(click({ ...context, store: { ...store, startAttempt } })).rejects.toMatchObject({
      code: 'attempt_in_flight',
    });
  });

  it('is not made where another request’s payment was declined meanwhile', async () => {
    const { context, session, stored, click } = await setUp();
    const { store } = context;
    let tries = 0;
    const startAttempt: Context['store']['startAttempt'] = async (processing, attempt, quotas) => {
      tries += 1;
      if (tries > 1) return store.startAttempt(processing, attempt, quotas);
      // Both clicks read the session when it was open; the other one’s attempt has come and gone.
      const other = { ...attempt, id: 'at_other' };
      const state = { status: 'processing', attempt_id: other.id } as const;
      await store.startAttempt({ ...processing, state }, other, []);
      const open = withState(await stored(session.id), { status: 'open', notice: 'declined' });
      const result = { code: '2001', message: 'Declined' };
      await store.settle(open, { ...other, state: { status: 'declined', result } }, 'free', []);
      return store.startAttempt(processing, attempt, quotas);
    };
    await expect(click({ ...context, store: { ...store, startAttempt } })).rejects.toMatchObject({
      code: 'attempt_in_flight',
    });
    expect(tries).toBe(1);
  });
});
