import { expect, it, vi } from 'vitest';
import { testContext } from '../../test/support/stores/context.ts';
import { StoreError } from '../base/errors.ts';
import { startLateWrites } from './late-writes.ts';

it('writes what could not be written, again and again, once', async () => {
  const context = await testContext();
  const write = vi.fn(async () => {
    if (write.mock.calls.length < 3) throw new StoreError('down');
  });
  const lateWrites = startLateWrites(context.log);
  lateWrites.add({ operation: 'op_1' }, write);
  await expect.poll(() => write.mock.calls.length, { timeout: 5000 }).toBe(3);
  await lateWrites.stop();
  expect(write).toHaveBeenCalledTimes(3);
});

it('tries once more when it is stopped, without waiting', async () => {
  const context = await testContext();
  const write = vi.fn(async () => {
    throw new StoreError('down');
  });
  const lateWrites = startLateWrites(context.log);
  lateWrites.add({ operation: 'op_1' }, write);
  await expect.poll(() => write.mock.calls.length, { timeout: 5000 }).toBe(2);
  await lateWrites.stop();
  expect(write).toHaveBeenCalledTimes(3);
});
