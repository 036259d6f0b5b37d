import { expect, it } from 'vitest';
import { createSemaphore } from './semaphore.ts';

/** Two permits, and who got one, in this order. */
function setUp() {
  const semaphore = createSemaphore(2);
  const granted: string[] = [];
  const acquire = async (who: string) => {
    const permit = await semaphore.acquire(who.charAt(0));
    granted.push(who);
    return permit;
  };
  return { granted, acquire };
}

it('grants a fixed number of permits, and serves waiters in order', async () => {
  const { granted, acquire } = setUp();
  const [first, second] = await Promise.all([acquire('a'), acquire('b')]);
  const [third, fourth] = [acquire('c'), acquire('d')];
  await new Promise(setImmediate);
  expect(granted).toEqual(['a', 'b']);
  first.release();
  first.release();
  await third;
  await new Promise(setImmediate);
  expect(granted).toEqual(['a', 'b', 'c']);
  second.release();
  await fourth;
  expect(granted).toEqual(['a', 'b', 'c', 'd']);
});

it('grants one owner one permit at a time', async () => {
  const { granted, acquire } = setUp();
  const first = await acquire('a1');
  const second = acquire('a2');
  const other = await acquire('b');
  expect(granted).toEqual(['a1', 'b']);
  first.release();
  await second;
  other.release();
  expect(granted).toEqual(['a1', 'b', 'a2']);
});
