import { expect, it } from 'vitest';
import { nextCharge, type Rhythm } from './next-charge.ts';

const first = { at: '2027-01-31T10:00:00.000Z', amount: '1.00' };
const monthly = { interval: 'month', contract_amount: '20.00' };

/** What is expected of a contract that began on January 31st, on a day. */
function on(day: string, terms: Rhythm['terms'], more: Partial<Rhythm> = {}, timeZone = 'UTC') {
  const next = nextCharge({ terms, first, ...more }, new Date(`${day}T12:00:00Z`), timeZone);
  return next && `${next.date} ${next.amount}${next.by === 'gateway' ? ' gateway' : ''}`;
}

it.each<[string, Rhythm['terms'], string | undefined]>([
  ['2027-01-31', monthly, '2027-02-28 20.00'],
  ['2027-02-28', monthly, '2027-02-28 20.00'],
  ['2027-03-01', monthly, '2027-03-31 20.00'],
  ['2027-03-01', { ...monthly, interval: 'quarterly' }, '2027-04-30 20.00'],
  ['2027-03-01', { ...monthly, interval_count: '2' }, '2027-03-31 20.00'],
  ['2027-03-01', { interval: 'year' }, '2028-01-31 1.00'],
  ['2027-02-01', { interval: 'week', interval_count: '2' }, '2027-02-14 1.00'],
  ['2037-02-01', { interval: 'day' }, '2037-02-01 1.00'],
  ['2027-02-01', { interval: 'fortnight' }, undefined],
  ['2027-02-01', {}, undefined],
  ['2027-02-01', { ...monthly, promotion_cycle: 2 }, '2027-02-28 1.00'],
  ['2027-03-01', { ...monthly, promotion_cycle: 2 }, '2027-03-31 20.00'],
  ['2027-02-01', { ...monthly, billing_cycle: 2 }, '2027-02-28 20.00'],
  ['2027-03-01', { ...monthly, billing_cycle: 2 }, undefined],
  ['2027-02-01', { ...monthly, billing_cycle: 0 }, '2027-02-28 20.00'],
  ['2027-02-01', { ...monthly, contract_end: '2027-02-28' }, '2027-02-28 20.00'],
  ['2027-02-01', { ...monthly, contract_end: '27-02-2027' }, undefined],
  ['2027-02-01', { ...monthly, contract_start: '2027-03-10' }, '2027-04-10 20.00'],
  ['2027-02-01', { ...monthly, contract_start: '2020-03-10' }, '2027-02-28 20.00'],
  ['2027-02-01', { ...monthly, contract_start: 'soon' }, '2027-02-28 20.00'],
])('on %s the terms %j lead to the next charge', (day, terms, expected) => expect(on(day, terms)).toBe(expected));

it('a charge of today that is known leads to the next period', () => {
  const last = '2027-02-28T03:00:00Z';
  expect(on('2027-02-28', monthly, { last })).toBe('2027-03-31 20.00');
});

it('the gateway’s date counts while it is in the future', () => {
  expect(on('2027-02-01', {}, { announced: '2027-02-20 10:00:00' })).toBe('2027-02-20 1.00 gateway');
  expect(on('2027-02-01', monthly, { announced: '2027-02-20' })).toBe('2027-02-20 20.00 gateway');
  expect(on('2027-03-01', monthly, { announced: '2027-02-20' })).toBe('2027-03-31 20.00');
  expect(on('2027-01-31', monthly, { announced: '2027-01-31' })).toBe('2027-02-28 20.00');
  expect(on('2027-03-01', { ...monthly, contract_end: '2027-03-02' }, { announced: '2027-03-20' })).toBeUndefined();
});

it('days are those of the gateway’s time zone', () => {
  const late = { first: { at: '2027-01-11T01:00:00Z', amount: '1.00' } };
  expect(on('2027-01-12', monthly, late)).toBe('2027-02-11 20.00');
  expect(on('2027-01-12', monthly, late, 'America/Sao_Paulo')).toBe('2027-02-10 20.00');
});
