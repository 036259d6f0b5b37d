import { describe, expect, it } from 'vitest';
import { expiryProblem, formatExpiry, parseExpiry } from './expiry.ts';

describe('formatExpiry shows MM / YY', () => {
  it.each([
    ['12/30', '12 / 30'],
    ['1230', '12 / 30'],
    ['12/2030', '12 / 30'],
    ['122030', '12 / 30'],
    ['12 / 30', '12 / 30'],
    ['12-30', '12 / 30'],
    ['1/30', '01 / 30'],
    ['530', '05 / 30'],
    ['1330', '13 / 30'],
    ['01/2030', '01 / 30'],
    ['2030-12', '12 / 30'],
    ['1', '1'],
    ['0', '0'],
    ['12', '12 / '],
    ['5', '05 / '],
    ['', ''],
  ])('%j becomes %j', (typed, shown) => expect(formatExpiry(typed)).toBe(shown));

  it.each(['12/30', '1230', '12/2030', '12 / 30', '122030'])('takes %j key by key', (keys) => {
    const shown = [...keys].reduce((text, key) => formatExpiry(text + key), '');
    expect(parseExpiry(shown)).toEqual({ month: 12, year: 2030 });
  });

  it('takes 1/30 key by key', () => {
    expect([...'1/30'].reduce((text, key) => formatExpiry(text + key), '')).toBe('01 / 30');
  });

  it('reads no other month into a wrong one', () => {
    expect([...'13/30'].reduce((text, key) => formatExpiry(text + key), '')).toBe('13 / 30');
  });

  it('adds nothing while something is deleted', () => {
    expect(formatExpiry('12 / ', true)).toBe('12');
    expect(formatExpiry('1', true)).toBe('1');
    expect(formatExpiry('1 / 30', true)).toBe('1 / 30');
  });
});

describe('parseExpiry', () => {
  it('reads two-digit and four-digit years as the same', () => {
    expect(parseExpiry('12/30')).toEqual(parseExpiry('12/2030'));
  });
  it.each(['13/30', '00/30', '12/', '12/3', '12/203', '12/1999', ''])('does not take %j for a date', (text) => {
    expect(parseExpiry(text)).toBeUndefined();
  });
});

describe('expiryProblem', () => {
  const lastMomentOfMay = new Date(2030, 4, 31, 23, 59, 59);
  it('accepts a card until the end of its month', () => {
    expect(expiryProblem('05 / 30', lastMomentOfMay)).toBeUndefined();
    expect(expiryProblem('06 / 30', lastMomentOfMay)).toBeUndefined();
  });
  it('refuses a card once its month is over', () => {
    expect(expiryProblem('05 / 30', new Date(2030, 5, 1))).toBe('expiry_past');
    expect(expiryProblem('12 / 29', lastMomentOfMay)).toBe('expiry_past');
  });
  it('tells a missing date from one that is none', () => {
    expect(expiryProblem(' ', lastMomentOfMay)).toBe('expiry_missing');
    expect(expiryProblem('13 / 30', lastMomentOfMay)).toBe('expiry_invalid');
  });
});
