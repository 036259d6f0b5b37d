import { describe, expect, it } from 'vitest';
import type { SettleSession } from '../../../shared/api/session.ts';
import {
  approvedBy,
  DAY,
  declinedOf,
  lost,
  record,
  SECOND,
  setUpResolving,
} from '../../../test/support/payments/resolving.ts';
import { toIssuer } from '../../../test/support/payments/sessions.ts';
import type { StoredOrder } from '../../payments/order.ts';
import { settleSession, withdrawSession } from './settle.ts';

const notPaid: SettleSession = { outcome: 'not_paid', note: 'seen in the portal' };
const approved = (transaction_id: string): SettleSession => ({ outcome: 'approved', transaction_id, note: 'seen' });
const nothing = () => ({});

async function setUp() {
  const relay = await setUpResolving();
  const { context, account } = relay;
  return {
    ...relay,
    settle: (id: string, body: SettleSession, of = account) => settleSession(context, of, id, body, 'ops', nothing),
    withdraw: (id: string, of = account) => withdrawSession(context, of, id, 'server', nothing),
  };
}

describe('a person who settles a session', () => {
  it('decides that it is not paid', async () => {
    const { context, session: create, pay, settle, truth, logged } = await setUp();
    const session = await create('A');
    await pay(session, lost);
    const order = await settle(session.id, { ...notPaid, note: 'card 4111111111111111 not charged' });
    expect(order).toMatchObject({ hold: 'free', attempts: [{ state: { status: 'not_paid', reason: 'settled' } }] });
    expect(order.sessions[0]?.settled).toEqual({
      by: 'ops',
      at: context.now().toISOString(),
      note: expect.stringMatching(/^card .* not charged$/),
      outcome: 'not_paid',
    });
    expect(order.sessions[0]?.settled?.note).not.toContain('4111111111111111');
    expect(await truth(session)).toMatchObject({ status: 'open' });
    const [line] = logged('session settled by a person');
    expect(JSON.parse(line ?? '{}')).toMatchObject({ session: session.id, outcome: 'not_paid', by: 'ops' });
  });

  it('gets the very order that their reply was written with', async () => {
    const { context, account, session: create, pay } = await setUp();
    const session = await create('A');
    await pay(session, lost);
    const written: StoredOrder[] = [];
    const more = (order: StoredOrder) => {
      written.push(order);
      return {};
    };
    const settled = await settleSession(context, account, session.id, notPaid, 'ops', more);
    expect(settled).toBe(written[0]);
    const withdrawn = await withdrawSession(context, account, session.id, 'server', more);
    expect(withdrawn).toBe(written[1]);
    await withdrawSession(context, account, session.id, 'server', more);
    expect(written).toHaveLength(2);
  });

  it('decides that it is paid', async () => {
    const { session: create, pay, settle, truth, webhooks } = await setUp();
    const session = await create('A');
    await pay(session, lost);
    expect(await settle(session.id, approved('T1'))).toMatchObject({
      hold: 'paid',
      payments: [{ transaction_id: 'T1', amount: '10.00', proof: 'person' }],
    });
    expect(await truth(session)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    expect((await webhooks(session)).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['session.approved', 'payment.ready']),
    );
  });

  it('cannot where nothing is undecided', async () => {
    const { session: create, pay, settle } = await setUp();
    const session = await create('A');
    await expect(settle(session.id, notPaid)).rejects.toMatchObject({
      code: 'session_not_unsettled',
      message: 'Nothing of this session is undecided. Get the session.',
    });
    await pay(session, approvedBy('T1'));
    await expect(settle(session.id, approved('T1'))).rejects.toMatchObject({ code: 'session_not_unsettled' });
  });

  it('cannot settle another account’s operation, or a missing one', async () => {
    const { account, session: create, pay, settle } = await setUp();
    const session = await create('A');
    await pay(session, lost);
    const problem = { code: 'not_found', message: 'This account has no session with this id.' };
    await expect(settle(session.id, notPaid, { ...account, id: 'other' })).rejects.toMatchObject(problem);
    await expect(settle('cs_none', notPaid)).rejects.toMatchObject(problem);
  });

  it('cannot name a transaction that paid another order', async () => {
    const { session: create, pay, settle, truth } = await setUp();
    const [session, other] = [await create('A'), await create('B')];
    await pay(other, approvedBy('T2'));
    await pay(session, lost);
    await expect(settle(session.id, approved('T2'))).rejects.toMatchObject({
      code: 'transaction_known',
      message: 'This transaction paid the order B. One pays one order.',
    });
    expect(await truth(session)).toMatchObject({ status: 'unknown' });
    // The undecided part comes first: a settled session reports it.
    await expect(settle(other.id, approved('T2'))).rejects.toMatchObject({ code: 'session_not_unsettled' });
    expect(await settle(session.id, notPaid)).toMatchObject({ hold: 'free' });
  });

  it('cannot name another spelling of a known transaction', async () => {
    const { session: create, pay, settle, truth } = await setUp();
    const [session, other] = [await create('A'), await create('B')];
    await pay(other, approvedBy('T2'));
    await pay(session, lost);
    await expect(settle(session.id, approved('t2'))).rejects.toMatchObject({
      code: 'transaction_id_form',
      errors: [{ path: 'transaction_id' }],
    });
    expect(await truth(session)).toMatchObject({ status: 'unknown' });
  });

  it('may name the transaction that its own order knows', async () => {
    const { session: create, pay, settle, books, reconcile, pass } = await setUp();
    const session = await create('A');
    await pay(session, lost);
    pass(5 * SECOND);
    books.records = [record('A', 'T9', '3000', { amount: '20.00' })];
    await reconcile(session);
    expect(await settle(session.id, approved('T9'))).toMatchObject({
      hold: 'paid',
      payments: [{ transaction_id: 'T9', proof: 'person' }],
    });
  });

  it('is written with what belongs to it', async () => {
    const { context, account, session: create, pay } = await setUp();
    const session = await create('A');
    await pay(session, lost);
    const seen: unknown[] = [];
    await settleSession(context, account, session.id, notPaid, 'ops', (written) => {
      seen.push(written.hold);
      return {};
    });
    expect(seen).toEqual(['free']);
  });
});

describe('a shop that withdraws a session', () => {
  it('ends it, by whom is known', async () => {
    const { session: create, withdraw, webhooks, logged } = await setUp();
    const session = await create('A');
    const order = await withdraw(session.id);
    expect(order.sessions[0]?.state).toEqual({ status: 'expired', withdrawn_by: 'server' });
    expect((await webhooks(session)).map(({ type }) => type)).toEqual(['session.expired']);
    const [line] = logged('session withdrawn');
    expect(JSON.parse(line ?? '{}')).toMatchObject({ session: session.id, by: 'server' });
  });

  it('may repeat it', async () => {
    const { session: create, withdraw, webhooks } = await setUp();
    const session = await create('A');
    const order = await withdraw(session.id);
    expect(await withdraw(session.id)).toEqual(order);
    expect(await webhooks(session)).toHaveLength(1);
  });

  it.each([
    ['is sent', undefined],
    ['is unknown', lost],
    ['is at the issuer', toIssuer],
  ] as const)('cannot while a payment %s', async (_, outcome) => {
    const { session: create, pay, withdraw } = await setUp();
    const session = await create('A');
    await pay(session, outcome, { payment_method: 'PIX' });
    await expect(withdraw(session.id)).rejects.toMatchObject({
      code: 'attempt_in_flight',
      message: 'A payment of this session is unsettled. Get the session.',
    });
  });

  it('may after a decline, and beside another session’s payment', async () => {
    const { session: create, pay, withdraw } = await setUp();
    const [session, other] = [await create('A'), await create('A')];
    await pay(session, declinedOf('T0'));
    await pay(other, lost);
    const order = await withdraw(session.id);
    expect(order.sessions.find(({ id }) => id === session.id)?.state).toMatchObject({ status: 'expired' });
    await expect(withdraw(other.id)).rejects.toMatchObject({ code: 'attempt_in_flight' });
  });

  it('cannot once it is over', async () => {
    const { session: create, pay, withdraw } = await setUp();
    const session = await create('A');
    await pay(session, approvedBy('T1'));
    const problem = { code: 'session_final', message: 'This session is over. Get the session.' };
    await expect(withdraw(session.id)).rejects.toMatchObject(problem);
    const failed = await create('B');
    for (const id of [1, 2, 3, 4, 5]) await pay(failed, declinedOf(`T1${id}`));
    await expect(withdraw(failed.id)).rejects.toMatchObject(problem);
  });

  it('cannot withdraw another account’s', async () => {
    const { account, session: create, withdraw } = await setUp();
    const session = await create('A');
    await expect(withdraw(session.id, { ...account, id: 'other' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('cannot where an earlier payment of it is undecided again', async () => {
    const { session: create, abandon, books, pass, reconcile, withdraw, truth } = await setUp();
    const session = await create('A');
    await abandon(session);
    pass(DAY);
    books.records = [record('A', 'T1', '77')];
    await reconcile(session);
    expect(await truth(session)).toMatchObject({ status: 'unknown' });
    await expect(withdraw(session.id)).rejects.toMatchObject({ code: 'attempt_in_flight' });
  });
});
