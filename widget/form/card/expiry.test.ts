import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatExpiry, parseExpiry } from './expiry.ts';
import { expiryProblem } from './problems.ts';

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
    ['12/ 30', '12 / 30'],
    ['12 30', '12 / 30'],
    ['12.30', '12 / 30'],
    ['12-2030', '12 / 30'],
    ['1/2030', '01 / 30'],
    ['1 / 30', '01 / 30'],
    ['12030', '01 / 30'],
    ['012030', '01 / 30'],
    ['2030/12', '12 / 30'],
    ['2030-1', '01 / 30'],
    ['2030-12-31', '12 / 30'],
    ['203012', '12 / 30'],
    ['30/12', '12 / 30'],
    ['3012', '12 / 30'],
    ['exp: 12/30', '12 / 30'],
    ['１２／３０', '12 / 30'],
    ['١٢/٣٠', '12 / 30'],
    ['๑๒/๓๐', '12 / 30'],
    ['०६/२०२९', '06 / 29'],
    ['1', '1'],
    ['0', '0'],
    ['12', '12 / '],
    ['5', '05 / '],
    ['', ''],
  ])('%j becomes %j', (typed, shown) => expect(formatExpiry(typed)).toBe(shown));

  it.each(['12/30', '1230', '12/2030', '12 / 30', '122030'])('takes %j key by key', (keys) => {
    const shown = [...keys].reduce((text, key) => formatExpiry(text + key, 'insertText'), '');
    expect(parseExpiry(shown)).toEqual({ month: 12, year: 2030 });
  });

  it('takes 1/30 key by key', () => {
    expect([...'1/30'].reduce((text, key) => formatExpiry(text + key, 'insertText'), '')).toBe('01 / 30');
  });

  it('does not split a wrong month into another one', () => {
    expect([...'13/30'].reduce((text, key) => formatExpiry(text + key, 'insertText'), '')).toBe('13 / 30');
  });

  it('keeps a year of four digits while it is typed', () => {
    const shown: string[] = [];
    [...'122030'].reduce((text, key) => {
      shown.push(formatExpiry(text + key, 'insertText'));
      return shown.at(-1) ?? '';
    }, '');
    expect(shown).toEqual(['1', '12 / ', '12 / 2', '12 / 20', '12 / 203', '12 / 30']);
  });

  it('adds no characters during a deletion', () => {
    expect(formatExpiry('12 / ', 'deleteContentBackward')).toBe('12');
    expect(formatExpiry('1', 'deleteContentBackward')).toBe('1');
    expect(formatExpiry('1 / 30', 'deleteContentBackward')).toBe('1 / 30');
    expect(formatExpiry(' / 30', 'deleteContentBackward')).toBe(' / 30');
  });

  it('waits for a month’s second digit when the year is already there', () => {
    expect(formatExpiry('1 / 30', 'insertText')).toBe('1 / 30');
    expect(formatExpiry('11 / 30', 'insertText')).toBe('11 / 30');
    expect(formatExpiry('5 / 30', 'insertText')).toBe('05 / 30');
  });

  it('does not change a formatted date', () => {
    const anything = fc.stringMatching(/^(0?\d|1[0-9]?)[/ .-]{0,3}\d{0,4}$/);
    fc.assert(
      fc.property(anything, (text) => {
        const shown = formatExpiry(text);
        expect(formatExpiry(shown)).toBe(shown);
      }),
      { examples: [['40020'], ['4 0020'], ['30/123']], numRuns: 2000 },
    );
  });

  it('formats dates so that parseExpiry reads the same ones', () => {
    const month = fc.integer({ min: 1, max: 12 });
    const year = fc.integer({ min: 2025, max: 2099 });
    const form = fc.constantFrom(
      (m: string, y: string) => `${m}/${y}`,
      (m: string, y: string) => `${m}/${y.slice(2)}`,
      (m: string, y: string) => m + y.slice(2),
      (m: string, y: string) => m + y,
      (m: string, y: string) => `${Number(m)} / ${y.slice(2)}`,
      (m: string, y: string) => `${y}-${m}`,
      (m: string, y: string) => y + m,
      (m: string, y: string) => `${y.slice(2)}/${m}`,
    );
    fc.assert(
      fc.property(month, year, form, (m, y, write) => {
        const text = write(String(m).padStart(2, '0'), String(y));
        expect(parseExpiry(text)).toEqual({ month: m, year: y });
        expect(parseExpiry(formatExpiry(text))).toEqual({ month: m, year: y });
      }),
    );
  });
});

describe('parseExpiry', () => {
  it('reads years of two and of four digits', () => {
    expect(parseExpiry('12/30')).toEqual(parseExpiry('12/2030'));
  });
  it.each(['13/30', '00/30', '12/', '12/3', '12/203', '12/1999', '2030', '13', 'Dec', '4111111111111111', ''])(
    'does not take %j for a date',
    (text) => {
      expect(parseExpiry(text)).toBeUndefined();
    },
  );
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
  it('treats a year beyond any card’s validity as a typing error', () => {
    expect(expiryProblem('05 / 60', lastMomentOfMay)).toBeUndefined();
    expect(expiryProblem('12 / 99', lastMomentOfMay)).toBe('expiry_far');
    expect(expiryProblem('01 / 61', lastMomentOfMay)).toBe('expiry_far');
  });
  it('distinguishes a missing date from an invalid one', () => {
    expect(expiryProblem(' ', lastMomentOfMay)).toBe('expiry_missing');
    expect(expiryProblem('13 / 30', lastMomentOfMay)).toBe('expiry_invalid');
  });
});
