import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { at, processing } from '../../test/store/fixtures.ts';
import { testContext } from '../../test/support/stores/context.ts';
import { until } from '../../test/support/time/until.ts';
import { StoreError } from '../base/errors.ts';
import { startStatsRefresh } from './refresh-statistics.ts';

describe('the upkeep of counts and sums', () => {
  async function setUp() {
    const context = await testContext({ now: () => new Date(at(30 * 3600)) });
    onTestFinished(() => context.store.close());
    await processing(context.store, 'cs_1');
    return { context, refreshed: vi.spyOn(context.store.stats, 'refresh') };
  }

  it('makes tallies until none is left to make', async () => {
    const { context, refreshed } = await setUp();
    const upkeep = startStatsRefresh(context);
    const isDone = () => refreshed.mock.settledResults.at(-1)?.value === false;
    await until('all tallies are made', async () => isDone());
    await upkeep.stop();
    expect(refreshed.mock.settledResults.filter(({ value }) => value === true).length).toBeGreaterThan(2);
    expect(await context.store.stats.refresh(at(30 * 3600))).toBe(false);
  });

  it('stops while there is more to make', async () => {
    const { context, refreshed } = await setUp();
    refreshed.mockResolvedValue(true);
    const upkeep = startStatsRefresh(context);
    await until('steps are taken', async () => refreshed.mock.calls.length > 1);
    await upkeep.stop();
    const steps = refreshed.mock.calls.length;
    await new Promise(setImmediate);
    expect(refreshed.mock.calls.length).toBe(steps);
  });

  it('goes on after a failure, and logs it', async () => {
    const { context, refreshed } = await setUp();
    refreshed.mockRejectedValueOnce(new StoreError('no'));
    const upkeep = startStatsRefresh(context);
    await until('it is logged', async () => context.logLines.join('').includes('poll failed'));
    await upkeep.stop();
    expect(await context.store.stats.refresh(at(30 * 3600))).toBe(true);
  });
});
