import { passesLuhn } from '../../../shared/card-data/luhn.ts';
import { digitsOf, latin } from '../../../shared/checkout/fields/digits.ts';
import { type Brand, likelyBrand } from './brands.ts';

type Rules = Pick<Brand, 'gaps' | 'lengths' | 'checkDigit'>;

/** What holds for a number of no brand that we know. */
const ANY: Rules = { gaps: [4, 8, 12, 16], lengths: [12, 13, 14, 15, 16, 17, 18, 19], checkDigit: true };
/** The two brands that print other groups than fours, American Express and Diners Club: known before the brands are. */
const OTHERWISE = /^3([46-9]|0[0-5])/;
/** No card number has more digits. */
const MAX = 30;

/** What holds for a number with these first digits. */
export function rulesOf(digits: string): Rules {
  return likelyBrand(digits) ?? (OTHERWISE.test(digits) ? { ...ANY, gaps: [4, 10] } : ANY);
}

/**
 * Groups a card number as its brand prints it. Takes digits with anything between them, and a number out of other text; of
 * more digits than the brand's cards have, which may be two numbers, it takes the first that are a whole one. It does not cut a number
 * that was not typed (`how`, see `Format`) and stands alone: the shopper corrects it.
 */
export function formatNumber(text: string, how = 'insertText'): string {
  const alone = /(\d[^\d\p{L}/:]*){12,}/u.exec(latin(text));
  const digits = digitsOf(alone ? alone[0] : text).slice(0, MAX);
  const { gaps, lengths } = rulesOf(digits);
  const grouped = (size: number) =>
    [...digits.slice(0, size)].map((digit, index) => (gaps.includes(index) ? ` ${digit}` : digit)).join('');
  const all = grouped(MAX);
  if (how.startsWith('delete') || (how !== 'insertText' && [digits, all].includes(text.trim()))) return all;
  const longest = Math.max(...lengths);
  const size = digits.length > longest ? lengths.find((length) => passesLuhn(digits.slice(0, length))) : undefined;
  return grouped(size ?? longest);
}

/** A security code's name and number of digits. It may be typed before the number that makes them certain. */
export type Code = { name: string; size: number; certain: boolean };

/** How the security code of this brand is called, and how many digits it has. */
export function codeOf(brand: Brand | undefined): Code {
  return brand ? { ...brand.code, certain: true } : { name: 'CVV', size: 4, certain: false };
}

/** Keeps the digits of a security code, at most `size`. */
export function formatCode(text: string, size: number): string {
  return digitsOf(text).slice(0, size);
}
