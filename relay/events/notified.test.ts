import { describe, expect, it, onTestFinished } from 'vitest';
import { order } from '../../shared/checkout/session.ts';
import { testContext } from '../../test/support/context.ts';
import { keepTimers } from '../../test/support/timers.ts';
import { until } from '../../test/support/until.ts';
import type { Session } from '../checkout/session.ts';
import type { Context } from '../context.ts';
import type { Call } from '../gateway/call.ts';
import { GATHER_MS, lookAtNotified, PAUSE_MS, QUIET_MS, startNotified } from './notified.ts';

type Answer = 'counts' | 'refused' | 'lost';

const otherAccount = {
  id: 'other',
  merchant_id: '100002',
  account_id: '200002',
  name: 'other',
  signingSecret: 'another',
};

/** A context whose clock the test moves, and whose gateway counts the orders that each query asks for. */
async function setUp() {
  const clock = { ms: Date.parse('2026-03-01T12:00:00.000Z') };
  const gateway: { queries: string[][]; answer: Answer } = { queries: [], answer: 'counts' };
  const call: Call = async (name, { merchant_id, account_id }, message) => {
    if (name !== 'query') throw new Error(`${name} was called`);
    gateway.queries.push(String(message.orders).split(','));
    if (gateway.answer === 'lost') return { kind: 'unusable', fault: 'timeout', evidence: {} };
    const return_status = gateway.answer === 'counts' ? '1' : '0';
    return { kind: 'answer', message: { merchant_id, account_id, return_status, orders_list: [] }, evidence: {} };
  };
  const made = await testContext({ now: () => new Date(clock.ms) });
  const [demo] = made.config.accounts;
  if (!demo) throw new Error('no account');
  const other = { ...demo, ...otherAccount };
  const context: Context = { ...made, call, config: { ...made.config, accounts: [demo, other] } };
  onTestFinished(() => context.store.close());
  let bodies = 0;
  return {
    context,
    clock,
    gateway,
    notify: (id: string, at = clock.ms) =>
      context.store.addNotification({
        kind: 'payment',
        subject: id,
        account: 'demo',
        received_at: new Date(at).toISOString(),
        bytes: 2,
        sha256: String(bodies++),
        fields: {},
      }),
    session: async (id: string, account = 'demo'): Promise<Session> => {
      const session = openSession(id, account);
      await context.store.createSession(session);
      return session;
    },
    pass: (ms: number) => {
      clock.ms += ms;
    },
  };
}

function openSession(id: string, account: string): Session {
  return {
    id,
    account,
    order_no: `order ${id}`,
    created_at: '2026-03-01T11:00:00.000Z',
    expires_at: '2026-03-02T00:00:00.000Z',
    revision: 1,
    version: 1,
    terms: {
      order: order.parse({ order_no: `order ${id}`, currency: 'BRL', amount: '10.00' }),
      methods: [{ type: 'card' }],
      installment_options: [],
      saved_cards: [],
      collect: [],
    },
    state: { status: 'open' },
  };
}

const times = <Result>(count: number, make: (n: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

describe('sessions that the gateway notified of', () => {
  it('are asked about, up to a hundred in one query', async () => {
    const { context, gateway, notify, session } = await setUp();
    await times(250, async (n) => {
      await session(`cs_${n}`);
      await notify(`cs_${n}`);
    });
    expect([await lookAtNotified(context), await lookAtNotified(context)]).toEqual([100, 100]);
    expect([await lookAtNotified(context), await lookAtNotified(context)]).toEqual([50, 0]);
    expect(gateway.queries.map((orders) => orders.length)).toEqual([100, 100, 50]);
    expect(new Set(gateway.queries.flat()).size).toBe(250);
  });

  it('are asked about in a query of their own account', async () => {
    const { context, gateway, notify, session } = await setUp();
    await session('cs_1', 'demo');
    await session('cs_2', 'other');
    await notify('cs_1');
    await notify('cs_2');
    expect(await lookAtNotified(context)).toBe(2);
    expect(gateway.queries.toSorted()).toEqual([['order cs_1'], ['order cs_2']]);
  });

  it('are asked about once, however often they are notified of in five seconds, and then once more', async () => {
    const { context, gateway, notify, pass, session } = await setUp();
    await session('cs_1');
    for (let n = 0; n < 20; n++) {
      await notify('cs_1');
      await lookAtNotified(context);
      pass(10);
    }
    expect(gateway.queries).toHaveLength(1);
    pass(QUIET_MS);
    await lookAtNotified(context);
    await lookAtNotified(context);
    expect(gateway.queries).toHaveLength(2);
    pass(QUIET_MS);
    expect(await lookAtNotified(context)).toBe(0);
  });

  it('are asked about again for a notification that came while they were asked about', async () => {
    const { context, gateway, notify, pass, session } = await setUp();
    await session('cs_1');
    await notify('cs_1');
    const { call } = context;
    context.call = async (...asked) => {
      pass(50);
      await notify('cs_1');
      return call(...asked);
    };
    await lookAtNotified(context);
    context.call = call;
    pass(QUIET_MS);
    expect(await lookAtNotified(context)).toBe(1);
    expect(gateway.queries).toHaveLength(2);
  });

  it.each<Answer>(['refused', 'lost'])('wait for another query when theirs is %s', async (answer) => {
    const { context, gateway, notify, pass, session } = await setUp();
    await session('cs_1');
    await notify('cs_1');
    gateway.answer = answer;
    await lookAtNotified(context);
    pass(QUIET_MS);
    expect(await lookAtNotified(context)).toBe(0);
    gateway.answer = 'counts';
    pass(context.config.gateway.timeout_ms + 30_000);
    expect(await lookAtNotified(context)).toBe(1);
    expect(gateway.queries).toHaveLength(2);
  });

  it('of a relay that died are asked about by another when the lease runs out', async () => {
    const { context, gateway, notify, pass, session } = await setUp();
    await session('cs_1');
    await notify('cs_1');
    const { call } = context;
    const asked = Promise.withResolvers<void>();
    context.call = () => {
      asked.resolve();
      return new Promise(() => undefined);
    };
    void lookAtNotified(context);
    await asked.promise;
    context.call = call;
    pass(QUIET_MS);
    expect(await lookAtNotified(context)).toBe(0);
    pass(context.config.gateway.timeout_ms + 30_000);
    expect(await lookAtNotified(context)).toBe(1);
    expect(gateway.queries).toHaveLength(1);
  });

  it('are not asked about while they are being paid, and soon after that they are', async () => {
    const { context, gateway, notify, pass, session } = await setUp();
    const before = await session('cs_1');
    const processing: Session = { ...before, version: 2, state: { status: 'processing', attempt_id: 'at_1' } };
    expect(await context.store.update(processing, [])).toBe(true);
    await notify('cs_1');
    await lookAtNotified(context);
    expect(gateway.queries).toEqual([]);
    expect(await context.store.update({ ...before, version: 3 }, [])).toBe(true);
    pass(QUIET_MS);
    await lookAtNotified(context);
    expect(gateway.queries).toEqual([['order cs_1']]);
  });

  it('of one account are asked about when the query of another fails', async () => {
    const { context, gateway, notify, session } = await setUp();
    await session('cs_1', 'demo');
    await session('cs_2', 'other');
    await notify('cs_1');
    await notify('cs_2');
    const { call } = context;
    context.call = async (name, as, ...rest) => {
      if (as.account_id === otherAccount.account_id) throw new Error('no');
      return call(name, as, ...rest);
    };
    expect(await lookAtNotified(context)).toBe(2);
    expect(gateway.queries).toEqual([['order cs_1']]);
  });
});

describe('the round that looks at them', () => {
  it('begins as soon as the bell rings, and gathers what comes after that for the next', async () => {
    const { context, gateway, notify, session } = await setUp();
    await times(300, (n) => session(`cs_${n}`));
    const pauses = keepTimers(GATHER_MS);
    const rounds = startNotified(context);
    onTestFinished(() => rounds.stop());
    const ring = async (n: number) => {
      await notify(`cs_${n}`);
      context.notified.ring();
    };
    await turns();
    await ring(0);
    await until('the first query', () => gateway.queries.length === 1);
    for (let n = 1; n < 300; n++) {
      await ring(n);
      if (n % 30 === 0) await turns();
    }
    expect(gateway.queries).toHaveLength(1);
    pauses.release();
    // The three that come now have no pause between them.
    keepTimers(GATHER_MS);
    await until('all were asked about', () => new Set(gateway.queries.flat()).size === 300);
    expect(gateway.queries.map((orders) => orders.length)).toEqual([1, 100, 100, 99]);
  });

  it('goes on without a bell, for those that another relay was told of', async () => {
    const { context, gateway, notify, session } = await setUp();
    await session('cs_1');
    const pauses = keepTimers(PAUSE_MS);
    const rounds = startNotified(context);
    onTestFinished(() => rounds.stop());
    await turns();
    await notify('cs_1');
    await turns();
    expect(gateway.queries).toEqual([]);
    pauses.release();
    await until('it was asked about', () => gateway.queries.length === 1);
  });
});

/** Lets everything happen that waits for nothing but its turn. */
async function turns(): Promise<void> {
  for (let n = 0; n < 20; n++) await new Promise((later) => setImmediate(later));
}
