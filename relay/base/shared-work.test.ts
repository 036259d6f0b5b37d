import { expect, it } from 'vitest';
import { createSharedWork } from './shared-work.ts';

/** A key whose turns are prepared and done when the test says so. */
function setUp() {
  const turns = createSharedWork<number>();
  const log: string[] = [];
  const gates: { prepared: PromiseWithResolvers<boolean>; done: PromiseWithResolvers<number> }[] = [];
  const ask = (): Promise<number | undefined> => {
    const prepared = Promise.withResolvers<boolean>();
    const done = Promise.withResolvers<number>();
    return turns.next(
      'A',
      () => {
        log.push('prepare');
        gates.push({ prepared, done });
        return prepared.promise;
      },
      () => {
        log.push('work');
        return done.promise;
      },
    );
  };
  const gate = async (at: number) => {
    await expect.poll(() => gates.length).toBeGreaterThan(at);
    const found = gates[at];
    if (!found) throw new Error('no such turn');
    return found;
  };
  return { ask, gate, log };
}

it('is shared by all who ask before its work begins', async () => {
  const { ask, gate, log } = setUp();
  const first = ask();
  const { prepared, done } = await gate(0);
  const second = ask();
  prepared.resolve(true);
  done.resolve(1);
  expect(await Promise.all([first, second])).toEqual([1, 1]);
  expect(log).toEqual(['prepare', 'work']);
});

it('comes after the work that runs, once for all who ask meanwhile', async () => {
  const { ask, gate, log } = setUp();
  const first = ask();
  const one = await gate(0);
  one.prepared.resolve(true);
  await expect.poll(() => log.at(-1)).toBe('work');
  const later = [ask(), ask()];
  one.done.resolve(1);
  const two = await gate(1);
  later.push(ask());
  two.prepared.resolve(true);
  two.done.resolve(2);
  expect(await first).toBe(1);
  expect(await Promise.all(later)).toEqual([2, 2, 2]);
  expect(log).toEqual(['prepare', 'work', 'prepare', 'work']);
});

it('does nothing where it is not prepared, and goes on', async () => {
  const { ask, gate, log } = setUp();
  const none = ask();
  (await gate(0)).prepared.resolve(false);
  expect(await none).toBeUndefined();
  const failing = ask();
  (await gate(1)).prepared.reject(new Error('store'));
  await expect(failing).rejects.toThrow('store');
  const last = ask();
  const { prepared, done } = await gate(2);
  prepared.resolve(true);
  done.resolve(3);
  expect(await last).toBe(3);
  expect(log).toEqual(['prepare', 'prepare', 'prepare', 'work']);
});
