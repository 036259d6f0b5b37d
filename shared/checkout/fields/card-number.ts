import { isCardNumber, MAX_CARD_DIGITS, MIN_CARD_DIGITS } from '../../card-data/ranges.ts';
import { latin } from './digits.ts';

/** Groups of digits that people write as one number, with the sign before a telephone number. */
const GROUPS = /\+?\d+(?:[ .-]\d+)*/g;

/**
 * Groups as on a card, all with the same separator: `4111 / 1111 / 1111 / 1111`. Groups after the `+` of a telephone
 * number are excluded, and so are shorter groups, as in addresses and dates.
 */
const APART = /(?<!\d|\+\d[\d ()./-]*)(?=(\d{4,}([^\p{L}\p{N}]{1,3})\d{4,}(?:\2\d{4,})*(?:\2\d{1,3})?))/gu;

/**
 * Whether a name, an address or a note contains a card number: 13 to 19 digits, in groups or not, in the range of a
 * card brand and with its check digit. Digits after a `+` are a telephone number.
 */
export function holdsCardNumber(text: string): boolean {
  const folded = latin(text).normalize('NFKC');
  // Nearly every text has too few digits for a card number.
  if (folded.replace(/\D/g, '').length < MIN_CARD_DIGITS) return false;
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

/** Text after a number, such as a date, may look like more of its digits. */
function startsCardNumber(groups: readonly string[]): boolean {
  let digits = '';
  for (const group of groups) {
    digits += group;
    if (digits.length > MAX_CARD_DIGITS) return false;
    if (isCardNumber(digits)) return true;
  }
  return false;
}
