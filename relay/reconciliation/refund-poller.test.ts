import { describe, expect, it, onTestFinished } from 'vitest';
import { unknownRefund } from '../../test/support/payments/operations.ts';
import { testContext } from '../../test/support/stores/context.ts';
import { until } from '../../test/support/time/until.ts';
import { StoreError } from '../base/errors.ts';
import { leaseOf } from '../context/context.ts';
import type { CallResult } from '../gateway/call.ts';
import type { StoredOperation } from '../payments/operations/operation.ts';
import { takeOverOperations } from './orphaned.ts';
import { startRefundPoller } from './refund-poller.ts';
import { noteBegun } from './send-window.ts';

const since = '2026-11-21T09:00:00.000Z';
const webhook = { url: 'https://shop.example/webhooks', secrets: [`whsec_${Buffer.alloc(24).toString('base64')}`] };
const lookup = { before: [], asked_at: since, looks: 0, since, next_look_at: since };
const orders = (...transactions: string[]) => ({
  refund_orders: transactions.map((transaction_id) => {
    return { transaction_id, currency: 'BRL', amount: '10.00', refund_amount: '1.00' };
  }),
});

/** A relay beside a gateway that has these refunds, and answers searches for a name that is `bad` otherwise. */
async function setUp(answer: { bad?: string; failure?: CallResult; found?: readonly string[] } = {}) {
  let time = Date.parse(since);
  const context = await testContext({ account: { webhook }, now: () => new Date(time) });
  const searches: string[] = [];
  context.call = async (_name, { merchant_id, account_id }, message) => {
    const [list, names] = Object.entries(message)[0] ?? ['', ''];
    const asked = String(names).split(',');
    searches.push(`${list} ${asked.length > 9 ? asked.length : names}`);
    if (answer.failure && (answer.bad === undefined || asked.includes(answer.bad))) return answer.failure;
    const refund_orders = asked
      .filter((name) => answer.found?.includes(name))
      .map((transaction_id) => {
        const item = { transaction_id, currency: 'BRL', refund_amount: '1.00', refund_status: '1' };
        return { ...item, refund_reference_id: `R-${transaction_id}` };
      });
    return {
      kind: 'answer',
      message: { merchant_id, account_id, return_status: '1', refund_orders },
      evidence: () => ({}),
    };
  };
  return {
    ...{ context, searches, answer },
    pass: (ms: number) => {
      time += ms;
    },
    refund: async (id: string, of: readonly string[], more: Partial<StoredOperation> = {}) => {
      const operation = unknownRefund({ id, version: 1, request: orders(...of), lookup, ...more });
      await context.store.operations.begin({ ...operation, state: { status: 'in_flight' } }, []);
      if (operation.state.status === 'in_flight') return operation;
      const written: StoredOperation = { ...operation, version: 2 };
      await context.store.operations.finish({ operation: written, events: [] });
      return written;
    },
    state: async (id: string) => (await context.store.operations.get(id))?.state.status,
    looks: async (id: string) => (await context.store.operations.get(id))?.lookup?.last_look?.found,
    logged: (text: string) => context.logLines.filter((line) => line.includes(text)).map((line) => JSON.parse(line)),
    /** Starts the poller, and stops it once this is true. */
    pollUntil: async (isTrue: () => boolean | Promise<boolean>) => {
      const poller = startRefundPoller(context);
      onTestFinished(() => poller.stop());
      await until('it polled', isTrue);
      await poller.stop();
    },
  };
}

describe('the poller of refunds', () => {
  it('asks for all that are due in one search, each name once', async () => {
    const { refund, searches, state, pollUntil, looks } = await setUp({ found: ['T-1', 'T-2'] });
    await refund('op_1', ['T-1']);
    await refund('op_2', ['T-2']);
    await refund('op_3', ['T-3', 'T-3']);
    await refund('op_4', ['T-4'], { lookup: { ...lookup, next_look_at: '2026-11-21T09:00:00.001Z' } });
    await pollUntil(async () => (await looks('op_3')) !== undefined);
    expect(searches).toEqual(['refund_orders T-1,T-2,T-3']);
    expect([await state('op_1'), await state('op_2'), await state('op_3')]).toEqual(['settled', 'settled', 'unknown']);
    expect([await looks('op_3'), await looks('op_4')]).toEqual(['absent', undefined]);
  });

  it('asks for what has names in its answer by these, apart', async () => {
    const { refund, searches, pollUntil } = await setUp();
    await refund('op_1', ['T-1']);
    const request = orders('T-2');
    const results = request.refund_orders.map((item) => ({ ...item, refund_reference_id: 'R-2', refund_status: '7' }));
    const answer = { refund_orders: results };
    await refund('op_2', ['T-2'], { state: { status: 'answered', answer, items: ['unknown'] } });
    await pollUntil(() => searches.length === 2);
    expect(searches.toSorted()).toEqual(['refund_orders T-1', 'refund_references R-2']);
  });

  it('asks for at most a hundred names in one search', async () => {
    const { refund, searches, pollUntil } = await setUp();
    const names = (from: number, count: number) => Array.from({ length: count }, (_, n) => `T-${from + n}`);
    await refund('op_1', names(0, 50));
    await refund('op_2', names(50, 50));
    await refund('op_3', names(99, 2));
    await pollUntil(() => searches.length === 2);
    expect(searches).toEqual(['refund_orders 100', 'refund_orders T-99,T-100']);
  });

  it('says of what it cannot ask for that it cannot', async () => {
    const { refund, searches, pollUntil, looks } = await setUp();
    await refund('op_1', ['T,1']);
    await pollUntil(async () => (await looks('op_1')) !== undefined);
    expect(await looks('op_1')).toBe('search_refused');
    expect(searches).toEqual([]);
  });

  it.each<[string, CallResult, string]>([
    ['lost', { kind: 'unusable', fault: 'connection_lost', evidence: {} }, 'search_unanswered'],
    ['refused', { kind: 'refused', status: 403, evidence: {} }, 'search_refused'],
  ])('does not split a search that is %s', async (_, failure, found) => {
    const { refund, searches, pollUntil, looks } = await setUp({ failure });
    await refund('op_1', ['T-1']);
    await refund('op_2', ['T-2']);
    await pollUntil(async () => (await looks('op_2')) !== undefined);
    expect(searches).toEqual(['refund_orders T-1,T-2']);
    expect([await looks('op_1'), await looks('op_2')]).toEqual([found, found]);
  });

  it.each([0, 1, 2, 3, 4])('finds the refund at fault, wherever it begins: %i', async (ms) => {
    const failure: CallResult = { kind: 'refused', status: 400, evidence: {} };
    const { refund, searches, pollUntil, looks, pass } = await setUp({ failure, bad: 'T-3' });
    pass(ms);
    for (let n = 0; n < 5; n++) await refund(`op_${n}`, [`T-${n}`]);
    await pollUntil(async () => (await looks('op_3')) !== undefined && (await looks('op_0')) !== undefined);
    expect(searches.length).toBeLessThanOrEqual(7);
    // It is split at another place each time.
    expect(searches[0]).toBe(`refund_orders ${[0, 1, 2, 3, 4].map((n) => `T-${(n + ms) % 5}`).join(',')}`);
    for (const n of [0, 1, 2, 4]) expect(await looks(`op_${n}`)).toBe('absent');
    expect(await looks('op_3')).toBe('search_refused');
  });

  const timeout: CallResult = { kind: 'unusable', fault: 'timeout', evidence: {} };
  const unclear: [string, CallResult][] = [
    ['times out', timeout],
    ['is answered with a 5xx', { kind: 'unusable', fault: 'http_status', evidence: { http_status: 500 } }],
  ];
  const five = [0, 1, 2, 3, 4];

  it.each(unclear.flatMap(([how, failure]) => five.map((ms) => [how, ms, failure] as const)))(
    'settles all refunds but the one whose search %s: %i',
    async (_, ms, failure) => {
      const found = five.map((n) => `T-${n}`);
      const relay = await setUp({ failure, bad: 'T-3', found });
      const { context, refund, searches, pollUntil, looks, state, pass } = relay;
      pass(ms);
      for (const n of five) await refund(`op_${n}`, [`T-${n}`]);
      const isSearched = async (n: number) => (await context.store.operations.get(`op_${n}`))?.lookup?.looks === 1;
      await pollUntil(async () => (await Promise.all(five.map(isSearched))).every(Boolean));
      for (const n of five) expect(await state(`op_${n}`)).toBe(n === 3 ? 'unknown' : 'settled');
      expect(await looks('op_3')).toBe('search_unanswered');
      expect(searches.length).toBeLessThanOrEqual(8);
    },
  );

  it.each(unclear)('searches thrice where each search %s', async (_, failure) => {
    const { refund, searches, pollUntil, looks } = await setUp({ failure });
    for (const n of five) await refund(`op_${n}`, [`T-${n}`]);
    await pollUntil(async () => (await Promise.all(five.map((n) => looks(`op_${n}`)))).every(Boolean));
    expect(searches).toEqual(['refund_orders T-0,T-1,T-2,T-3,T-4', 'refund_orders T-0', 'refund_orders T-3']);
    for (const n of five) expect(await looks(`op_${n}`)).toBe('search_unanswered');
  });

  it('keeps refunds that wait while searches of others time out', async () => {
    const { context, refund, pollUntil, looks, pass } = await setUp();
    const { timeout_ms } = context.config.gateway;
    const { call } = context;
    const taken: string[] = [];
    const limits: unknown[] = [];
    context.call = async (name, as, message, own, onceWithinMs) => {
      limits.push(onceWithinMs);
      if (!String(message.refund_orders).includes('T-3')) return call(name, as, message, own);
      pass(timeout_ms);
      const leased = await context.store.operations.leaseDue(leaseOf(context, 100), ['demo']);
      // A refund that a search changed may be due again.
      taken.push(...leased.filter(({ lookup }) => lookup?.looks === 0).map(({ id }) => id));
      return timeout;
    };
    for (const n of five) await refund(`op_${n}`, [`T-${n}`]);
    // Of another list, and searched for last.
    const request = orders('T-9');
    const results = request.refund_orders.map((item) => ({ ...item, refund_reference_id: 'R-9', refund_status: '7' }));
    const state = { status: 'answered', answer: { refund_orders: results }, items: ['unknown'] } as const;
    await refund('op_9', ['T-9'], { state: { ...state, items: ['unknown'] } });
    await pollUntil(async () => (await looks('op_3')) !== undefined && (await looks('op_9')) !== undefined);
    expect(taken).toEqual([]);
    for (const n of [0, 1, 2, 4]) expect(await looks(`op_${n}`)).toBe('absent');
    // A part is sent once.
    expect(limits.slice(0, 2)).toEqual([undefined, timeout_ms]);
  });

  it('keeps nothing if one search shows all', async () => {
    const { context, refund, pollUntil, looks } = await setUp();
    let kept = 0;
    context.store.operations.renewLeases = async () => {
      kept += 1;
    };
    await refund('op_1', ['T-1']);
    await pollUntil(async () => (await looks('op_1')) !== undefined);
    expect(kept).toBe(0);
  });

  it('splits a search into forty at the most', async () => {
    const { refund, searches, pollUntil, looks } = await setUp({
      failure: { kind: 'refused', status: 400, evidence: {} },
    });
    for (let n = 0; n < 60; n++) await refund(`op_${n}`, [`T-${n}`]);
    const done = async () => (await Promise.all(Array.from({ length: 60 }, (_, n) => looks(`op_${n}`)))).every(Boolean);
    await pollUntil(done);
    expect(searches).toHaveLength(39);
  });

  it('begins no search once it stops', async () => {
    const { context, refund, searches } = await setUp();
    const names = (from: number) => Array.from({ length: 60 }, (_, n) => `T-${from + n}`);
    await refund('op_1', names(0));
    await refund('op_2', names(60));
    const { call } = context;
    const stops: Promise<void>[] = [];
    const poller = startRefundPoller({
      ...context,
      call: (...asked) => {
        stops.push(poller.stop());
        return call(...asked);
      },
    });
    await until('it is stopped', () => stops.length > 0);
    await Promise.all(stops);
    expect(searches).toEqual(['refund_orders 60']);
  });

  it('begins no search once its lease is over', async () => {
    const { context, refund, searches, pollUntil, pass } = await setUp();
    const names = (from: number) => Array.from({ length: 60 }, (_, n) => `T-${from + n}`);
    await refund('op_1', names(0));
    await refund('op_2', names(60));
    const { call } = context;
    context.call = (...asked) => {
      pass(context.config.gateway.timeout_ms + 30_000);
      return call(...asked);
    };
    let polls = 0;
    const { leaseDue: leaseDueOperations } = context.store.operations;
    context.store.operations.leaseDue = async (...asked) => {
      polls += 1;
      return polls > 1 ? [] : leaseDueOperations(...asked);
    };
    await pollUntil(() => polls > 1);
    expect(searches).toEqual(['refund_orders 60']);
  });

  it('goes on with other accounts and polls where the store fails', async () => {
    const { context, refund, pollUntil, logged, state, pass } = await setUp({ found: ['T-1'] });
    await refund('op_1', ['T-1']);
    const { refundsOf } = context.store.operations;
    context.store.operations.refundsOf = async () => {
      context.store.operations.refundsOf = refundsOf;
      throw new StoreError('lost');
    };
    await pollUntil(async () => {
      // The lease ends.
      if (logged('poll failed').length > 0) pass(60_000);
      return (await state('op_1')) === 'settled';
    });
    expect(logged('poll failed')).toMatchObject([{ poller: 'refunds', level: 'error' }]);
  });
});

it('the poller of refunds takes operations over while a search runs', async () => {
  const { context, refund, state, pass } = await setUp({ found: ['T-1'] });
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { call } = context;
  context.call = async (...message) => {
    asked.resolve();
    await answered.promise;
    return call(...message);
  };
  await refund('op_1', ['T-1']);
  await refund('op_2', [], { name: 'capture', state: { status: 'in_flight' }, created_at: since });
  const poller = startRefundPoller(context);
  onTestFinished(() => poller.stop());
  await asked.promise;
  pass(35_000);
  await until('the capture is taken over', async () => (await state('op_2')) === 'unknown');
  expect(await state('op_1')).toBe('unknown');
  answered.resolve();
  await until('the refund is found', async () => (await state('op_1')) === 'settled');
});

it('the poller of refunds goes on where the store fails', async () => {
  const { context, refund, pollUntil, logged, looks } = await setUp();
  await refund('op_1', ['T-1']);
  const { leaseOrphaned: leaseOrphanedOperations } = context.store.operations;
  context.store.operations.leaseOrphaned = async () => {
    context.store.operations.leaseOrphaned = leaseOrphanedOperations;
    throw new StoreError('lost');
  };
  await pollUntil(async () => (await looks('op_1')) !== undefined);
  expect(logged('poll failed')).toMatchObject([{ poller: 'refunds' }]);
});

describe('an operation whose relay is gone', () => {
  const inFlight = { state: { status: 'in_flight' }, created_at: since } as const;

  it('becomes unknown, and is reported; a refund is searched for', async () => {
    const { context, refund, pass, logged } = await setUp();
    await refund('op_1', ['T-1'], { ...inFlight, lookup: { before: [], asked_at: since, looks: 0 } });
    await refund('op_2', [], { ...inFlight, name: 'capture' });
    pass(34_999);
    await takeOverOperations(context);
    expect(await context.store.operations.get('op_1')).toMatchObject({ state: { status: 'in_flight' } });
    pass(1);
    await takeOverOperations(context);
    const now = context.now();
    expect(await context.store.operations.get('op_1')).toMatchObject({
      version: 2,
      state: { status: 'unknown', reason: 'relay_stopped', since: now.toISOString(), evidence: {} },
      lookup: { since: now.toISOString(), next_look_at: new Date(now.getTime() + 1000).toISOString() },
    });
    expect(await context.store.operations.get('op_2')).toMatchObject({ state: { reason: 'relay_stopped' } });
    const events = await context.store.outbox.list({ account: 'demo', limit: 9 });
    expect(events.map(({ type }) => type)).toEqual(['operation.unknown', 'operation.unknown']);
    expect(logged('a relay stopped while it sent this operation')).toMatchObject([
      { operation: 'op_1', name: 'refund' },
      { operation: 'op_2', name: 'capture' },
    ]);
  });

  it('is logged with the clock as the reason where that is wrong', async () => {
    const { context, refund, pass, logged } = await setUp();
    await refund('op_1', [], { ...inFlight, name: 'capture' });
    context.outages.failed('clock', 'CLOCK_SKEW');
    pass(35_000);
    await takeOverOperations(context);
    expect(logged('a relay stopped while it sent this operation')).toMatchObject([{ reason: 'CLOCK_SKEW' }]);
  });

  it('is left alone while this process sends it, or did not', async () => {
    const { context, refund, pass } = await setUp();
    const { monotonic } = context;
    await refund('op_1', [], { ...inFlight, name: 'capture' });
    await refund('op_2', [], { ...inFlight, name: 'capture' });
    await refund('op_3', [], { ...inFlight, name: 'capture' });
    noteBegun(context, 'op_1');
    context.unsent.add({ unsent: { operation: 'op_2' }, since: 0, dueAt: 0 });
    pass(60_000);
    context.monotonic = () => monotonic() - 60_000;
    await takeOverOperations(context);
    const states = ['op_1', 'op_2', 'op_3'].map(async (id) => (await context.store.operations.get(id))?.state.status);
    expect(await Promise.all(states)).toEqual(['in_flight', 'in_flight', 'unknown']);
  });

  it('is left alone where its answer comes meanwhile', async () => {
    const { context, refund, pass, logged } = await setUp();
    const operation = await refund('op_1', [], { ...inFlight, name: 'capture' });
    pass(60_000);
    const { leaseOrphaned: leaseOrphanedOperations } = context.store.operations;
    context.store.operations.leaseOrphaned = async (...asked) => {
      const leased = await leaseOrphanedOperations(...asked);
      const state = { status: 'answered', answer: {}, items: [] } as const;
      await context.store.operations.finish({
        operation: { ...operation, version: 2, state: { ...state, items: [] } },
        events: [],
      });
      return leased;
    };
    await takeOverOperations(context);
    expect(await context.store.operations.get('op_1')).toMatchObject({ state: { status: 'answered' } });
    expect(logged('a relay stopped')).toEqual([]);
  });

  it('is taken over by the poller', async () => {
    const { context, refund, pass, pollUntil, state } = await setUp();
    await refund('op_1', [], { ...inFlight, name: 'capture' });
    pass(60_000);
    await pollUntil(async () => (await state('op_1')) === 'unknown');
    expect(context.unsent.size).toBe(0);
  });
});
