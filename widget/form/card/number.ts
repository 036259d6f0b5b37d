import { passesLuhn } from '../../../shared/gateway/luhn.ts';
import type { Brand } from './brand.ts';

const SHORTEST = 12;
const LONGEST = 19;
/** After how many digits a number has a gap, unless its brand says otherwise. */
export const FOURS: readonly number[] = [4, 8, 12, 16];

export type NumberProblem = 'number_missing' | 'number_incomplete' | 'number_invalid';

export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** Groups a card number as its brand prints it. Takes digits with anything between them; cuts what no card has. */
export function formatNumber(text: string, brand?: Brand): string {
  const digits = digitsOf(text).slice(0, Math.max(...(brand?.lengths ?? [LONGEST])));
  const gaps = brand?.gaps ?? FOURS;
  return [...digits].map((digit, index) => (gaps.includes(index) ? ` ${digit}` : digit)).join('');
}

/** What is wrong with a card number, if anything. */
export function numberProblem(text: string, brand?: Brand): NumberProblem | undefined {
  const digits = digitsOf(text);
  if (!digits) return 'number_missing';
  const complete = brand ? brand.lengths.includes(digits.length) : digits.length >= SHORTEST;
  if (!complete) return 'number_incomplete';
  return brand?.checkDigit !== false && !passesLuhn(digits) ? 'number_invalid' : undefined;
}
