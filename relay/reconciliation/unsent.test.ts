import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { unknownRefund } from '../../test/support/payments/operations.ts';
import { MINUTE, SECOND, setUpResolving } from '../../test/support/payments/resolving.ts';
import { until } from '../../test/support/time/until.ts';
import { StoreError } from '../base/errors.ts';
import type { UnsentAttempt, UnsentWork } from '../context/context.ts';
import type { OperationState } from '../payments/operations/operation.ts';
import { attemptOf } from '../payments/order.ts';
import { releaseKeys } from './late-writes.ts';
import { beginBeforeSending, isUnsent, recordUnsent, startUnsentPoller } from './unsent.ts';

const fails = (error: Error) => async (): Promise<never> => {
  throw error;
};

/** A relay with a payment in flight that was not sent, counted by a quota. */
async function setUp() {
  const relay = await setUpResolving();
  const { context } = relay;
  const session = await relay.session('A');
  const attempt = await relay.pay(session);
  const quotas = [{ name: 'ip', key: 'ip', max: 1, window_ms: 3_600_000 }] as const;
  await context.store.quotas.count(quotas, attempt.started_at);
  const unsent: UnsentAttempt = {
    ...{ account: 'demo', order_no: 'A', session: session.id, attempt: attempt.id },
    ...{ started_at: attempt.started_at, quotas },
  };
  const remember = (one: UnsentWork = unsent) =>
    expect(beginBeforeSending(context, one, fails(new StoreError('lost')))).rejects.toThrow('lost');
  return {
    ...{ ...relay, session, attempt, unsent, remember },
    state: async () => attemptOf(await relay.orderOf(session), attempt.id).state,
    limited: () => context.store.quotas.check(quotas, context.now().toISOString()),
  };
}

const operation = (id: string): UnsentWork => ({ operation: id });

describe('what is begun before it is sent', () => {
  it('is being sent from then on, and gives what was begun', async () => {
    const { context } = await setUpResolving();
    const begun = await beginBeforeSending(context, operation('op_1'), async () => context.begunLately.has('op_1'));
    expect(begun).toBe(true);
    expect(context.unsent.size).toBe(0);
  });

  it('is remembered where the store may have it, and logged', async () => {
    const { context, remember, unsent, attempt, session, logged } = await setUp();
    await remember();
    expect([...context.unsent]).toEqual([{ unsent, since: context.now().getTime(), dueAt: context.now().getTime() }]);
    expect(isUnsent(context, attempt.id)).toBe(true);
    expect(isUnsent(context, session.id)).toBe(false);
    expect(logged('store failed, so this was not sent').map((line) => JSON.parse(line))).toMatchObject([
      { session: session.id, attempt: attempt.id, msg: 'store failed, so this was not sent' },
    ]);
  });

  it.each([new StoreError('full', { wroteNothing: true }), new TypeError('a fault')])(
    'is not remembered where the store cannot have it: %s',
    async (error) => {
      const { context } = await setUpResolving();
      await expect(beginBeforeSending(context, operation('op_1'), fails(error))).rejects.toThrow(error);
      expect(context.unsent.size).toBe(0);
    },
  );

  it('is remembered up to a thousand times', async () => {
    const { context, remember, logged } = await setUp();
    for (let n = 0; n < 1000; n++) context.unsent.add({ unsent: operation(`op_${n}`), since: 0, dueAt: 0 });
    await remember(operation('op_x'));
    expect(context.unsent.size).toBe(1000);
    expect(logged('too many unsent operations').map((line) => JSON.parse(line))).toMatchObject([
      {
        ...{ operation: 'op_x', level: 'error' },
        msg: 'store failed, not sent; too many unsent operations to search for this one',
      },
    ]);
  });
});

describe('an attempt that was not sent', () => {
  it('is recorded so once the store shows it, and not counted', async () => {
    const { context, remember, state, limited, logged, stored, session } = await setUp();
    expect(await limited()).toMatchObject({ kind: 'limited' });
    await remember();
    await recordUnsent(context);
    expect(await state()).toEqual({ status: 'not_sent' });
    expect(await stored(session.id)).toMatchObject({ state: { status: 'open' } });
    expect(await limited()).toBeUndefined();
    expect(context.unsent.size).toBe(0);
    expect(logged('recorded as not sent')).toHaveLength(1);
  });

  it('without quotas gives none back', async () => {
    const { context, remember, unsent, state, limited } = await setUp();
    await remember({ ...unsent, quotas: [] });
    await recordUnsent(context);
    expect(await state()).toEqual({ status: 'not_sent' });
    expect(await limited()).toMatchObject({ kind: 'limited' });
  });

  it('is left alone where it is known', async () => {
    const { context, remember, session, reconcile, state, pass, poll, logged } = await setUp();
    pass(MINUTE);
    await poll();
    await reconcile(session);
    expect(await state()).toMatchObject({ status: 'unknown' });
    await remember();
    await recordUnsent(context);
    // What is only unknown is known to be not sent.
    expect(await state()).toEqual({ status: 'not_sent' });
    await remember();
    await recordUnsent(context);
    expect(context.unsent.size).toBe(0);
    expect(logged('recorded as not sent')).toHaveLength(1);
  });

  it('is looked for again while the store does not show it', async () => {
    const { context, remember, unsent, pass, logged } = await setUp();
    await remember({ ...unsent, attempt: 'at_x' });
    const waits: number[] = [];
    for (const ms of [0, 249, 1, 20 * SECOND, 10 * MINUTE, 86_400_000]) {
      pass(ms);
      await recordUnsent(context);
      for (const { dueAt } of context.unsent) waits.push(dueAt - context.now().getTime());
    }
    expect(waits).toEqual([250, 1, 250, 1012.5, 4500]);
    expect(logged('no longer looked for').map((line) => JSON.parse(line))).toMatchObject([
      { attempt: 'at_x', msg: 'not in the store after a day, no longer looked for' },
    ]);
  });

  it.each([-2, 2])('is looked for where the clock is set by %i days', async (days) => {
    const { context, remember, unsent, state, pass } = await setUp();
    await remember({ ...unsent, attempt: 'at_x' });
    await recordUnsent(context);
    const { now } = context;
    context.now = () => new Date(now().getTime() + days * 86_400_000);
    pass(250);
    await recordUnsent(context);
    expect(context.unsent.size).toBe(1);
    await remember();
    await recordUnsent(context);
    expect(await state()).toEqual({ status: 'not_sent' });
  });
});

it('records an operation as not sent unless its outcome is known', async () => {
  const { context } = await setUpResolving();
  const known: OperationState = { status: 'answered', answer: {}, items: ['succeeded'] };
  const unknown: OperationState = { status: 'unknown', reason: 'relay_stopped', since: '', evidence: {} };
  for (const [id, state] of Object.entries({ op_1: known, op_2: unknown, op_3: { status: 'in_flight' } as const })) {
    await context.store.operations.begin(unknownRefund({ id, version: 1, name: 'capture', state }), []);
    context.unsent.add({ unsent: operation(id), since: 0, dueAt: 0 });
  }
  await recordUnsent(context);
  const states = ['op_1', 'op_2', 'op_3'].map(async (id) => (await context.store.operations.get(id))?.state.status);
  expect(await Promise.all(states)).toEqual(['answered', 'not_sent', 'not_sent']);
  expect(context.unsent.size).toBe(0);
});

describe('one search', () => {
  /** So many that the store does not show, of which the last was due first. */
  async function waiting(count: number) {
    const { context } = await setUpResolving();
    const looked: string[] = [];
    context.store.operations.get = async (id) => {
      looked.push(id);
      return undefined;
    };
    const now = context.now().getTime();
    for (let n = 0; n < count; n++) context.unsent.add({ unsent: operation(`op_${n}`), since: now, dueAt: now - n });
    return { context, looked };
  }

  it('is at a hundred, those that are due longest first', async () => {
    const { context, looked } = await waiting(101);
    await recordUnsent(context);
    expect(looked).toEqual(Array.from({ length: 100 }, (_, n) => `op_${100 - n}`));
    await recordUnsent(context);
    expect(looked.at(-1)).toBe('op_0');
    expect(looked).toHaveLength(101);
  });

  it('is at eight at once, and at no more once one failed', async () => {
    const { context } = await waiting(20);
    const running: PromiseWithResolvers<undefined>[] = [];
    context.store.operations.get = () => {
      const look = Promise.withResolvers<undefined>();
      running.push(look);
      return look.promise;
    };
    let isOver = false;
    const recording = recordUnsent(context).finally(() => {
      isOver = true;
    });
    recording.catch(() => undefined);
    await until('it looks', () => running.length > 0);
    await new Promise((done) => setImmediate(done));
    expect(running).toHaveLength(8);
    running[0]?.resolve(undefined);
    await until('it looks on', () => running.length === 9);
    running[1]?.reject(new StoreError('lost'));
    await new Promise((done) => setImmediate(done));
    expect([running.length, isOver]).toEqual([9, false]);
    for (const look of running) look.resolve(undefined);
    await expect(recording).rejects.toThrow('lost');
    expect(running).toHaveLength(9);
  });

  it('is at as many as is said, until it is over', async () => {
    const { context, looked } = await waiting(30);
    await recordUnsent(context, () => looked.length >= 25, 100);
    expect(looked).toHaveLength(25);
  });

  it('that fails is made again in a second', async () => {
    const { context } = await waiting(1);
    context.store.operations.get = fails(new StoreError('lost'));
    await expect(recordUnsent(context)).rejects.toThrow('lost');
    for (const { dueAt } of context.unsent) expect(dueAt - context.now().getTime()).toBe(1000);
  });
});

describe('the poller of what was not sent', () => {
  /** The poller, and a store that fails as long as is said. */
  async function setUpPoller() {
    const relay = await setUp();
    const { context } = relay;
    const store = { looks: 0, isLost: true, clockReads: 0 };
    const { monotonic } = context;
    context.monotonic = () => {
      store.clockReads += 1;
      return monotonic();
    };
    const { release } = context.store.keys;
    context.keysToRelease.add({
      claim: { account: 'demo', route: 'r', key: 'k', fingerprint: 'f', claimed_at: context.now().toISOString() },
    });
    context.store.keys.release = async (claims) => {
      store.looks += 1;
      if (store.isLost) throw new StoreError('lost');
      return release(claims);
    };
    const poller = startUnsentPoller(context);
    onTestFinished(() => poller.stop());
    return { ...relay, poller, store };
  }

  it('searches until the store is there, and a second after it failed', async () => {
    const { remember, store, state, pass, logged } = await setUpPoller();
    await remember();
    await until('it looked', () => store.looks === 1);
    await until('that is logged', () => logged('"poller":"unsent"').length === 1);
    store.isLost = false;
    pass(999);
    const { clockReads } = store;
    await until('it polled twice', () => store.clockReads >= clockReads + 2);
    expect(store.looks).toBe(1);
    pass(1);
    await until('it is recorded', async () => (await state()).status === 'not_sent');
  });

  it('searches for a thousand within five seconds after a failure', async () => {
    const { context } = await setUpResolving();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    context.monotonic = () => Date.now();
    const looked = new Set<string>();
    let isLost = true;
    context.store.operations.get = async (id) => {
      await new Promise((done) => setTimeout(done, 5));
      if (isLost) throw new StoreError('lost');
      looked.add(id);
      return undefined;
    };
    const now = Date.now();
    for (let n = 0; n < 1000; n++) context.unsent.add({ unsent: operation(`op_${n}`), since: now, dueAt: now });
    const poller = startUnsentPoller(context);
    await vi.advanceTimersByTimeAsync(10);
    isLost = false;
    await vi.advanceTimersByTimeAsync(5000);
    expect(looked.size).toBe(1000);
    context.unsent.clear();
    const stopped = poller.stop();
    await vi.advanceTimersByTimeAsync(1000);
    await stopped;
  });

  it('searches once more for all when it stops', async () => {
    const { context, remember, store, state, poller } = await setUpPoller();
    await until('it looked', () => store.looks === 1);
    await remember();
    for (const one of context.unsent) one.dueAt = context.now().getTime() + 4000;
    store.isLost = false;
    await poller.stop();
    expect(await state()).toEqual({ status: 'not_sent' });
  });

  it('stops where the store fails or hangs', async () => {
    const failing = await setUpPoller();
    await until('it looked', () => failing.store.looks === 1);
    await failing.poller.stop();
    expect(failing.store.looks).toBe(2);
    expect(failing.logged('"poller":"unsent"')).toHaveLength(2);
    const hanging = await setUpPoller();
    await until('it looked', () => hanging.store.looks === 1);
    hanging.context.store.keys.release = () => new Promise(() => undefined);
    await hanging.poller.stop();
  });
});

describe('keys of requests that led to nothing', () => {
  const claims = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      ...{ account: 'demo', route: 'r', key: `k-${n}`, fingerprint: 'f', claimed_at: '2026-03-01T12:00:00.000Z' },
    }));

  it('are given back, and again for five seconds', async () => {
    const { context, pass, logged } = await setUpResolving();
    const [claim] = claims(1);
    if (!claim) throw new Error('no claim');
    await context.store.keys.claim(claim, claim.claimed_at);
    context.keysToRelease.add({ claim });
    await releaseKeys(context);
    expect(context.keysToRelease.size).toBe(1);
    expect(await context.store.keys.claim(claim, '2026-01-01T00:00:00.000Z')).toEqual({ kind: 'claimed' });
    pass(4999);
    await releaseKeys(context);
    expect(context.keysToRelease.size).toBe(1);
    expect(logged('given back')).toEqual([]);
    pass(1);
    await releaseKeys(context);
    expect(context.keysToRelease.size).toBe(0);
    expect(logged('idempotency keys given back after the store failed').map((line) => JSON.parse(line))).toMatchObject([
      { count: 1 },
    ]);
  });

  it('are given back a thousand at a time', async () => {
    const { context, pass, logged } = await setUpResolving();
    const released: number[] = [];
    const { release } = context.store.keys;
    context.store.keys.release = async (some) => {
      released.push(some.length);
      return release(some);
    };
    await releaseKeys(context);
    expect(released).toEqual([]);
    for (const claim of claims(2001)) context.keysToRelease.add({ claim });
    await releaseKeys(context);
    expect(released).toEqual([1000, 1000, 1]);
    pass(5000);
    await releaseKeys(context);
    expect(context.keysToRelease.size).toBe(0);
    expect(JSON.parse(logged('given back')[0] ?? '{}')).toMatchObject({ count: 2001 });
  });
});
