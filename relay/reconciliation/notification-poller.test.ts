import { describe, expect, it, onTestFinished } from 'vitest';
import {
  approvedBy,
  HOUR,
  lost,
  MINUTE,
  record,
  SECOND,
  setUpResolving,
} from '../../test/support/payments/resolving.ts';
import { until } from '../../test/support/time/until.ts';
import { StoreError } from '../base/errors.ts';
import type { CallResult } from '../gateway/call.ts';
import type { WaitingNotification } from '../store/facets/notifications.ts';
import { startNotificationPoller } from './notification-poller.ts';

/** A relay whose gateway also finds transactions, and the poller of notifications, which polls on demand. */
async function setUp() {
  const relay = await setUpResolving();
  const { context, books } = relay;
  const asked: string[] = [];
  const gateway: { failure?: CallResult } = {};
  context.call = async (_name, as, message) => {
    const [list, names] = Object.entries(message)[0] ?? ['', ''];
    const of = String(names).split(',');
    asked.push(`${list} ${of.length > 9 ? of.length : names}`);
    if (gateway.failure) return gateway.failure;
    const { merchant_id, account_id } = as;
    const orders_list = books.records.filter(({ order_no, transaction_id }) =>
      of.includes((list === 'orders' ? order_no : transaction_id) ?? ''),
    );
    const answer = { merchant_id, account_id, return_status: '1', orders_list, ...books.change };
    return { kind: 'answer', message: answer, evidence: () => ({}) };
  };
  // Each poll that ends leaves a mark: it waits to be woken.
  let polls = 0;
  const { notices } = context.wakeUps;
  context.wakeUps.notices = {
    wake: () => notices.wake(),
    wait: (ms) => {
      polls += 1;
      return notices.wait(ms === 5000 ? 1e8 : ms);
    },
  };
  const delays: number[] = [];
  const { delay: delayNotices } = context.store.notifications;
  context.store.notifications.delay = (of, dueAt, now) => {
    delays.push(Date.parse(dueAt) - context.now().getTime());
    return delayNotices(of, dueAt, now);
  };
  const poller = startNotificationPoller(context);
  onTestFinished(() => poller.stop());
  const session = await relay.session('A');
  let count = 0;
  const waiting = async () => context.store.notifications.listWaiting([session.id], 999);
  return {
    ...{ ...relay, asked, gateway, poller, session, waiting, pollOrders: relay.poll },
    another: relay.session,
    async notify(notice: Partial<WaitingNotification['notice']> = {}, subject = session.id) {
      count += 1;
      const received_at = context.now().toISOString();
      await context.store.notifications.add({
        ...{ kind: 'payment', subject, account: 'demo', bytes: 10, sha256: String(count), fields: {}, received_at },
        waiting: {
          notice: { verified: false, fields: { n: '1' }, orders: [], trades: [], ...notice },
          due_at: received_at,
        },
      });
    },
    /** One poll; gives what it asked about. */
    async poll() {
      const [before, from] = [polls, asked.length];
      context.wakeUps.notices.wake();
      await until('the poll is over', () => polls > before);
      return asked.slice(from);
    },
    told: async () => (await relay.webhooks(session)).filter(({ type }) => type === 'notification.received'),
    /** In how many milliseconds it is asked about again, each time that this was put off. */
    delays,
  };
}

describe('a notification', () => {
  it('that names nothing is of its session’s order', async () => {
    const { notify, poll, told } = await setUp();
    await notify();
    expect(await poll()).toEqual(['orders A']);
    expect(await told()).toHaveLength(1);
  });

  it('of the session’s order settles it', async () => {
    const { notify, poll, pay, session, books, told, pass, stored, waiting, pollOrders } = await setUp();
    await pay(session, lost);
    pass(MINUTE);
    await notify({ orders: ['A'] });
    await pollOrders();
    expect(await waiting()).toHaveLength(1);
    pass(MINUTE);
    books.records = [record('A', 'T-1', '3000')];
    expect(await poll()).toEqual(['orders A']);
    expect(await stored(session.id)).toMatchObject({ state: { status: 'approved' } });
    expect(await waiting()).toEqual([]);
    // The shop knows it from the session.
    expect(await told()).toEqual([]);
  });

  it('of a session that is no longer kept is reported', async () => {
    const { context, notify, poll } = await setUp();
    await notify({}, 'cs_gone');
    expect(await poll()).toEqual([]);
    const events = await context.store.outbox.list({ account: 'demo', subject: 'cs_gone', limit: 9 });
    expect(events).toMatchObject([{ type: 'notification.received' }]);
  });

  it('is reported with the records of all that it names', async () => {
    const { notify, poll, books, told, waiting, delays, logged } = await setUp();
    books.records = [record('X', 'T-1', '3000'), record('Y', 'T-2', '3000')];
    await notify({ orders: ['X'], trades: ['T-1', 'T-2'] });
    // What a query by orders shows is not asked about again.
    expect(await poll()).toEqual(['orders X', 'trades T-2']);
    expect((await told()).map(({ data }) => data.records)).toEqual([[books.records[0], books.records[1]]]);
    expect(await waiting()).toEqual([]);
    expect(delays).toEqual([]);
    expect(logged('poll failed')).toEqual([]);
  });

  it('queries each name once, a hundred in a query', async () => {
    const { notify, poll } = await setUp();
    const names = (from: number) => Array.from({ length: 60 }, (_, n) => `X-${from + n}`);
    await notify({ orders: names(0) });
    await notify({ orders: names(50) });
    expect(await poll()).toEqual(['orders 100', 'orders 10']);
  });

  it('settles our orders whose transactions it shows', async () => {
    const { notify, poll, pay, another, books, pass, stored } = await setUp();
    const other = await another('B');
    await pay(other, lost);
    await another('C');
    pass(MINUTE);
    books.records = [record('B', 'T-2', '3000'), record('C', 'T-3', '3000')];
    await notify({ trades: ['T-2', 'T-3'] });
    expect(await poll()).toEqual(['orders A', 'trades T-2,T-3', 'orders B']);
    expect(await stored(other.id)).toMatchObject({ state: { status: 'approved' } });
  });

  it('settles its session’s order by a record with another spelling of that', async () => {
    const { notify, poll, pay, session, books, context, pass, stored, pollOrders } = await setUp();
    await pay(session, lost);
    pass(MINUTE);
    await notify({ trades: ['T-2'] });
    await pollOrders();
    pass(MINUTE);
    const { call } = context;
    context.call = async (...asked) => {
      const called = await call(...asked);
      // Booked between the first two queries.
      books.records = [record(books.records.length === 0 ? 'A ' : 'A', 'T-2', '3000')];
      pass(MINUTE);
      return called;
    };
    expect(await poll()).toEqual(['orders A', 'trades T-2', 'orders A']);
    expect(await stored(session.id)).toMatchObject({ state: { status: 'approved' } });
  });

  it('waits for the query of the order that it names', async () => {
    const { notify, poll, another, pay, waiting, delays, pass } = await setUp();
    const other = await another('B');
    await pay(other, lost);
    pass(MINUTE);
    await notify({ orders: ['B'] });
    // Its notifications are counted for B, whose query has not followed them.
    expect(await poll()).toEqual([]);
    expect(await waiting()).toHaveLength(1);
    expect(delays.at(-1)).toBe(1000);
  });
});

describe('a name without a record', () => {
  it('is queried again for an hour, and then reported', async () => {
    const { notify, poll, told, pass, delays } = await setUp();
    await notify({ orders: ['X'] });
    for (const ms of [5 * SECOND, 55 * SECOND, 9 * MINUTE, 50 * MINUTE]) {
      expect(await poll()).toEqual(['orders X']);
      pass(ms - 1);
      expect(await poll()).toEqual([]);
      pass(1);
    }
    expect(delays).toEqual([5 * SECOND, 55 * SECOND, 9 * MINUTE, 50 * MINUTE]);
    expect(await told()).toEqual([]);
    await poll();
    expect((await told()).map(({ data }) => data.records)).toEqual([[]]);
  });
});

describe('a name whose query fails', () => {
  it('is queried again later, and reported after a day', async () => {
    const { notify, poll, told, gateway, delays, pass } = await setUp();
    gateway.failure = { kind: 'unusable', fault: 'connection_lost', evidence: {} };
    await notify({ orders: ['X'] });
    expect(await poll()).toEqual(['orders X']);
    expect(delays.at(-1)).toBe(1000);
    pass(10 * MINUTE);
    await poll();
    expect(delays.at(-1)).toBe(10 * MINUTE);
    pass(3 * HOUR);
    await poll();
    expect(delays.at(-1)).toBe(HOUR);
    pass(20 * HOUR + 50 * MINUTE - 1);
    await poll();
    expect(await told()).toEqual([]);
    pass(HOUR);
    await poll();
    expect((await told()).map(({ data }) => data.records)).toEqual([[]]);
  });

  it('because of its content is treated like a name without a record', async () => {
    const { notify, poll, gateway, delays, pass } = await setUp();
    gateway.failure = { kind: 'refused', status: 400, evidence: {} };
    await notify({ orders: ['X'] });
    await poll();
    expect(delays.at(-1)).toBe(5000);
    pass(5000);
    gateway.failure = { kind: 'unusable', fault: 'connection_lost', evidence: {} };
    await poll();
    expect(delays.at(-1)).toBe(5000);
  });

  it('of an order that was queried before is queried later', async () => {
    const { notify, poll, pollOrders, gateway, pay, session, delays, pass } = await setUp();
    await pay(session, lost);
    pass(MINUTE);
    await notify({ orders: ['A'] });
    await pollOrders();
    pass(10 * MINUTE);
    gateway.failure = { kind: 'refused', status: 400, evidence: {} };
    expect(await poll()).toEqual(['orders A']);
    expect(delays.at(-1)).toBe(10 * MINUTE);
  });

  it('in the own order is queried later', async () => {
    const { notify, poll, gateway, pay, session, delays, pass, waiting } = await setUp();
    await pay(session, lost);
    pass(MINUTE);
    gateway.failure = { kind: 'refused', status: 400, evidence: {} };
    await notify({ orders: ['A'] });
    await poll();
    expect(await waiting()).toHaveLength(1);
    expect(delays.at(-1)).toBe(1000);
  });
});

describe('the poller', () => {
  it('begins no further query once it stops', async () => {
    const { context, notify, asked, gateway, waiting, poller, delays } = await setUp();
    gateway.failure = { kind: 'unusable', fault: 'timeout', evidence: {} };
    const { call } = context;
    const stops: Promise<void>[] = [];
    context.call = (...message) => {
      stops.push(poller.stop());
      return call(...message);
    };
    await notify({ orders: ['X', 'Y', 'Z'], trades: ['T-1'] });
    context.wakeUps.notices.wake();
    await until('it is asked', () => stops.length > 0);
    await Promise.all(stops);
    expect(asked).toEqual(['orders X,Y,Z']);
    expect(await waiting()).toHaveLength(1);
    expect(delays).toEqual([1000]);
  });

  it('goes on polling where the store fails', async () => {
    const { context, notify, poll, logged, waiting } = await setUp();
    const { leaseDue: leaseDueNotices } = context.store.notifications;
    context.store.notifications.leaseDue = async () => {
      context.store.notifications.leaseDue = leaseDueNotices;
      throw new StoreError('lost');
    };
    await notify({ trades: ['T-1'] });
    await poll();
    expect(logged('"poller":"notices"')).toHaveLength(1);
    await poll();
    expect(await waiting()).toHaveLength(1);
  });

  it('takes all that are due, a hundred at a time', async () => {
    const { notify, poll, waiting } = await setUp();
    for (let n = 0; n < 130; n++) await notify({ orders: ['X'], fields: { n: String(n) } });
    expect(await poll()).toEqual(['orders X', 'orders X']);
    expect(await waiting()).toHaveLength(60);
  });

  it('ends notifications over the limit without query or report', async () => {
    const { notify, poll, waiting, told, logged } = await setUp();
    for (let n = 0; n < 61; n++) await notify({ orders: ['X'] });
    await notify({ orders: ['Y'], verified: true });
    await poll();
    expect(await waiting()).toHaveLength(61);
    expect(logged('too many notifications')).toHaveLength(1);
    expect(await told()).toEqual([]);
  });

  it('goes on with other accounts where the store fails', async () => {
    const { context, notify, poll, logged, waiting } = await setUp();
    const { get: order } = context.store.orders;
    context.store.orders.get = async () => {
      throw new StoreError('lost');
    };
    await notify({ orders: ['X'] });
    await poll();
    expect(logged('poll failed')).toHaveLength(1);
    expect(logged('"poller":"notices"')).toHaveLength(1);
    context.store.orders.get = order;
    expect(await waiting()).toHaveLength(1);
  });

  it('does not report what a session already reported', async () => {
    const { notify, poll, told, pay, session, books, pass } = await setUp();
    await pay(session, approvedBy('T-1'));
    pass(MINUTE);
    books.records = [record('A', 'T-1', '3000')];
    await notify({ trades: ['T-1'] });
    await poll();
    expect(await told()).toEqual([]);
  });

  it('queries as rarely after a clock that was ahead', async () => {
    const { notify, poll, pass, delays, told } = await setUp();
    pass(30 * 24 * HOUR);
    await notify({ orders: ['not ours'] });
    pass(-30 * 24 * HOUR);
    for (let polls = 0; polls < 5; polls++, pass(delays.at(-1) ?? 0)) await poll();
    expect(delays).toEqual([5000, 55_000, 540_000, 3_000_000]);
    expect(await told()).toHaveLength(1);
  });
});
