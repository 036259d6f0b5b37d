import { passesLuhn } from './luhn.ts';

/** A whole card number as a person types or pastes it; undefined for anything else. What it is written with is left out. */
export function cardNumberIn(text: string): string | undefined {
  const digits = text.replace(/[\s-]/g, '');
  const isLikeOne = /^(4\d{12,18}|2[2-7]\d{14}|3\d{13,18}|[56]\d{14,18})$/.test(digits);
  return isLikeOne && passesLuhn(digits) ? digits : undefined;
}
