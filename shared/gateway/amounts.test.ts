import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { positiveShopAmount, shopAmount, wireAmount } from './amount-fields.ts';
import {
  fromMinor,
  givenAmount,
  inCurrency,
  isMore,
  isZero,
  minorUnits,
  sameAmount,
  toMinor,
  withPoint,
} from './amounts.ts';

const cents = fc.bigInt({ min: 0n, max: 10n ** 14n - 1n });
const written = (value: bigint): string => `${value / 100n}.${`${value % 100n}`.padStart(2, '0')}`;

describe('amounts', () => {
  it.each([
    ['BRL', '129.9', '129.90'],
    ['BRL', '007.5000', '7.50'],
    ['BRL', '0', '0.00'],
    ['BRL', '1.234', undefined],
    ['JPY', '1000', '1000.00'],
    ['JPY', '1000.000', '1000.00'],
    ['JPY', '0.01', undefined],
    ['JPY', '1000.5', undefined],
    ['KWD', '10.5', '10.500'],
    ['KWD', '10.12500', '10.125'],
    ['KWD', '10.1255', undefined],
    ['CLF', '1.2345', '1.2345'],
    ['XXQ', '1.5', '1.50'],
    ['XXQ', '1.505', undefined],
  ])('writes %s %s with the decimals of its currency', (currency, given, written) => {
    expect(inCurrency(given, currency)).toBe(written);
  });

  it.each([
    ['BRL', '10', 'must have a decimal point: write 10.00 for 10 BRL'],
    ['BRL', '0', 'must have a decimal point: write 0.00 for 0 BRL'],
    ['KWD', '010', 'must have a decimal point: write 10.000 for 010 KWD'],
    ['BRL', '1.234', 'has more than the 2 decimals of BRL'],
    ['JPY', '0.5', 'has more than the 0 decimals of JPY'],
  ])('says what is wrong with %s %s', (currency, given, fault) => {
    expect(givenAmount(given, currency)).toEqual({ fault });
  });

  it('takes an integer of a currency without decimals', () => {
    expect(givenAmount('1000', 'JPY')).toEqual({ written: '1000.00' });
    expect(givenAmount('10.5', 'KWD')).toEqual({ written: '10.500' });
    expect(['10', '10.', '1.5', 'x'].map(withPoint)).toEqual(['10.00', '10.', '1.5', 'x']);
  });

  it('refuses signs, exponents, commas and nothing at all', () => {
    for (const bad of ['-1', '+1', '1e3', '1,00', '', '.5', '5.', ' 1', '1 ', '１', `1.${'0'.repeat(11)}`]) {
      expect(shopAmount.safeParse(bad).success, bad).toBe(false);
    }
  });

  it('refuses a JSON number, which would be a float', () => {
    expect(shopAmount.safeParse(129.9).success).toBe(false);
  });

  it('keeps the value of any amount when it writes two decimals', () => {
    fc.assert(
      fc.property(cents, (value) => {
        expect(inCurrency(written(value), 'BRL')).toBe(written(value));
        expect(sameAmount(written(value), written(value).replace(/0$/, ''))).toBe(true);
        expect(sameAmount(written(value), `000${written(value)}`)).toBe(true);
      }),
    );
  });

  it('distinguishes different amounts', () => {
    fc.assert(
      fc.property(cents, cents, (left, right) => {
        expect(sameAmount(written(left), written(right))).toBe(left === right);
      }),
    );
  });

  it('finds nothing equal to what is no amount', () => {
    expect(sameAmount('', '')).toBe(false);
    expect(sameAmount('abc', 'abc')).toBe(false);
    expect(sameAmount('129.9e0', '129.9')).toBe(false);
  });

  it('accepts two wire decimals, or as many as the currency has', () => {
    for (const good of ['129.90', '10.500', '1.2345']) expect(wireAmount.safeParse(good).success, good).toBe(true);
    for (const bad of ['129.9', '129', '129.90000', '-1.00'])
      expect(wireAmount.safeParse(bad).success, bad).toBe(false);
  });

  it('knows which amounts are above zero', () => {
    expect(positiveShopAmount.parse('0.01')).toBe('0.01');
    expect(positiveShopAmount.parse('10')).toBe('10');
    for (const bad of ['0.00', '0', '00.0', 'x', '-1.00']) {
      expect(positiveShopAmount.safeParse(bad).success, bad).toBe(false);
    }
  });

  it('counts in minor units without losing any', () => {
    for (const amount of ['0.00', '0.07', '129.90', '999999999999999.99']) {
      expect(fromMinor(toMinor(amount, 'BRL'), 'BRL')).toBe(amount);
    }
    for (const amount of ['0.000', '0.007', '10.125']) expect(fromMinor(toMinor(amount, 'KWD'), 'KWD')).toBe(amount);
    expect(toMinor('999999999999999.99', 'BRL')).toBe(99_999_999_999_999_999n);
    expect(toMinor('1000', 'JPY')).toBe(100_000n);
    expect(() => toMinor('1.234', 'BRL')).toThrow(RangeError);
  });

  it('counts what is no amount of its currency as none', () => {
    expect([minorUnits('129.90', 'BRL'), minorUnits('1.234', 'BRL'), minorUnits('', 'BRL')]).toEqual([12_990n, 0n, 0n]);
  });

  it('compares by value', () => {
    expect([isMore('10.125', '10.12'), isMore('9', '10.00'), isMore('1.0', '1')]).toEqual([true, false, false]);
    expect([isZero('0.000'), isZero('0.001'), isZero('')]).toEqual([true, false, false]);
  });
});
