import { describe, expect, it } from 'vitest';
import {
  approvedBy,
  declinedOf,
  HOUR,
  lost,
  MINUTE,
  record,
  SECOND,
  setUpResolving,
} from '../../test/support/payments/resolving.ts';
import { keepTimers } from '../../test/support/time/timers.ts';
import { until } from '../../test/support/time/until.ts';
import { StoreError } from '../base/errors.ts';
import { momentOf } from '../context/context.ts';
import { emptyOrder, type StoredOrder } from '../payments/order.ts';
import { applyQuery, canQueryChange, canReconcile, MAX_WAIT_MS, reconcileOrder } from './reconcile.ts';

const key = { account: 'demo', order_no: 'A' };

/** A relay with a payment of the order A whose answer was lost two seconds ago. */
async function setUp() {
  const relay = await setUpResolving();
  const session = await relay.session('A');
  const attempt = await relay.pay(session, lost);
  relay.pass(2 * SECOND);
  return { ...relay, session, attempt, another: relay.session };
}

describe('asking about an order', () => {
  it('applies what the gateway says', async () => {
    const { context, books, queries, logged, session } = await setUp();
    books.records = [record('A', 'T-1', '3000')];
    const { counted, records, order } = await reconcileOrder(context, key);
    expect({ counted, records }).toEqual({ counted: true, records: books.records });
    expect(order).toMatchObject({ hold: 'paid', sessions: [{ state: { status: 'approved' } }] });
    expect(queries).toEqual([['A']]);
    expect(logged('order queried').map((line) => JSON.parse(line))).toMatchObject([
      { account: 'demo', session: session.id, result: 'paid' },
    ]);
  });

  it('that is answered with no success does not count', async () => {
    const { context, books, logged } = await setUp();
    books.change = { return_status: '0' };
    books.records = [record('A', 'T-1', '3000')];
    expect(await reconcileOrder(context, key)).toMatchObject({ counted: false, records: [], order: { hold: 'held' } });
    expect(JSON.parse(logged('order queried')[0] ?? '{}')).toMatchObject({ result: 'query_refused' });
  });

  it('logs the reason that holds the order', async () => {
    const { context, books, logged } = await setUp();
    books.records = [record('A', 'T-1', '7')];
    await reconcileOrder(context, key);
    expect(JSON.parse(logged('order queried')[0] ?? '{}')).toMatchObject({ result: 'codes_not_listed' });
  });

  it('is done once for all who ask before it begins', async () => {
    const { context, queries } = await setUp();
    const all = await Promise.all([1, 2, 3].map(() => reconcileOrder(context, key)));
    expect(all.every(({ counted }) => counted)).toBe(true);
    expect(queries).toHaveLength(1);
  });

  it('is done for each order by itself', async () => {
    const { context, queries, pay, pass, another } = await setUp();
    await pay(await another('B'), lost);
    pass(2 * SECOND);
    await Promise.all([reconcileOrder(context, key), reconcileOrder(context, { ...key, order_no: 'B' })]);
    expect(queries.flat().toSorted()).toEqual(['A', 'B']);
  });

  it('waits until the last query was two seconds ago', async () => {
    const { context, queries, pass } = await setUp();
    await reconcileOrder(context, key);
    pass(SECOND);
    const timers = keepTimers(SECOND);
    const again = reconcileOrder(context, key);
    await until('it waits', () => timers.kept() > 0);
    expect(queries).toHaveLength(1);
    pass(SECOND);
    timers.release();
    expect(await again).toMatchObject({ counted: true });
    expect(queries).toHaveLength(2);
  });

  it('waits while another relay asks', async () => {
    const { context, queries, pass } = await setUp();
    const later = (ms: number) => new Date(context.now().getTime() + ms).toISOString();
    const lease = { now: later(0), until: later(30 * SECOND), limit: 1 };
    expect(await context.store.orders.lease(key, lease, later(0))).toEqual({ kind: 'leased' });
    const timers = keepTimers(100);
    const asking = reconcileOrder(context, key);
    await until('it waits', () => timers.kept() > 0);
    expect(queries).toEqual([]);
    await context.store.orders.release(key, later(0));
    pass(2 * SECOND);
    timers.release();
    expect(await asking).toMatchObject({ counted: true });
  });

  it('is given up after ten seconds', async () => {
    const { context, queries, pass } = await setUp();
    const until = new Date(context.now().getTime() + 30 * SECOND).toISOString();
    const lease = { now: context.now().toISOString(), until, limit: 1 };
    await context.store.orders.lease(key, lease, lease.now);
    const { lease: leaseOrder } = context.store.orders;
    let tries = 0;
    context.store.orders.lease = async (...asked) => {
      tries += 1;
      // The last try but one ends a millisecond before.
      pass(tries === 1 ? MAX_WAIT_MS - 1 : 1);
      return leaseOrder(...asked);
    };
    expect(await reconcileOrder(context, key, context.monotonic() + HOUR)).toMatchObject({
      counted: false,
      records: [],
    });
    expect(tries).toBe(2);
    expect(queries).toEqual([]);
  });

  it('is waited for until the deadline; the query goes on', async () => {
    const { context, queries, books } = await setUp();
    books.records = [record('A', 'T-1', '3000')];
    const { call } = context;
    const held = Promise.withResolvers<void>();
    context.call = async (...asked) => {
      await held.promise;
      return call(...asked);
    };
    expect(await reconcileOrder(context, key, context.monotonic() - 1)).toMatchObject({ counted: false });
    held.resolve();
    await until('the query was applied', async () => (await context.store.orders.get('demo', 'A')).hold === 'paid');
    expect(queries).toHaveLength(1);
  });

  it('leaves the order free where the store fails', async () => {
    const { context, queries, pass } = await setUp();
    const { write: writeOrder } = context.store.orders;
    context.store.orders.write = async () => {
      throw new StoreError('lost');
    };
    await expect(reconcileOrder(context, key)).rejects.toThrow('lost');
    context.store.orders.write = writeOrder;
    pass(2 * SECOND);
    expect(await reconcileOrder(context, key)).toMatchObject({ counted: true });
    expect(queries).toHaveLength(2);
    pass(2 * SECOND);
    context.store.orders.write = context.store.orders.release = async () => {
      throw new StoreError('lost for long');
    };
    await expect(reconcileOrder(context, key)).rejects.toThrow('lost for long');
  });
});

describe('an order', () => {
  const only = async (
    outcome?: Parameters<Awaited<ReturnType<typeof setUpResolving>>['pay']>[1],
  ): Promise<StoredOrder> => {
    const relay = await setUpResolving();
    const session = await relay.session('A');
    await relay.pay(session, outcome);
    return relay.orderOf(session);
  };

  it('can be queried once something was sent for it', async () => {
    expect(canReconcile(emptyOrder('demo', 'A'))).toBe(false);
    expect(canReconcile(await only({ kind: 'not_sent' }))).toBe(false);
    expect(canReconcile(await only(lost))).toBe(true);
    expect(canReconcile(await only(approvedBy('T-1')))).toBe(true);
  });

  it('is worth asking about while something may still be charged', async () => {
    expect(canQueryChange(emptyOrder('demo', 'A'))).toBe(false);
    expect(canQueryChange(await only(lost))).toBe(true);
    expect(canQueryChange(await only(declinedOf('T-1')))).toBe(false);
    expect(canQueryChange(await only({ kind: 'refused', result: { code: 'x', message: '' }, evidence: {} }))).toBe(
      true,
    );
    expect(canQueryChange({ ...(await only(lost)), hold: 'paid' })).toBe(false);
    const undecided = { reason: 'pending', since: '', records: [] } as const;
    expect(canQueryChange({ ...emptyOrder('demo', 'A'), undecided })).toBe(true);
  });
});

describe('what a query brought', () => {
  it('ends the notifications that came before it, where it counts', async () => {
    const { context, session, orderOf, pass } = await setUp();
    const received_at = context.now().toISOString();
    await context.store.notifications.add({
      ...{ kind: 'payment', subject: session.id, account: 'demo', bytes: 10, sha256: 'a', fields: {}, received_at },
      waiting: { notice: { verified: false, fields: {}, orders: ['A'], trades: [] }, due_at: received_at },
    });
    const waiting = async () => (await context.store.notifications.listWaiting([session.id], 9)).length;
    pass(SECOND);
    const records = [record('A', 'T-1', '3000')];
    const fault = { counted: false, fault: 'query_unanswered', own: false, records } as const;
    await applyQuery(context, await orderOf(session), fault, momentOf(context));
    expect(await waiting()).toBe(1);
    pass(MINUTE);
    const after = await applyQuery(context, await orderOf(session), { counted: true, records }, momentOf(context));
    expect(after).toMatchObject({ notices: 1, noticed: 1 });
    expect(await waiting()).toBe(0);
  });

  it('reports records that are dated outside their attempts', async () => {
    const { context, session, orderOf, metric, logged, reconcile, books } = await setUp();
    const dated = (date: string) => record('A', 'T-1', '3000', { transaction_date: date });
    books.records = [dated('20260301120000')];
    await reconcile(session);
    expect(await metric('turnpike_record_clock_offset')).toBe(0);
    const records = [dated('20260301100000')];
    const query = { counted: false, fault: 'query_unanswered', own: false, records } as const;
    await applyQuery(context, await orderOf(session), query, momentOf(context));
    expect(await metric('turnpike_record_clock_offset')).toBe(0);
    await applyQuery(context, await orderOf(session), { counted: true, records }, momentOf(context));
    expect(await metric('turnpike_record_clock_offset')).toBe(1);
    expect(logged('records are dated outside').map((line) => JSON.parse(line))).toMatchObject([
      { count: 1, msg: 'records are dated outside their attempts: check gateway_time_zone' },
    ]);
  });
});
