import { ADJACENT, BY_LETTERS, BY_SIGNS, type Digits } from './digits.ts';
import { isCardNumber, MAX_CARD_DIGITS, MIN_CARD_DIGITS } from './ranges.ts';

/** Digits of a text, from one up to, not including, another. */
export type DigitSpan = { from: number; to: number };

/** Every place of this very number, whatever stands between its digits: by chance no sixteen digits follow one another. */
export function placesOf(card: string, { text }: Digits): DigitSpan[] {
  const found: DigitSpan[] = [];
  for (let from = text.indexOf(card); from >= 0; from = text.indexOf(card, from + 1)) {
    found.push({ from, to: from + card.length });
  }
  return found;
}

/** Thirteen digits are the number of an article (EAN) more often than that of a card. */
const MIN_DIGITS_IN_TEXT = 14;

/**
 * Every number of some card: 14 to 19 digits that begin and end where a group of digits does, with nothing but signs between
 * the groups. `anywhere` takes those of 13 digits, and those inside a longer group, too, which many a number is by chance.
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

/** Every place of this security code that is a number of its own, with signs between its digits or not. */
export function codesIn(code: string, digits: Digits): DigitSpan[] {
  const { gaps } = digits;
  return placesOf(code, digits).filter(({ from, to }) => {
    if (gaps[from] === ADJACENT || (gaps[to] ?? BY_LETTERS) === ADJACENT) return false;
    for (let at = from + 1; at < to; at++) if ((gaps[at] ?? BY_LETTERS) > BY_SIGNS) return false;
    return true;
  });
}

/** So far from a security code its name is looked for. */
const MAX_NAME = 50;

/** The names of a security code, in texts and as a field. */
const CODE =
  'cv[vcn]\\d?|cv2|csc|(?:card|security|verification)[\\s_.-]?(?:code|value)|c[oó]digo[\\s_-]de[\\s_-](?:seguran[çc]a|seguridad)';

/** The characters allowed between the name of a code and the code. */
const BETWEEN = '(?:%[\\da-f]{2}|&#?\\w{1,8};|\\\\\\w|[^\\p{L}\\d%&\\\\]|code|is|number|value|was){0,12}';

const CODE_BEFORE = new RegExp(`(?:${CODE})${BETWEEN}$`, 'iu');

/** A field's name is looked at as a whole, so it may also be one that words of a text have in them. */
const CODE_FIELD = new RegExp(`^(?:card[\\s_.-]?)?(?:${CODE}|(?:cvd|cav|cid|pin)\\d?)$`, 'iu');

/** Whether a field with this name holds a security code, whatever it looks like. */
export function isCodeField(name: string): boolean {
  return CODE_FIELD.test(name);
}

/** Every number of three or four digits that is called a security code: `cvv 123`, `"security_code":"123"`. */
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

/** Whether the name of a security code begins here. */
export function isNamedCode(text: string, start: number): boolean {
  return CODE_BEFORE.test(text.slice(Math.max(0, start - MAX_NAME), start));
}
