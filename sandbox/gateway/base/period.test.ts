import { expect, test } from 'vitest';
import { intervalsAfter, type Unit, unitOf } from './period.ts';

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
