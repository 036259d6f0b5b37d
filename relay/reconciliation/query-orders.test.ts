import { describe, expect, it } from 'vitest';
import { lost, MINUTE, record, SECOND, setUpResolving } from '../../test/support/payments/resolving.ts';
import type { CallResult } from '../gateway/call.ts';
import type { Session } from '../payments/session.ts';
import { createPoller } from './order-poller.ts';

const names = (count: number): string[] => Array.from({ length: count }, (_, n) => `O${n}`);

const noSuccess = { return_status: '0', orders_list: [] };

/** A gateway that fails queries about some orders until it accepts them again, by default with a return_status that is no success. */
async function setUpRefusing(isRefused: (orderNo: string) => boolean, failure?: CallResult) {
  const relay = await setUpResolving();
  const { context, books, session, pay, queries } = relay;
  const { call } = context;
  let refuses = true;
  context.call = async (name, as, message, ...rest) => {
    const fails = refuses && String(message.orders).split(',').some(isRefused);
    books.change = fails ? noSuccess : {};
    const called = await call(name, as, message, ...rest);
    return fails && failure ? failure : called;
  };
  const poller = createPoller(context);
  return {
    ...relay,
    /** Payments of these orders whose answers were lost, and which the gateway approved. */
    async lostPayments(orderNos: readonly string[]): Promise<Session[]> {
      const sessions: Session[] = [];
      for (const orderNo of orderNos) sessions.push(await session(orderNo));
      for (const one of sessions) await pay(one, lost);
      books.records = [...books.records, ...orderNos.map((orderNo) => record(orderNo, `T-${orderNo}`, '3000'))];
      return sessions;
    },
    /** How many orders each query of one poll names. */
    async pollFor(): Promise<number[]> {
      const before = queries.length;
      await poller.poll();
      await poller.idle();
      return queries.slice(before).map((orders) => orders.length);
    },
    accept: () => {
      refuses = false;
    },
  };
}

describe('a query that is answered with no success', () => {
  it('is not halved where the gateway refuses every query', async () => {
    const { lostPayments, pollFor, pass, stored, accept } = await setUpRefusing(() => true);
    const sessions = await lostPayments(names(100));
    pass(2 * SECOND);
    expect(await pollFor()).toEqual([100, 1, 1]);
    for (const { id } of sessions) {
      const { state } = await stored(id);
      expect(state).toMatchObject({ search: { looks: 1, last_look: { found: 'query_refused' } } });
    }
    accept();
    pass(MINUTE);
    expect(await pollFor()).toEqual([100]);
    for (const { id } of sessions) expect(await stored(id)).toMatchObject({ state: { status: 'approved' } });
  });

  it('lets all orders of the account wait, ever longer', async () => {
    const { lostPayments, pollFor, pass } = await setUpRefusing(() => true);
    await lostPayments(names(10));
    const rounds: [waited: number, queries: number][] = [];
    for (let round = 0; round < 6; round++) {
      let waited = 0;
      let named = await pollFor();
      for (; named.length === 0; named = await pollFor()) {
        pass(SECOND);
        waited += 1;
      }
      rounds.push([waited, named.length]);
      // A new order waits like the others. One that is due before them is asked about alone, and shortens no wait.
      await lostPayments([`new ${round}`]);
    }
    expect(rounds).toEqual([
      [1, 3],
      [1, 1],
      [1, 3],
      [2, 3],
      [4, 3],
      [8, 3],
    ]);
  });

  it.each(names(7))('is halved until the order at fault stands alone: %s', async (bad) => {
    const { lostPayments, pollFor, pass, truth } = await setUpRefusing((orderNo) => orderNo === bad);
    const sessions = await lostPayments(names(7));
    pass(2 * SECOND);
    expect((await pollFor()).length).toBeLessThanOrEqual(10);
    for (const one of sessions) {
      expect(await truth(one)).toMatchObject({ status: one.order_no === bad ? 'unknown' : 'approved' });
    }
  });

  it('is split into no more than twenty queries', async () => {
    const { lostPayments, pollFor, pass } = await setUpRefusing((orderNo) => orderNo !== 'first');
    await lostPayments(['first']);
    pass(2 * SECOND);
    expect(await pollFor()).toEqual([1]);
    // The gateway has just answered, so the content is at fault.
    await lostPayments(names(100));
    pass(2 * SECOND);
    const named = await pollFor();
    expect(named.length).toBeGreaterThan(15);
    expect(named.length).toBeLessThanOrEqual(20);
  });

  it('keeps no other order unknown, though several are at fault', async () => {
    const bad = new Set(names(40).filter((_, n) => n % 7 === 0));
    const { lostPayments, pollFor, pass, truth } = await setUpRefusing((orderNo) => bad.has(orderNo));
    const sessions = await lostPayments(names(40));
    for (let seconds = 0; seconds < 20; seconds++) {
      // No clock ticks in whole seconds.
      pass(SECOND + 7);
      await pollFor();
    }
    for (const one of sessions) {
      expect(await truth(one)).toMatchObject({ status: bad.has(one.order_no) ? 'unknown' : 'approved' });
    }
  });

  it('lets an order that is queried alone back off alone', async () => {
    const { lostPayments, pollFor, pass, truth } = await setUpRefusing((orderNo) => orderNo === 'A');
    await lostPayments(['A']);
    pass(2 * SECOND);
    expect(await pollFor()).toEqual([1]);
    const [other] = await lostPayments(['B']);
    pass(SECOND);
    expect(await pollFor()).toEqual([1]);
    if (other) expect(await truth(other)).toMatchObject({ status: 'approved' });
  });
});

/** Lets each call take 90 seconds by the monotonic clock. The gateway answered this long before the first one. */
function answerSlowly({ context }: Awaited<ReturnType<typeof setUpRefusing>>, msBefore: number): void {
  let time = context.monotonic();
  const { call } = context;
  context.monotonic = () => time;
  context.lastAnswers.query.set('demo', time - msBefore);
  context.call = (...asked) => {
    time += 90 * SECOND;
    return call(...asked);
  };
}

const serverError: CallResult = { kind: 'unusable', fault: 'http_status', evidence: { http_status: 500 } };

const timeout: CallResult = { kind: 'unusable', fault: 'timeout', evidence: {} };

describe.each([
  ['is answered with no success', undefined],
  ['is answered with a 5xx', serverError],
  ['times out', timeout],
])('a query that %s late', (_, failure) => {
  it.each([
    ['halved', 'under a minute', 59_999, [8, 4]],
    ['asked apart', 'a minute', 60_000, [8, 1]],
  ])('is %s where the gateway answered %s before it', async (_how, _when, msBefore, expected) => {
    const relay = await setUpRefusing((orderNo) => orderNo === 'O3', failure);
    await relay.lostPayments(names(8));
    relay.pass(2 * SECOND);
    answerSlowly(relay, msBefore);
    expect((await relay.pollFor()).slice(0, 2)).toEqual(expected);
  });
});

describe.each([
  ['is answered with a 5xx', serverError],
  ['times out', timeout],
])('a query that %s', (_, failure) => {
  it.each(names(5))('keeps no other order unknown, though nothing else is asked: %s', async (bad) => {
    const { lostPayments, pollFor, pass, truth } = await setUpRefusing((orderNo) => orderNo === bad, failure);
    const sessions = await lostPayments(names(5));
    pass(2 * SECOND);
    expect((await pollFor()).length).toBeLessThanOrEqual(8);
    for (const one of sessions) {
      expect(await truth(one)).toMatchObject({ status: one.order_no === bad ? 'unknown' : 'approved' });
    }
  });

  it('finds the one order at fault among a hundred', async () => {
    const { lostPayments, pollFor, pass, truth } = await setUpRefusing((orderNo) => orderNo === 'O61', failure);
    const sessions = await lostPayments(names(100));
    pass(2 * SECOND);
    expect((await pollFor()).length).toBeLessThanOrEqual(20);
    for (const one of sessions) {
      expect(await truth(one)).toMatchObject({ status: one.order_no === 'O61' ? 'unknown' : 'approved' });
    }
  });

  it('lets all orders wait as one where the gateway is down', async () => {
    const { lostPayments, pollFor, pass, accept } = await setUpRefusing(() => true, failure);
    await lostPayments(names(100));
    pass(2 * SECOND);
    const rounds: number[][] = [];
    for (let seconds = 0; seconds < 30; seconds++, pass(SECOND)) rounds.push(await pollFor());
    const asked = rounds.filter((named) => named.length > 0);
    expect(asked.length).toBeLessThanOrEqual(5);
    for (const named of asked) expect(named).toEqual([100, 1, 1]);
    accept();
    pass(MINUTE);
    expect(await pollFor()).toEqual([100]);
  });

  it('is not split a minute after an answer, despite clock steps', async () => {
    let isDown = false;
    const { context, lostPayments, pollFor, pass } = await setUpRefusing(() => isDown, failure);
    await lostPayments(names(8));
    pass(2 * SECOND);
    await pollFor();
    isDown = true;
    const answered = context.monotonic();
    context.monotonic = () => answered + 2 * MINUTE;
    pass(-60 * MINUTE);
    await lostPayments(names(16).slice(8));
    pass(2 * SECOND);
    // Those that were planned by the clock before are due, too.
    expect(await pollFor()).toEqual([16, 1, 1]);
  });

  it('is not repeated for an order that was found at fault', async () => {
    const { lostPayments, pollFor, pass } = await setUpRefusing((orderNo) => orderNo === 'O3', failure);
    await lostPayments(names(8));
    pass(2 * SECOND);
    await pollFor();
    await lostPayments(names(16).slice(8));
    pass(10 * SECOND);
    expect(await pollFor()).toEqual([8, 1]);
  });

  it('is split for one search of an account’s orders at a time', async () => {
    const { context, lostPayments, pollFor, pass } = await setUpRefusing((orderNo) => orderNo === 'O3', failure);
    await lostPayments(names(8));
    context.splitQueries.add('demo orders');
    pass(2 * SECOND);
    expect(await pollFor()).toEqual([8]);
    context.splitQueries.clear();
    context.splitQueries.add('demo trades');
    pass(MINUTE);
    expect((await pollFor()).length).toBeGreaterThan(4);
    expect([...context.splitQueries]).toEqual(['demo trades']);
  });
});
