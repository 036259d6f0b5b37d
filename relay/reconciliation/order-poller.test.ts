import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DAY, HOUR, lost, MINUTE, record, SECOND, setUpResolving } from '../../test/support/payments/resolving.ts';
import { until } from '../../test/support/time/until.ts';
import { StoreError } from '../base/errors.ts';
import { leaseOf } from '../context/context.ts';
import type { CallResult } from '../gateway/call.ts';
import { createPoller, startPoller } from './order-poller.ts';
import { noteBegun } from './send-window.ts';

const failed: CallResult = { kind: 'unusable', fault: 'connection_lost', evidence: {} };

async function setUp(config: object = {}) {
  const relay = await setUpResolving(config);
  const { context, queries } = relay;
  const gateway: { failure?: CallResult | undefined; hold?: Promise<unknown>; asked?(): void } = {};
  const { call } = context;
  context.call = async (...asked) => {
    const called = await call(...asked);
    gateway.asked?.();
    await gateway.hold;
    return gateway.failure ?? called;
  };
  // By how much the clock was set.
  const clock = { step: 0 };
  const { monotonic } = context;
  context.monotonic = () => monotonic() - clock.step;
  const poller = createPoller(context);
  const kept: string[] = [];
  const { renewLeases: keepOrders } = context.store.orders;
  context.store.orders.renewLeases = (orders, lease) => {
    kept.push(orders.map(({ account, order_no }) => `${account} ${order_no}`).join());
    return keepOrders(orders, lease);
  };
  return {
    ...{ ...relay, gateway, poller, kept },
    setClock: (ms: number) => {
      clock.step += ms;
      relay.pass(ms);
    },
    /** One poll; gives the orders of its queries. */
    async poll() {
      const from = queries.length;
      await poller.poll();
      await poller.idle();
      return queries.slice(from);
    },
    async lostPayments(...names: string[]) {
      for (const name of names) await relay.pay(await relay.session(name), lost);
    },
  };
}

describe('a poll', () => {
  it('queries all due orders together', async () => {
    const { context, lostPayments, poll, pass, books, orderOf, session } = await setUp();
    await lostPayments('A', 'B');
    await session('C');
    expect(await poll()).toEqual([]);
    pass(2 * SECOND);
    books.records = [record('A', 'T-1', '3000')];
    const leasing = vi.spyOn(context.store.orders, 'leaseDue');
    expect(await poll()).toEqual([['A', 'B']]);
    // No more than these are due.
    expect(leasing).toHaveBeenCalledOnce();
    const order = await orderOf(await session('B-2'));
    expect(order.attempts).toEqual([]);
    expect(await poll()).toEqual([]);
  });

  it('queries no order again within two seconds', async () => {
    const { context, lostPayments, poll, pass } = await setUp();
    await lostPayments('A');
    pass(2 * SECOND);
    expect(await poll()).toEqual([['A']]);
    const order = await context.store.orders.get('demo', 'A');
    const at = context.now().toISOString();
    const notification = {
      kind: 'payment',
      subject: order.sessions[0]?.id ?? '',
      account: 'demo',
      fields: {},
    } as const;
    await context.store.notifications.add({ ...notification, bytes: 1, sha256: 'x', received_at: at });
    pass(SECOND);
    expect(await poll()).toEqual([]);
    pass(SECOND);
    expect(await poll()).toEqual([['A']]);
  });

  it('closes sessions whose time is over', async () => {
    const { session, poll, pass, stored } = await setUp();
    const [one, other] = [await session('A', { expires_in: 3600 }), await session('B', { expires_in: 86_400 })];
    pass(HOUR - 1);
    await poll();
    expect(await stored(one.id)).toMatchObject({ state: { status: 'open' } });
    pass(1);
    await poll();
    expect(await stored(one.id)).toMatchObject({ state: { status: 'expired' } });
    expect(await stored(other.id)).toMatchObject({ state: { status: 'open' } });
  });

  it('reports a clock that was set', async () => {
    const { poll, setClock, logged } = await setUp();
    await poll();
    setClock(HOUR);
    await poll();
    expect(logged('clock was set')).toEqual([expect.stringContaining('"ms":3600000')]);
  });

  it('queries an order apart after it made queries fail', async () => {
    const { context, gateway, lostPayments, poll, pass, kept } = await setUp();
    await lostPayments('A');
    pass(2 * SECOND);
    gateway.failure = { kind: 'refused', status: 400, evidence: {} };
    await poll();
    expect(await context.store.orders.get('demo', 'A')).toMatchObject({ queries: { apart: true } });
    pass(2 * SECOND);
    expect(await poll()).toEqual([['A']]);
    gateway.failure = undefined;
    await lostPayments('B', 'C');
    pass(10 * SECOND);
    kept.length = 0;
    expect(await poll()).toEqual([['B', 'C'], ['A']]);
    expect(kept).toEqual(['demo A']);
    expect((await context.store.orders.get('demo', 'A')).queries).not.toHaveProperty('apart');
  });

  it('goes on after a failure of the store, which is logged', async () => {
    const { context, lostPayments, poll, pass, logged } = await setUp();
    await lostPayments('A');
    pass(2 * SECOND);
    const { getMany: orders } = context.store.orders;
    context.store.orders.getMany = async () => {
      throw new StoreError('lost');
    };
    await poll();
    expect(logged('"poller":"reconciliation"')).toHaveLength(1);
    context.store.orders.getMany = orders;
    pass(DAY);
    expect(await poll()).toEqual([['A']]);
  });
});

it('due orders stay leased while others are queried', async () => {
  const { gateway, lostPayments, poll, pass, kept } = await setUp();
  await lostPayments('A');
  pass(2 * SECOND);
  gateway.failure = { kind: 'refused', status: 400, evidence: {} };
  await poll();
  await lostPayments('B', 'C');
  pass(2 * SECOND);
  kept.length = 0;
  expect(await poll()).toEqual([['B', 'C'], ['B'], ['C'], ['A']]);
  expect(kept).toEqual(['demo B,demo C,demo A', 'demo C,demo A', 'demo A']);
});

describe('a gateway that fails', () => {
  it('is left alone ever longer, up to a minute, until it answers', async () => {
    const { gateway, lostPayments, poll, pass } = await setUp();
    gateway.failure = failed;
    const pauses: number[] = [];
    for (let round = 0; round < 9; round++) {
      // Something new is always due.
      await lostPayments(`N${round}`);
      pass(2 * SECOND);
      let waited = 2;
      while ((await poll()).length === 0) {
        pass(SECOND);
        waited += 1;
      }
      pauses.push(waited);
    }
    expect(pauses).toEqual([2, 2, 2, 4, 8, 16, 32, 60, 60]);
    gateway.failure = undefined;
    pass(MINUTE);
    await poll();
    gateway.failure = failed;
    for (const name of ['M1', 'M2']) {
      await lostPayments(name);
      pass(2 * SECOND);
      expect((await poll()).length).toBe(1);
    }
  });

  it('because of one order is queried about the others', async () => {
    const { gateway, lostPayments, poll, pass } = await setUp({ resolve: { first_ms: 60_000 } });
    gateway.failure = { kind: 'refused', status: 400, evidence: {} };
    await lostPayments('A');
    pass(MINUTE);
    expect(await poll()).toEqual([['A']]);
    await lostPayments('B');
    gateway.failure = failed;
    pass(MINUTE);
    expect((await poll()).flat()).toContain('B');
    await lostPayments('C');
    pass(MINUTE - 1);
    expect(await poll()).toEqual([]);
  });

  it('keeps no other account waiting', async () => {
    const { context, gateway, poller, lostPayments, pass, queries } = await setUp();
    let answer = (): void => undefined;
    gateway.hold = new Promise<void>((done) => {
      answer = done;
    });
    await lostPayments('A');
    pass(2 * SECOND);
    await poller.poll();
    await until('it is asked', () => queries.length === 1);
    // While the account's query runs, no other one begins.
    await lostPayments('B');
    pass(2 * SECOND);
    await poller.poll();
    expect(queries).toEqual([['A']]);
    answer();
    await poller.idle();
    expect((await context.store.orders.get('demo', 'A')).queries.last).toMatchObject({ counted: true });
    pass(2 * SECOND);
    await poller.poll();
    await poller.idle();
    expect(queries.at(-1)).toContain('B');
  });
});

describe('many orders that are due', () => {
  const names = Array.from({ length: 130 }, (_, n) => `O${n}`);

  it('are queried a hundred at a time', async () => {
    const { lostPayments, poll, pass } = await setUp();
    await lostPayments(...names);
    pass(2 * SECOND);
    expect((await poll()).map(({ length }) => length)).toEqual([100, 30]);
  });

  it('wait where the gateway fails, or the relay stops', async () => {
    const { gateway, lostPayments, poller, poll, pass, queries } = await setUp();
    await lostPayments(...names);
    pass(2 * SECOND);
    gateway.failure = failed;
    expect((await poll()).map(({ length }) => length)).toEqual([100]);
    gateway.failure = undefined;
    pass(10 * MINUTE);
    const stopping = new AbortController();
    gateway.asked = () => stopping.abort();
    const before = queries.length;
    await poller.poll(stopping.signal);
    await poller.idle();
    expect(queries.slice(before).map(({ length }) => length)).toEqual([100]);
  });
});

describe('once the relay stops', () => {
  const timeout: CallResult = { kind: 'unusable', fault: 'timeout', evidence: {} };

  /** Orders whose queries time out. The relay stops while the query of this number runs. */
  async function stopAt(last: number) {
    const relay = await setUp();
    const { gateway, lostPayments, poller, pass, queries } = relay;
    await lostPayments('A', 'B', 'C', 'D');
    pass(2 * SECOND);
    gateway.failure = timeout;
    const stopping = new AbortController();
    gateway.asked = () => {
      if (queries.length === last) stopping.abort();
    };
    await poller.poll(stopping.signal);
    await poller.idle();
    return { ...relay, named: queries.map(({ length }) => length) };
  }

  it.each([
    [1, [4]],
    [2, [4, 1]],
  ])('a query that fails is not split further: %i', async (last, expected) => {
    const { context, named, pass, poll, gateway } = await stopAt(last);
    expect(named).toEqual(expected);
    for (const order_no of ['A', 'B', 'C', 'D']) {
      const { queries } = await context.store.orders.get('demo', order_no);
      expect(queries).toMatchObject({ failures: 1, last: { counted: false, fault: 'query_unanswered' } });
    }
    // They are free for the next relay.
    gateway.failure = undefined;
    pass(10 * SECOND);
    expect(await poll()).toEqual([['A', 'B', 'C', 'D']]);
  });

  it('orders that are queried apart are freed without a query', async () => {
    const { context, gateway, lostPayments, poller, poll, pass, queries } = await setUp();
    await lostPayments('A');
    pass(2 * SECOND);
    gateway.failure = { kind: 'refused', status: 400, evidence: {} };
    await poll();
    await lostPayments('B');
    pass(2 * SECOND);
    const stopping = new AbortController();
    gateway.asked = () => stopping.abort();
    await poller.poll(stopping.signal);
    await poller.idle();
    expect(queries).toEqual([['A'], ['B']]);
    expect(await context.store.orders.get('demo', 'A')).toMatchObject({ queries: { failures: 1, apart: true } });
    pass(2 * SECOND);
    expect((await poll()).flat()).toContain('A');
  });
});

describe('a payment in flight that is due', () => {
  it('becomes unknown once its relay is gone, and is queried', async () => {
    const { session, pay, poll, pass, truth, logged } = await setUp();
    const one = await session('A');
    await pay(one);
    pass(34_999);
    expect(await poll()).toEqual([]);
    expect(await truth(one)).toMatchObject({ status: 'processing' });
    pass(1);
    await poll();
    expect(await truth(one)).toMatchObject({ status: 'unknown', unknown: { reason: 'relay_stopped' } });
    expect(
      logged('payment left by a stopped relay; querying the gateway').map((line) => JSON.parse(line)),
    ).toMatchObject([{ session: one.id }]);
    pass(2 * SECOND);
    expect(await poll()).toEqual([['A']]);
  });

  it('that this process sends is left to it, and its order freed', async () => {
    const { context, session, pay, poll, setClock, truth, logged } = await setUp();
    const one = await session('A');
    const { id } = await pay(one);
    noteBegun(context, id);
    setClock(HOUR);
    await poll();
    expect(await truth(one)).toMatchObject({ status: 'processing' });
    expect(logged('relay stopped')).toEqual([]);
    const quiet = new Date(context.now().getTime() + SECOND).toISOString();
    const order = { account: 'demo', order_no: 'A' };
    expect(await context.store.orders.lease(order, leaseOf(context, 1), quiet)).toEqual({ kind: 'leased' });
  });

  it('that was not sent is left to be recorded so', async () => {
    const { context, session, pay, poll, pass, truth } = await setUp();
    const one = await session('A');
    const { id } = await pay(one);
    const unsent = { account: 'demo', order_no: 'A', session: one.id, attempt: id, started_at: '', quotas: [] };
    context.unsent.add({ unsent, since: 0, dueAt: 0 });
    pass(HOUR);
    await poll();
    expect(await truth(one)).toMatchObject({ status: 'processing' });
  });
});

it('the poller polls until stopped, and waits for its queries', async () => {
  const { context, gateway, lostPayments, pass, queries, truth, session, pay } = await setUp();
  let answer = (): void => undefined;
  gateway.hold = new Promise<void>((done) => {
    answer = done;
  });
  await lostPayments('B');
  const one = await session('A');
  await pay(one, lost);
  const poller = startPoller(context);
  onTestFinished(() => poller.stop());
  pass(2 * SECOND);
  context.wakeUps.reconciliation.wake();
  await until('the gateway is asked', () => queries.length === 1);
  let isStopped = false;
  const stopped = poller.stop().then(() => {
    isStopped = true;
  });
  await new Promise((done) => setImmediate(done));
  expect(isStopped).toBe(false);
  answer();
  await stopped;
  expect(await truth(one)).toMatchObject({ status: 'unknown', unknown: { queries: 1 } });
});
