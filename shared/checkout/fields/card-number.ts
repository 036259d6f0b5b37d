import { passesLuhn } from '../../gateway/luhn.ts';
import { latin } from './digits.ts';
import { documentRule } from './document.ts';

const MIN_DIGITS = 13;
const MAX_DIGITS = 19;

/** Groups of digits that people write as one number, with the sign that makes a telephone number of them. */
const GROUPS = /\+?\d+(?:[ .-]\d+)*/g;

/**
 * Groups as on a card, all set apart in the same way, whichever: `4111 / 1111 / 1111 / 1111`. Those after a telephone number's
 * `+` are none, and shorter ones are those of addresses and dates.
 */
const APART = /(?<!\d|\+\d[\d ()./-]*)(?=(\d{4,}([^\p{L}\p{N}]{1,3})\d{4,}(?:\2\d{4,})*(?:\2\d{1,3})?))/gu;

/**
 * Whether a text holds what can only be a card number: 13 to 19 digits in a row that end in a card's check digit and are no
 * telephone number and no CNPJ.
 */
export function holdsCardNumber(text: string): boolean {
  const folded = latin(text).normalize('NFKC');
  // Nearly every text has too few digits to be looked at any further.
  if (folded.replace(/\D/g, '').length < MIN_DIGITS) return false;
  const plain = folded
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .replace(/[\p{Pd}−]/gu, '-');
  const runs = plain.match(GROUPS) ?? [];
  return (
    runs.some((run) => {
      const groups = run.split(/[ .-]/);
      return !run.startsWith('+') && groups.some((_, from) => startsCardNumber(groups.slice(from)));
    }) || [...plain.matchAll(APART)].some(([, run = '']) => startsCardNumber(run.split(/\D+/)))
  );
}

/** What follows a number, such as a date, may look like more of it. */
function startsCardNumber(groups: readonly string[]): boolean {
  let digits = '';
  for (const group of groups) {
    digits += group;
    if (digits.length > MAX_DIGITS) return false;
    if (digits.length >= MIN_DIGITS && !digits.startsWith('0') && passesLuhn(digits) && !isCnpj(digits)) return true;
  }
  return false;
}

/** Any of their length may be one in a browser that has not learned how to tell. */
function isCnpj(digits: string): boolean {
  const rule = documentRule('BR');
  return rule ? rule.problem(digits) === undefined : digits.length === 14;
}
