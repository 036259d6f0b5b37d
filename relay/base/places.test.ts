import { expect, it } from 'vitest';
import { createPlaces } from './places.ts';

it('gives so many places, and each that is released to who waited longest', async () => {
  const places = createPlaces(2);
  const given: number[] = [];
  const take = (who: number) =>
    places.take().then((place) => {
      given.push(who);
      return place;
    });
  const [first, second] = await Promise.all([take(1), take(2)]);
  const [third, fourth] = [take(3), take(4)];
  await new Promise(setImmediate);
  expect(given).toEqual([1, 2]);
  first.release();
  first.release();
  await third;
  await new Promise(setImmediate);
  expect(given).toEqual([1, 2, 3]);
  second.release();
  await fourth;
  expect(given).toEqual([1, 2, 3, 4]);
});
