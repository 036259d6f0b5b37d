import { expect, test } from 'vitest';
import { Clock, intervalsAfter, MAX_MOVE_MS, type Unit, unitOf } from './clock.ts';

const start = new Date('2026-11-21T00:00:00Z');
const inMs = (ms: number) => new Date(start.getTime() + ms);

test('the clock follows the machine, and keeps its manual advance', () => {
  let machine = start;
  const clock = new Clock(() => machine);
  expect(clock.now()).toEqual(start);
  clock.advance(5000);
  machine = inMs(100);
  expect(clock.now()).toEqual(inMs(5100));
});

test('moving the clock runs due work in order', () => {
  const clock = new Clock(() => start);
  const done: [string, Date][] = [];
  const note = (name: string) => () => void done.push([name, clock.now()]);
  clock.at(inMs(300), note('third'));
  clock.at(inMs(100), note('first'));
  clock.at(inMs(100), note('second'));
  clock.at(inMs(1000), note('later'));
  clock.advance(999);
  expect(done).toEqual([
    ['first', inMs(100)],
    ['second', inMs(100)],
    ['third', inMs(300)],
  ]);
  expect(clock.now()).toEqual(inMs(999));
});

test('work that schedules more due work runs it in the same advance', () => {
  const clock = new Clock(() => start);
  const done: Date[] = [];
  const daily = () => {
    done.push(clock.now());
    clock.at(new Date(clock.now().getTime() + 100), daily);
  };
  clock.at(inMs(100), daily);
  clock.advance(350);
  expect(done).toEqual([inMs(100), inMs(200), inMs(300)]);
});

test('work for a moment that is over is done at once', () => {
  const clock = new Clock(() => start);
  let done = 0;
  clock.at(start, () => done++);
  clock.at(inMs(-1), () => done++);
  expect(done).toBe(2);
});

test('the machine’s own time brings work about too', async () => {
  const clock = new Clock();
  const { promise, resolve } = Promise.withResolvers<string>();
  clock.at(new Date(Date.now() + 20), () => resolve('done'));
  expect(await promise).toBe('done');
});

test.each([-1, 0.5, Number.NaN, MAX_MOVE_MS + 1])('the clock cannot be moved by %d', (ms) => {
  const clock = new Clock(() => start);
  expect(() => clock.advance(ms)).toThrow(RangeError);
  expect(clock.now()).toEqual(start);
});

test.each<[string, Unit, number, number, string]>([
  ['2026-11-21T10:00:00Z', 'day', 1, 1, '2026-11-22T10:00:00Z'],
  ['2026-11-21T10:00:00Z', 'day', 30, 2, '2027-01-20T10:00:00Z'],
  ['2026-11-21T10:00:00Z', 'week', 2, 1, '2026-12-05T10:00:00Z'],
  ['2026-11-21T10:00:00Z', 'month', 1, 2, '2027-01-21T10:00:00Z'],
  ['2026-01-31T10:00:00Z', 'month', 1, 1, '2026-02-28T10:00:00Z'],
  ['2026-01-31T10:00:00Z', 'month', 1, 2, '2026-03-31T10:00:00Z'],
  ['2026-01-31T10:00:00Z', 'month', 3, 1, '2026-04-30T10:00:00Z'],
  ['2028-02-29T10:00:00Z', 'year', 1, 1, '2029-02-28T10:00:00Z'],
  ['2028-02-29T10:00:00Z', 'year', 1, 4, '2032-02-29T10:00:00Z'],
])('from %s, with a %s times %i, period %i ends at %s', (start, unit, count, times, end) => {
  expect(intervalsAfter(new Date(start), { unit, count }, times)).toEqual(new Date(end));
});

test.each<[string, Unit | undefined]>([
  ['day', 'day'],
  ['Weekly', 'week'],
  [' MONTH ', 'month'],
  ['y', 'year'],
  ['annually', 'year'],
  ['fortnight', undefined],
  ['', undefined],
])('the interval %j means %s', (word, unit) => {
  expect(unitOf(word)).toBe(unit);
});
