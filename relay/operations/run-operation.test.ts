import { describe, expect, it } from 'vitest';
import { silentAudit } from '../../test/support/relays/audit.ts';
import { testContext } from '../../test/support/stores/context.ts';
import { StoreError } from '../base/errors.ts';
import { accountOf, type Context } from '../context/context.ts';
import type { Use } from '../http/idempotency/idempotency.ts';
import { takeOverOperations } from '../reconciliation/orphaned.ts';
import { recordUnsent } from '../reconciliation/unsent.ts';
import { runOperation } from './run-operation.ts';

const payout = { request_id: '3c4a6f2e-0000-4000-8000-000000000001', payment_amount: '100', payment_currency: 'USD' };

/**
 * A relay whose store makes a payout durable after this delay, and calls `meanwhile` during it.
 * @param step the milliseconds by which its clock is set meanwhile
 */
async function slowBy(ms: number, meanwhile: (context: Context) => Promise<void> = async () => undefined, step = 0) {
  let time = Date.parse('2026-11-21T09:00:00.000Z');
  let set = 0;
  const context = { ...(await testContext({ now: () => new Date(time + set) })), monotonic: () => time };
  const sent: unknown[] = [];
  const call: Context['call'] = async (name) => {
    sent.push(name);
    return { kind: 'unusable', fault: 'timeout', evidence: {} };
  };
  const made: string[] = [];
  const begin: Context['store']['operations']['begin'] = async (operation, ...rest) => {
    const begun = await context.store.operations.begin(operation, ...rest);
    made.push(operation.id);
    time += ms;
    set = step;
    await meanwhile(context);
    return begun;
  };
  const slow: Context = {
    ...context,
    call,
    store: { ...context.store, operations: { ...context.store.operations, begin } },
  };
  const use: Use = {
    account: accountOf(context, 'demo'),
    by: 'server',
    person: undefined,
    key: undefined,
    answered: () => undefined,
    audit: silentAudit,
  };
  const run = () => runOperation(slow, 'payout', payout, use);
  const state = async () => (await context.store.operations.get(made.at(-1) ?? ''))?.state;
  return { run, sent, state, context };
}

it('an operation stored after four seconds is not sent, and repeatable', async () => {
  const { run, sent, state } = await slowBy(4001);
  for (let times = 0; times < 2; times++) {
    await expect(run()).rejects.toMatchObject({
      code: 'gateway_unreachable',
      message: 'The relay was delayed, so nothing was sent. Try again.',
    });
    expect(await state()).toMatchObject({ status: 'not_sent' });
  }
  expect(sent).toEqual([]);
});

it('one that took four seconds is sent', async () => {
  const { run, sent, context } = await slowBy(4000);
  await expect(run()).rejects.toMatchObject({ code: 'outcome_unknown' });
  expect(sent).toEqual(['payout']);
  expect(context.begunLately.size).toBe(0);
});

it('an operation is not sent late because the clock is set back', async () => {
  const { run, sent } = await slowBy(4001, undefined, -3_600_000);
  await expect(run()).rejects.toMatchObject({ code: 'gateway_unreachable' });
  expect(sent).toEqual([]);
});

it('an operation is not taken over while this relay sends it', async () => {
  for (const step of [3_600_000, -3_600_000]) {
    let during: string | undefined;
    const { run, state } = await slowBy(
      1000,
      async (context) => {
        await takeOverOperations(context);
        during = (await state())?.status;
      },
      step,
    );
    await expect(run()).rejects.toThrow();
    expect(during).toBe('in_flight');
  }
});

it('an operation that another relay took over is not sent', async () => {
  const { run, sent, state } = await slowBy(60_000, async (context) => {
    await takeOverOperations(context);
  });
  await expect(run()).rejects.toMatchObject({ code: 'gateway_unreachable' });
  expect(sent).toEqual([]);
  expect(await state()).toMatchObject({ status: 'not_sent' });
});

describe('an operation that the store keeps, though the write failed', () => {
  /** Begins a payout; `isVisible`: the store shows it already. */
  async function unheard(isVisible: () => boolean) {
    let time = Date.parse('2026-11-21T09:00:00.000Z');
    const context = await testContext({ now: () => new Date(time) });
    const ids: string[] = [];
    const store: Context['store'] = {
      ...context.store,
      operations: {
        ...context.store.operations,
        async begin(operation, ...rest) {
          await context.store.operations.begin(operation, ...rest);
          ids.push(operation.id);
          throw new StoreError('lost while it committed');
        },
        get: async (id) => (isVisible() ? context.store.operations.get(id) : undefined),
      },
    };
    const use = {
      ...{ account: accountOf(context, 'demo'), by: 'server', person: undefined },
      ...{ key: undefined, answered: () => undefined },
    };
    const losing: Context = { ...context, store };
    const run = runOperation(losing, 'payout', payout, { ...use, audit: silentAudit });
    await expect(run).rejects.toThrow('lost while it committed');
    const state = async () => (await context.store.operations.get(ids[0] ?? ''))?.state;
    const look = async (afterMs = 0) => {
      time += afterMs;
      await recordUnsent(losing);
    };
    return { context, state, look };
  }

  it('is recorded as not sent once the store shows it', async () => {
    let isVisible = false;
    const { context, state, look } = await unheard(() => isVisible);
    await look();
    expect(await state()).toMatchObject({ status: 'in_flight' });
    isVisible = true;
    await look(249);
    expect(await state()).toMatchObject({ status: 'in_flight' });
    await look(1);
    expect(await state()).toMatchObject({ status: 'not_sent' });
    expect(context.unsent.size).toBe(0);
  });

  it('is recorded after another relay’s takeover; its own leaves it alone', async () => {
    const { context, state, look } = await unheard(() => true);
    const later = (ms: number) => ({ ...context, now: () => new Date(context.now().getTime() + ms) });
    await takeOverOperations(later(60_000));
    expect(await state()).toMatchObject({ status: 'in_flight' });
    await takeOverOperations({ ...later(3_600_000), unsent: new Set(), begunLately: new Map() });
    expect(await state()).toMatchObject({ status: 'unknown' });
    await look();
    expect(await state()).toMatchObject({ status: 'not_sent' });
  });

  it('is looked for ever more rarely, for a day', async () => {
    const { context, look } = await unheard(() => false);
    const waits: number[] = [];
    for (const ms of [0, 10_000, 600_000, 86_400_000 - 610_000]) {
      await look(ms);
      for (const { dueAt } of context.unsent) waits.push(dueAt - context.now().getTime());
    }
    expect(waits).toEqual([250, 500, 4500, 4500]);
    await look(4500);
    expect(context.unsent.size).toBe(0);
  });

  it('keeps nothing of its message', async () => {
    const { context } = await unheard(() => false);
    expect([...context.unsent]).toEqual([
      { unsent: { operation: expect.stringMatching(/^op_/) }, since: expect.any(Number), dueAt: expect.any(Number) },
    ]);
  });
});
