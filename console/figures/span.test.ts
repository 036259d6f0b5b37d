import { expect, it } from 'vitest';
import { daysIn, growth, ordersIn, queriesOf } from './span.ts';

const at = Date.parse('2027-03-31T10:15:00Z');
const parametersOf = (query: URLSearchParams | undefined) => query && Object.fromEntries(query);

it('queries one day by hour', () => {
  const { now, before, tooMuch } = queriesOf(1, null, at);
  expect(parametersOf(now)).toEqual({ by: 'hour', from: '2027-03-30T11:00:00.000Z', to: '2027-03-31T11:00:00.000Z' });
  expect(parametersOf(before)).toEqual({
    by: 'hour',
    from: '2027-03-29T11:00:00.000Z',
    to: '2027-03-30T11:00:00.000Z',
  });
  expect(tooMuch).toBeUndefined();
});

it('queries more days by day, and the day’s remaining hours', () => {
  const { now, before, tooMuch } = queriesOf(7, 'BRL', at);
  expect(parametersOf(now)).toEqual({
    ...{ by: 'day', from: '2027-03-25T00:00:00.000Z', to: '2027-04-01T00:00:00.000Z', currency: 'BRL' },
  });
  expect(parametersOf(before)).toMatchObject({
    by: 'day',
    from: '2027-03-18T00:00:00.000Z',
    to: '2027-03-25T00:00:00.000Z',
  });
  expect(parametersOf(tooMuch)).toMatchObject({
    by: 'hour',
    from: '2027-03-24T11:00:00.000Z',
    to: '2027-03-25T00:00:00.000Z',
  });
});

it('queries no remaining hours in the last hour of a day', () => {
  expect(queriesOf(7, null, Date.parse('2027-03-31T23:30:00Z')).tooMuch).toBeUndefined();
});

it.each([
  ['days=30', 30],
  ['days=1', 1],
  ['days=5', 7],
  ['', 7],
])('reads the days of %j', (query, days) => expect(daysIn(new URLSearchParams(query))).toBe(days));

it('filters the orders of an hour and of a day', () => {
  expect(ordersIn('2027-03-31T10:00:00.000Z', 'hour').created_to).toBe('2027-03-31T11:00:00.000Z');
  expect(ordersIn('2027-03-31T00:00:00.000Z', 'day').created_to).toBe('2027-04-01T00:00:00.000Z');
});

it('compares a figure with that of the earlier span', () => {
  expect(growth(30, 20)).toBe(0.5);
  expect(growth(30, 0)).toBeUndefined();
  expect(growth(30_000, 1)).toBeUndefined();
});
