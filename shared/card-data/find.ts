import { ADJACENT, BY_LETTERS, BY_SIGNS, type Digits } from './digits.ts';
import { isCardNumber, MAX_CARD_DIGITS, MIN_CARD_DIGITS } from './ranges.ts';

/** A range of a text's digits: from the first one up to, and not including, the second one. */
export type DigitSpan = { from: number; to: number };

/**
 * Every occurrence of a card's own number, with any separators: sixteen digits do not occur in the same order by
 * chance.
 */
export function placesOf(card: string, { text }: Digits): DigitSpan[] {
  const found: DigitSpan[] = [];
  for (let from = text.indexOf(card); from >= 0; from = text.indexOf(card, from + 1)) {
    found.push({ from, to: from + card.length });
  }
  return found;
}

/** The minimum number of digits. A number of thirteen digits is more often an article's (EAN) than a card's. */
const MIN_DIGITS_IN_TEXT = 14;

/**
 * Every number that can be a card's: 14 to 19 digits in complete groups, with only signs between the groups. `anywhere`
 * also finds 13 digits, and numbers inside a longer group, which often look like a card's by chance.
 */
export function cardNumbersIn(digits: Digits, anywhere = false): DigitSpan[] {
  const { text, gaps } = digits;
  const fewest = anywhere ? MIN_CARD_DIGITS : MIN_DIGITS_IN_TEXT;
  const found: DigitSpan[] = [];
  for (let from = 0; from + fewest <= text.length; from++) {
    if (!anywhere && gaps[from] === ADJACENT) continue;
    for (let to = from + 1; to <= text.length && to - from <= MAX_CARD_DIGITS; to++) {
      const next = gaps[to] ?? BY_LETTERS;
      const mayEnd = to - from >= fewest && (anywhere || next !== ADJACENT);
      if (mayEnd && isCardNumber(text.slice(from, to))) found.push({ from, to });
      if (next === BY_LETTERS) break;
    }
  }
  return found;
}

/** Every occurrence of a security code as a separate number, with or without signs between its digits. */
export function codesIn(code: string, digits: Digits): DigitSpan[] {
  const { gaps } = digits;
  return placesOf(code, digits).filter(({ from, to }) => {
    if (gaps[from] === ADJACENT || (gaps[to] ?? BY_LETTERS) === ADJACENT) return false;
    for (let at = from + 1; at < to; at++) if ((gaps[at] ?? BY_LETTERS) > BY_SIGNS) return false;
    return true;
  });
}

/** The maximum distance, in characters, between the name of a security code and the code. */
const MAX_NAME = 50;

/** The names of a security code, in texts and as a field. */
const CODE =
  'cv[vcn]\\d?|cv2|csc|(?:card|security|verification)[\\s_.-]?(?:code|value)|c[oó]digo[\\s_-]de[\\s_-](?:seguran[çc]a|seguridad)';

/** The characters allowed between the name of a code and the code. */
const BETWEEN = '(?:%[\\da-f]{2}|&#?\\w{1,8};|\\\\\\w|[^\\p{L}\\d%&\\\\]|code|is|number|value|was){0,12}';

const CODE_BEFORE = new RegExp(`(?:${CODE})${BETWEEN}$`, 'iu');

/** The name of a field is compared as a whole, so it may also be a short word that would be ambiguous inside a text. */
const CODE_FIELD = new RegExp(`^(?:card[\\s_.-]?)?(?:${CODE}|(?:cvd|cav|cid|pin)\\d?)$`, 'iu');

/** Whether a field with this name contains a security code, whatever its value looks like. */
export function isCodeField(name: string): boolean {
  return CODE_FIELD.test(name);
}

/**
 * Every number of three or four digits with the name of a security code before it: `cvv 123`, `"security_code":"123"`.
 */
export function namedCodesIn(text: string, digits: Digits): DigitSpan[] {
  const { starts, gaps } = digits;
  const found: DigitSpan[] = [];
  for (let from = 0; from < starts.length; ) {
    let to = from + 1;
    while (gaps[to] === ADJACENT) to++;
    if ((to - from === 3 || to - from === 4) && isNamedCode(text, starts[from] ?? 0)) found.push({ from, to });
    from = to;
  }
  return found;
}

/** Whether the name of a security code ends before this position. */
export function isNamedCode(text: string, start: number): boolean {
  return CODE_BEFORE.test(text.slice(Math.max(0, start - MAX_NAME), start));
}
