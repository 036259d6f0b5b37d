import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { testContext } from '../../test/support/stores/context.ts';
import { startPostgres, type TestPostgres } from '../../test/support/stores/postgres.ts';
import { until } from '../../test/support/time/until.ts';
import { startHealthChecks } from './health-checks.ts';

async function watching(options: Parameters<typeof testContext>[0] = {}) {
  const context = await testContext(options);
  const begin = (): void => {
    const watch = startHealthChecks(context, { areFree: async () => true });
    onTestFinished(async () => {
      await watch.stop();
      await context.store.close();
    });
  };
  const logged = (message: string) => context.logLines.filter((line) => line.includes(`"msg":"${message}"`));
  const metric = async (name: string): Promise<number | undefined> =>
    (await context.metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value;
  return { context, begin, logged, metric };
}

describe('a clock', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.close());

  it('that differs from that of PostgreSQL is named until it agrees', async () => {
    const clock = { ahead: 3_600_000 };
    const { context, begin, logged, metric } = await watching({
      config: { store: await postgres.database() },
      now: () => new Date(Date.now() + clock.ahead),
    });
    begin();
    await until('it is named', () => logged('clock differs from the store’s').length === 1);
    expect(context.outages.lost()).toMatchObject([{ part: 'clock', code: 'CLOCK_SKEW' }]);
    expect(await metric('turnpike_store_clock_ahead_seconds')).toBeCloseTo(-3600, -2);
    clock.ahead = 0;
    await until('it agrees', () => logged('clock agrees with the store’s').length === 1);
    expect(context.outages.lost()).toEqual([]);
  });
});

describe('a disk', () => {
  it('that takes longer than a second is named until it is fast', async () => {
    const clock = { now: Date.now(), slow: true };
    const { context, begin, logged, metric } = await watching({ now: () => new Date(clock.now) });
    const { check } = context.store;
    context.store.check = async () => {
      await check();
      if (clock.slow) clock.now += 1001;
    };
    begin();
    await until('it is named', () => logged('disk of the store is slow').length === 1);
    expect(context.outages.lost()).toMatchObject([{ part: 'disk', code: 'SLOW_COMMIT' }]);
    expect(await metric('turnpike_store_check_seconds')).toBeCloseTo(1.001);
    clock.slow = false;
    await until('it is fast', () => logged('disk of the store is fast again').length === 1);
  });
});

it('a store that fails is lost once, and back once', async () => {
  const { context, begin, logged } = await watching();
  const { check } = context.store;
  context.store.check = async () => {
    throw new TypeError('4111111111111111');
  };
  begin();
  await until('it is lost', () => logged('store lost').length === 1);
  context.store.check = check;
  await until('it is back', () => logged('store is back').length === 1);
  expect(logged('store lost')).toEqual([expect.stringContaining('"code":"UNKNOWN"')]);
  expect(context.logLines.join('')).not.toContain('4111');
});
