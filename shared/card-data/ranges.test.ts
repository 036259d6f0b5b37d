import creditCardType from 'credit-card-type';
import { expect, it, test } from 'vitest';
import { isCardNumber } from './ranges.ts';

/** A number of so many digits that begins so and passes Luhn. */
function numberOf(beginning: string, length: number): string {
  const digits = beginning.padEnd(length - 1, '0');
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

const brands = creditCardType('').map(({ type }) => creditCardType.getTypeInfo(type));

it.each(brands)('the numbers of $niceType are known', ({ patterns, lengths }) => {
  for (const pattern of patterns.flat()) {
    for (const length of lengths.filter((one) => one >= 13)) {
      expect(isCardNumber(numberOf(String(pattern), length)), `${pattern}, ${length} digits`).toBe(true);
    }
  }
});

test.each([
  ['fails Luhn', '4111111111111112'],
  ['lies in no range', numberOf('9', 16)],
  ['begins with a zero', '0000000000000000'],
  ['has twelve digits', numberOf('6304', 12)],
  ['has twenty digits', numberOf('6304', 20)],
  ['is as long as no number of its range', numberOf('5511', 13)],
  ['is a Brazilian CNPJ', '11222363000198'],
])('a number that %s is no card’s', (_what, digits) => expect(isCardNumber(digits)).toBe(false));
