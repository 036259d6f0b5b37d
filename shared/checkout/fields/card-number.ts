import { passesLuhn } from '../../gateway/luhn.ts';
import { documentRule } from './document.ts';

const SHORTEST = 13;
const LONGEST = 19;

/** Groups of digits that people write as one number, with the sign that makes a telephone number of them. */
const GROUPS = /\+?\d+(?:[ .-]\d+)*/g;

/**
 * Whether a text holds what can only be a card number: 13 to 19 digits in a row that end in a card's check digit and are no
 * telephone number and no CNPJ.
 */
export function holdsCardNumber(text: string): boolean {
  return (text.match(GROUPS) ?? []).some((run) => {
    const groups = run.split(/[ .-]/);
    return !run.startsWith('+') && groups.some((_, from) => startsCardNumber(groups.slice(from)));
  });
}

/** What follows a number, such as a date, may look like more of it. */
function startsCardNumber(groups: readonly string[]): boolean {
  let digits = '';
  for (const group of groups) {
    digits += group;
    if (digits.length > LONGEST) return false;
    if (digits.length >= SHORTEST && passesLuhn(digits) && documentRule('BR')?.problem(digits)) return true;
  }
  return false;
}
