import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fromHundredths,
  positiveShopAmount,
  sameAmount,
  shopAmount,
  toHundredths,
  toTwoDecimals,
  wireAmount,
} from './amounts.ts';

const cents = fc.bigInt({ min: 0n, max: 10n ** 14n - 1n });
const written = (value: bigint): string => `${value / 100n}.${`${value % 100n}`.padStart(2, '0')}`;

describe('amounts', () => {
  it('writes every amount with exactly two decimals', () => {
    expect(['129.9', '129', '129.90', '007.5', '0'].map(toTwoDecimals)).toEqual([
      '129.90',
      '129.00',
      '129.90',
      '7.50',
      '0.00',
    ]);
  });

  it('refuses three decimals, signs, exponents, commas and nothing at all', () => {
    for (const bad of ['1.234', '-1', '+1', '1e3', '1,00', '', '.5', '5.', ' 1', '1 ', '１']) {
      expect(shopAmount.safeParse(bad).success, bad).toBe(false);
    }
  });

  it('refuses a JSON number, which would be a float', () => {
    expect(shopAmount.safeParse(129.9).success).toBe(false);
  });

  it('keeps the value of any amount when it writes two decimals', () => {
    fc.assert(
      fc.property(cents, (value) => {
        expect(toTwoDecimals(written(value))).toBe(written(value));
        expect(sameAmount(written(value), written(value).replace(/0$/, ''))).toBe(true);
        expect(sameAmount(written(value), `000${written(value)}`)).toBe(true);
      }),
    );
  });

  it('tells different amounts apart', () => {
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

  it('takes on the wire two decimals and nothing else', () => {
    expect(wireAmount.safeParse('129.90').success).toBe(true);
    for (const bad of ['129.9', '129', '129.900', '-1.00']) expect(wireAmount.safeParse(bad).success, bad).toBe(false);
  });

  it('knows which amounts are above zero', () => {
    expect(positiveShopAmount.parse('0.01')).toBe('0.01');
    expect(positiveShopAmount.parse('10')).toBe('10.00');
    for (const bad of ['0.00', '0', '00.0', 'x', '-1.00', '1.005']) {
      expect(positiveShopAmount.safeParse(bad).success, bad).toBe(false);
    }
  });

  it('counts in hundredths without losing any', () => {
    for (const amount of ['0.00', '0.07', '129.90', '999999999999999.99']) {
      expect(fromHundredths(toHundredths(amount))).toBe(amount);
    }
    expect(toHundredths('999999999999999.99')).toBe(99_999_999_999_999_999n);
  });
});
