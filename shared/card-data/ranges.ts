import { passesLuhn } from './luhn.ts';

export const MIN_CARD_DIGITS = 13;
export const MAX_CARD_DIGITS = 19;

/** The first and last prefix of a range of card numbers, and the lengths of its numbers. */
type Range = readonly [first: number, last: number, lengths: readonly number[]];

const ANY = [13, 14, 15, 16, 17, 18, 19];

/** The ranges of the card brands. ranges.test.ts compares them with every range that the form knows. */
const ranges: readonly Range[] = [
  // JCB, Amex, Diners Club, JCB
  [1800, 1800, [15, 16, 17, 18, 19]],
  [2131, 2131, [15, 16, 17, 18, 19]],
  [300, 305, [14, 16, 19]],
  [34, 34, [15]],
  [37, 37, [15]],
  [36, 36, [14, 16, 19]],
  [38, 39, [14, 16, 19]],
  [3528, 3589, [16, 17, 18, 19]],
  // Mir, Mastercard
  [2200, 2204, [16, 17, 18, 19]],
  [2221, 2720, [16]],
  [51, 55, [16]],
  // Visa; some test cards have thirteen digits
  [4, 4, [13, 16, 18, 19]],
  // Maestro, Elo, Verve, Naranja; Discover, UnionPay, Hipercard and others together with Maestro
  [493698, 493698, ANY],
  [50, 50, ANY],
  [56, 59, ANY],
  [6, 6, ANY],
  // UnionPay, RuPay; Troy
  [81, 82, [14, 15, 16, 17, 18, 19]],
  [9792, 9792, [16]],
];

/** The ranges by first digit, so that most numbers need one lookup. */
const byFirstDigit: readonly (readonly Range[])[] = Array.from({ length: 10 }, (_, digit) =>
  ranges.filter(([first]) => String(first).startsWith(String(digit))),
);

/** True for 13 to 19 digits in a range of a card brand that have a length of the range and pass Luhn. */
export function isCardNumber(digits: string): boolean {
  return isInRange(digits) && passesLuhn(digits);
}

function isInRange(digits: string): boolean {
  const own = byFirstDigit[digits.charCodeAt(0) - 48] ?? [];
  return own.some(([first, last, lengths]) => {
    if (!lengths.includes(digits.length)) return false;
    const beginning = Number(digits.slice(0, String(first).length));
    return beginning >= first && beginning <= last;
  });
}
