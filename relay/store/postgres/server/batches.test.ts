import { describe, expect, it, vi } from 'vitest';
import { StoreError } from '../../../base/errors.ts';
import { createBatches, createWriteBatches } from './batches.ts';
import { rowsLocked, writesSplit } from './errors.ts';

const batching = { keysOf: (given: number) => [String(given)] };
const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe('batches of work for PostgreSQL', () => {
  it.each([
    ['gives too few results', async () => []],
    ['is to be split, and is one job', async () => Promise.reject(writesSplit())],
  ])('reject with the error of a store when one %s', async (_, run: () => Promise<number[]>) => {
    const add = createBatches<number, number>({ ...batching, run });
    await expect(add(1)).rejects.toBeInstanceOf(StoreError);
  });

  it('send no expired job, and still send the younger ones', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const sent: number[] = [];
      const [begun, hung] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const add = createBatches<number, number>({
        ...batching,
        run: async (batch) => {
          sent.push(...batch);
          begun.resolve();
          await hung.promise;
          return [...batch];
        },
      });
      const first = numbers(120).map(add);
      await begun.promise;
      vi.advanceTimersByTime(3000);
      const young = add(500);
      vi.advanceTimersByTime(1500);
      hung.resolve();
      const results = await Promise.allSettled(first);
      expect(results.map(({ status }) => status)).toEqual(numbers(120).map((i) => (i < 50 ? 'fulfilled' : 'rejected')));
      for (const result of results.slice(50)) expect(result).toMatchObject({ reason: expect.any(StoreError) });
      expect(await young).toBe(500);
      expect(sent).toEqual([...numbers(50), 500]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('pass one that hangs, and go back to one at a time', async () => {
    const [begun, hung] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let [running, most] = [0, 0];
    const add = createBatches<number, number>({
      ...batching,
      run: async (batch) => {
        running += 1;
        most = Math.max(most, running);
        begun.resolve();
        if (batch.includes(0)) await hung.promise;
        running -= 1;
        return [...batch];
      },
    });
    const first = add(0);
    await begun.promise;
    expect(await Promise.all(numbers(60).slice(1).map(add))).toEqual(numbers(60).slice(1));
    hung.resolve();
    expect(await first).toBe(0);
    expect(most).toBe(2);
    most = 0;
    for (const round of numbers(5)) await Promise.all(numbers(20).map((i) => add(100 * round + i + 1)));
    expect(most).toBe(1);
  });

  it('let jobs that wait for locks wait apart from the others', async () => {
    const freed = Promise.withResolvers<void>();
    const add = createWriteBatches<number, number>({
      ...batching,
      run: async (batch, _, lockMs) => {
        if (batch.some((given) => given < 5)) {
          if (batch.length > 1) throw writesSplit();
          if (lockMs < 1000) throw rowsLocked();
          await freed.promise;
        }
        return [...batch];
      },
    });
    const all = numbers(60).map(add);
    expect(await Promise.all(all.slice(5))).toEqual(numbers(60).slice(5));
    freed.resolve();
    expect(await Promise.all(all.slice(0, 5))).toEqual(numbers(5));
  });
});
