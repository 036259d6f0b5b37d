import { passesLuhn } from '../../../shared/card-data/luhn.ts';
import { digitsOf, latin } from '../../../shared/checkout/fields/digits.ts';
import { type Brand, likelyBrand } from './brands.ts';

type Rules = Pick<Brand, 'gaps' | 'lengths' | 'checkDigit'>;

/** The rules for a number of an unknown brand. */
const ANY: Rules = { gaps: [4, 8, 12, 16], lengths: [12, 13, 14, 15, 16, 17, 18, 19], checkDigit: true };
/**
 * The two brands with other groups than fours, American Express and Diners Club. They are known before the brands are
 * loaded.
 */
const OTHERWISE = /^3([46-9]|0[0-5])/;
/** The maximum number of digits of a card. */
const MAX = 30;

/** The rules for a number with these first digits. */
export function rulesOf(digits: string): Rules {
  return likelyBrand(digits) ?? (OTHERWISE.test(digits) ? { ...ANY, gaps: [4, 10] } : ANY);
}

/**
 * Groups a card number as its brand prints it. Accepts any characters between the digits, and a number inside another
 * text. If there are more digits than the brand's cards have, which may be two numbers, it uses the first digits that
 * form a complete one. A number that was not typed (`how`, see `Format`) and is the whole text is not cut: the shopper
 * corrects it.
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

/** A security code's name and number of digits. It may be typed before the number that determines them. */
export type Code = { name: string; size: number; certain: boolean };

/** The name of a brand's security code, and its number of digits. */
export function codeOf(brand: Brand | undefined): Code {
  return brand ? { ...brand.code, certain: true } : { name: 'CVV', size: 4, certain: false };
}

/** Keeps the digits of a security code, at most `size`. */
export function formatCode(text: string, size: number): string {
  return digitsOf(text).slice(0, size);
}
