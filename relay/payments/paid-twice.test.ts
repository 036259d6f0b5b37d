import { describe, expect, it } from 'vitest';
import {
  approvedBy,
  DAY,
  declinedOf,
  lost,
  MINUTE,
  type Resolving,
  record,
  setUpResolving,
} from '../../test/support/resolving.ts';
import { commit } from '../reconciliation/commit.ts';
import { afterAnswer } from './after-answer.ts';
import { afterLook } from './after-look.ts';
import type { Session } from './session.ts';
import { withState } from './transitions.ts';

const paidTwice = async ({ webhooks }: Resolving, session: Session): Promise<unknown[]> =>
  (await webhooks(session)).filter(({ type }) => type === 'session.paid_twice').map(({ data }) => data.transaction_ids);

/** Alarms for the operator: the metric and the log's errors. */
const alarms = async ({ metric, logged }: Resolving): Promise<[number, number]> => [
  await metric('turnpike_paid_twice_total'),
  logged('paid again').length,
];

describe('an order that is paid a second time', () => {
  it('by an attempt that was left, of the session that was approved, stays with its first transaction and tells both', async () => {
    const relay = await setUpResolving();
    const { books, session, leave, pay, pass, round, truth } = relay;
    const order = await session('A');
    await leave(order);
    await pay(order, approvedBy('T2'));
    books.records = [record('A', 'T1', '3000'), record('A', 'T2', '3000')];
    for (let looks = 0; looks < 3; looks++) {
      pass(DAY);
      await round();
      expect(await truth(order)).toMatchObject({
        status: 'approved',
        transaction_id: 'T2',
        paid_twice: ['T2', 'T1'],
        attempts: [
          { status: 'approved', transaction_id: 'T1' },
          { status: 'approved', transaction_id: 'T2' },
        ],
      });
      expect(await paidTwice(relay, order)).toEqual([['T2', 'T1']]);
      expect(await alarms(relay)).toEqual([1, 1]);
    }
  });

  it('by an attempt that was left in another session, approves that one late and tells both', async () => {
    const relay = await setUpResolving();
    const { books, session, leave, pay, pass, round, truth, webhooks } = relay;
    const first = await session('A', { expires_in: 3600 });
    await leave(first);
    const second = await session('A', { expires_in: 600_000 });
    await pay(second, approvedBy('T2'));
    pass(60 * MINUTE);
    await round();
    books.records = [record('A', 'T2', '3000'), record('A', 'T1', '3000')];
    for (let looks = 0; looks < 3; looks++) {
      pass(DAY);
      await round();
      expect(await truth(first)).toMatchObject({ status: 'approved', transaction_id: 'T1', paid_twice: ['T2', 'T1'] });
      expect(await truth(second)).toMatchObject({ status: 'approved', transaction_id: 'T2', paid_twice: ['T2', 'T1'] });
      expect(await paidTwice(relay, first)).toEqual([['T2', 'T1']]);
      expect(await paidTwice(relay, second)).toEqual([]);
      expect((await webhooks(first)).at(-2)).toMatchObject({ type: 'session.approved', data: { late: true } });
      expect(await alarms(relay)).toEqual([1, 1]);
    }
  });

  it('is told with the attempt’s own session, also where the notification was of the one that was approved', async () => {
    const relay = await setUpResolving();
    const { books, session, leave, pay, notify, truth } = relay;
    const first = await session('A');
    await leave(first);
    const second = await session('A');
    await pay(second, approvedBy('T2'));
    books.records = [record('A', 'T2', '3000'), record('A', 'T1', '3000')];
    await notify(second);
    expect(await truth(first)).toMatchObject({ status: 'approved', transaction_id: 'T1' });
    expect(await paidTwice(relay, first)).toEqual([['T2', 'T1']]);
    expect(await alarms(relay)).toEqual([1, 1]);
  });

  it('by nobody that we know of, is seen at a notification, and told once', async () => {
    const relay = await setUpResolving();
    const { books, session, pay, notify, truth } = relay;
    const order = await session('A');
    await pay(order, approvedBy('T1'));
    books.records = [
      record('A', 'T1', '3000'),
      record('A', 'T8', '4100'),
      record('A', 'T9', '3000', { amount: '10.0' }),
    ];
    await Promise.all([notify(order), notify(order)]);
    await notify(order);
    expect(await truth(order)).toMatchObject({ status: 'approved', transaction_id: 'T1', paid_twice: ['T1', 'T9'] });
    expect(await paidTwice(relay, order)).toEqual([['T1', 'T9']]);
    expect(await alarms(relay)).toEqual([1, 1]);

    books.records.push(record('A', 'T10', '3000'));
    await notify(order);
    expect(await paidTwice(relay, order)).toEqual([
      ['T1', 'T9'],
      ['T1', 'T10'],
    ]);
    expect(await alarms(relay)).toEqual([2, 2]);
  });

  it('is seen also where the gateway shows the second payment alone', async () => {
    const relay = await setUpResolving();
    const { books, session, pay, notify } = relay;
    const order = await session('A');
    await pay(order, approvedBy('T1'));
    books.records = [record('A', 'T9', '3000')];
    await notify(order);
    expect(await paidTwice(relay, order)).toEqual([['T1', 'T9']]);
  });

  it('by an attempt that had been declined, is told as well', async () => {
    const relay = await setUpResolving();
    const { books, session, pay, pass, notify, truth } = relay;
    const order = await session('A');
    await pay(order, declinedOf('T1'));
    pass(1);
    await pay(order, approvedBy('T2'));
    books.records = [record('A', 'T1', '3000'), record('A', 'T2', '3000')];
    await notify(order);
    expect(await truth(order)).toMatchObject({ transaction_id: 'T2', attempts: [{ status: 'approved' }, {}] });
    expect(await paidTwice(relay, order)).toEqual([['T2', 'T1']]);
    expect(await alarms(relay)).toEqual([1, 1]);
  });

  it('is seen by the very look that finds the first payment', async () => {
    const relay = await setUpResolving();
    const { books, session, leave, pay, pass, round, truth } = relay;
    const order = await session('A');
    await leave(order);
    await pay(order, lost);
    books.records = [record('A', 'T1', '3000'), record('A', 'T2', '3000'), record('A', 'T3', '3000')];
    pass(MINUTE);
    await round();
    expect(await truth(order)).toMatchObject({ status: 'approved' });
    expect(new Set((await truth(order)).paid_twice)).toEqual(new Set(['T1', 'T2', 'T3']));
    expect(await paidTwice(relay, order)).toHaveLength(2);
    expect(await alarms(relay)).toEqual([2, 2]);
  });

  it.each<[string, object[]]>([
    ['the one payment, once more', [record('A', 'T1', '3000')]],
    ['of another amount', [record('A', 'T9', '3000', { amount: '10.01' })]],
    ['of another currency', [record('A', 'T9', '3000', { currency: 'USD' })]],
    ['declined', [record('A', 'T9', '4100')]],
    ['with a code that the book does not list', [record('A', 'T9', '77')]],
    ['without a transaction_id', [record('A', '', '3000')]],
    ['of another order', [record('B', 'T9', '3000')]],
    ['a later charge of the contract', [record('A', 'T9', '3000', { subscription_result: { recurring_id: 'R1' } })]],
  ])('is not what a record tells that is %s', async (_, more) => {
    const relay = await setUpResolving();
    const { context, session, pay, notify, truth } = relay;
    const order = await session('A');
    await pay(order, approvedBy('T1', 'R1'));
    const { merchant_id, account_id } = relay.account;
    context.call = async () => {
      const orders_list = [record('A', 'T1', '3000', { subscription_result: { recurring_id: 'R1' } }), ...more];
      return { kind: 'answer', message: { merchant_id, account_id, return_status: '1', orders_list }, evidence: {} };
    };
    await notify(order);
    expect(await truth(order)).not.toHaveProperty('paid_twice');
    expect(await paidTwice(relay, order)).toEqual([]);
    expect(await alarms(relay)).toEqual([0, 0]);
  });

  it('is not told by a query that does not count', async () => {
    const relay = await setUpResolving();
    const { books, session, pay, notify } = relay;
    const order = await session('A');
    await pay(order, approvedBy('T1'));
    books.records = [record('A', 'T1', '3000'), record('A', 'T9', '3000')];
    for (const lie of [{ return_status: '0' }, { merchant_id: '9' }, { account_id: '9' }]) {
      books.change = lie;
      await notify(order);
    }
    expect(await alarms(relay)).toEqual([0, 0]);
  });

  it('is told by the answer to a payment, where another one was found meanwhile', async () => {
    const relay = await setUpResolving();
    const { context, session, leave, pay, stored } = relay;
    const [left, order] = [await session('A'), await session('A')];
    const lostOne = await leave(left);
    const before = await stored(left.id);
    const stale = await context.store.attemptsOfOrder('demo', 'A');
    const paying = await pay(order);
    const { limits, resolve } = context.config;
    // A look that had read the order before this payment began writes what it found.
    const attempt = stale.find(({ id }) => id === lostOne.id) ?? lostOne;
    const found = { kind: 'approved', transaction_id: 'T1' } as const;
    const look = afterLook(before, attempt, found, 'resolver', {
      now: context.now(),
      attempts: stale,
      limits,
      resolve,
    });
    expect(look && (await commit(context, before, look))).toBe(true);
    const attempts = await context.store.attemptsOfOrder('demo', 'A');
    const circumstances = { now: context.now(), attempts, limits, resolve };
    const processing = await stored(order.id);
    await commit(context, processing, afterAnswer(processing, paying, approvedBy('T2'), circumstances));
    expect(await paidTwice(relay, order)).toEqual([['T1', 'T2']]);
    expect(await alarms(relay)).toEqual([1, 1]);
  });

  it('is told at the next look where two relays wrote two payments at the same moment', async () => {
    const relay = await setUpResolving();
    const { books, context, session, leave, pay, pass, notify } = relay;
    const [left, order] = [await session('A'), await session('A')];
    await leave(left);
    await pay(order, approvedBy('T2'));
    pass(1);
    // What the other relay wrote knew nothing of this payment.
    const [attempt] = await context.store.attemptsOfOrder('demo', 'A');
    const before = await relay.stored(left.id);
    if (!attempt) throw new Error('no attempt');
    const state = { status: 'approved', attempt_id: attempt.id, transaction_id: 'T1' } as const;
    const paid = { ...attempt, transaction_id: 'T1', settled_at: context.now().toISOString() };
    const written = { ...paid, state: { status: 'approved' } as const };
    await context.store.settle(withState(before, state), written, 'paid', []);
    books.records = [record('A', 'T2', '3000'), record('A', 'T1', '3000')];
    await notify(order);
    await notify(left);
    expect(await paidTwice(relay, order)).toEqual([['T2', 'T1']]);
    expect(await alarms(relay)).toEqual([1, 1]);
  });
});
