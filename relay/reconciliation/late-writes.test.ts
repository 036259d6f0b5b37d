import { expect, it, onTestFinished, vi } from 'vitest';
import { testContext } from '../../test/support/stores/context.ts';
import { StoreError } from '../base/errors.ts';
import { startLateWrites } from './late-writes.ts';

it('writes what could not be written, again and again, once', async () => {
  const context = await testContext();
  const write = vi.fn(async () => {
    if (write.mock.calls.length < 3) throw new StoreError('down');
  });
  const lateWrites = startLateWrites(context.log, context.monotonic);
  lateWrites.add({ operation: 'op_1' }, write);
  await expect.poll(() => write.mock.calls.length).toBe(3);
  await lateWrites.stop();
  expect(write).toHaveBeenCalledTimes(3);
});

it('tries once more when it is stopped, without waiting', async () => {
  const context = await testContext();
  const triedTwice = Promise.withResolvers<void>();
  const write = vi.fn(async () => {
    if (write.mock.calls.length === 2) triedTwice.resolve();
    throw new StoreError('down');
  });
  const lateWrites = startLateWrites(context.log, context.monotonic);
  lateWrites.add({ operation: 'op_1' }, write);
  await triedTwice.promise;
  await lateWrites.stop();
  expect(write).toHaveBeenCalledTimes(3);
});

it('tries ever more rarely, a minute apart at the most', async () => {
  const context = await testContext();
  const polls = { count: 0 };
  const { setTimeout: usual } = globalThis;
  // The pauses between two polls end at once.
  const hasty = <Args extends unknown[]>(run: (...args: Args) => void, after = 1, ...args: Args) => {
    if (after === 250) polls.count += 1;
    return usual(run, after === 250 ? 0 : after, ...args);
  };
  globalThis.setTimeout = Object.assign(hasty, usual);
  onTestFinished(() => {
    globalThis.setTimeout = usual;
  });
  const tries: number[] = [];
  const lateWrites = startLateWrites(context.log, () => 250 * polls.count);
  lateWrites.add({ operation: 'op_1' }, async () => {
    tries.push(polls.count);
    throw new StoreError('down');
  });
  await expect.poll(() => tries.length).toBeGreaterThan(9);
  await lateWrites.stop();
  const waits = tries.slice(1, 10).map((at, n) => at - (tries[n] ?? 0));
  expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 240, 240]);
  expect(context.logLines.filter((line) => line.includes('"poller":"late_writes"')).length).toBe(tries.length);
});

it('logs the outcomes that were stored late', async () => {
  const context = await testContext();
  const lateWrites = startLateWrites(context.log, context.monotonic);
  lateWrites.add({ session: 'cs_1', attempt: 'at_1' }, async () => undefined);
  await lateWrites.stop();
  const logged = context.logLines.find((line) => line.includes('outcome stored late')) ?? '{}';
  expect(JSON.parse(logged)).toMatchObject({ session: 'cs_1', attempt: 'at_1' });
});
