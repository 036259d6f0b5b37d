import { digitsOf } from '../../../shared/checkout/fields/digits.ts';
import type { Brand } from './brand.ts';

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

/** What is wrong with a security code, if anything. */
export function codeProblem(text: string, { size, certain }: Code): 'code_missing' | 'code_invalid' | undefined {
  if (!text) return 'code_missing';
  return text.length === size || (!certain && text.length === 3) ? undefined : 'code_invalid';
}
