/** How a digit is separated from the previous one: not at all, only by punctuation, or also by letters. */
export const ADJACENT = 0;
export const BY_SIGNS = 1;
export const BY_LETTERS = 2;

/** The digits of a text, in any notation. */
export type Digits = {
  /** The digits as 0–9, one after another. */
  text: string;
  /** The start and end of each digit in the text. */
  starts: number[];
  ends: number[];
  /** `ADJACENT`, `BY_SIGNS` or `BY_LETTERS`, for each. */
  gaps: number[];
  /** Whether the text contained an escape. Read without escapes, it has other digits. */
  hasEscapes: boolean;
};

/**
 * A character as an escape of URLs, JSON or XML writes it, possibly escaped several times, at the start of the search.
 * In a full-width digit that a URL escapes as UTF-8, the first group is the digit; the other groups are hexadecimal and
 * decimal character codes. At most 16 backslashes are read, so that searches in a long row of them end soon.
 */
const ESCAPED =
  /%(?:25)*ef%(?:25)*bc%(?:25)*9(\d)|%(?:25)*([\da-f]{2})|\\{1,16}(?:u\{0*([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|[a-z])|&(?:amp;)*(?:#x0*([\da-f]{1,6});?|#0*(\d{1,7});?|[a-z]{1,31}\d{0,2};)/iy;

const ZERO = 48;
const NINE = 57;

/**
 * Reads the digits of a text: plain, escaped, full-width and of any script.
 * @param asWritten reads the text without escapes
 */
export function digitsIn(text: string, asWritten = false): Digits {
  const digits: Digits = { text: '', starts: [], ends: [], gaps: [], hasEscapes: false };
  let gap = BY_LETTERS;
  let at = 0;
  while (at < text.length) {
    const start = at;
    let code = text.charCodeAt(at);
    at += 1;
    if (!asWritten && isEscape(code)) {
      ESCAPED.lastIndex = start;
      const escaped = ESCAPED.exec(text);
      if (escaped) {
        digits.hasEscapes = true;
        at = ESCAPED.lastIndex;
        code = codeOf(escaped);
      }
    } else if (code >= 0xd800 && code <= 0xdbff) {
      code = text.codePointAt(start) ?? code;
      if (code > 0xffff) at += 1;
    }
    const digit = code < 128 ? (code >= ZERO && code <= NINE ? code - ZERO : -1) : digitOf(code);
    if (digit >= 0) {
      digits.text += digit;
      digits.starts.push(start);
      digits.ends.push(at);
      digits.gaps.push(gap);
      gap = ADJACENT;
    } else if (gap < BY_LETTERS) gap = isLetter(code) ? BY_LETTERS : BY_SIGNS;
  }
  return digits;
}

/**
 * The digits of a text in each way in which it can be read: with its escapes and, if there are any, without. `100%40`
 * can be a number after a percent sign, or contain an escaped `@`.
 */
export function readings(text: string): Digits[] {
  const digits = digitsIn(text);
  return digits.hasEscapes ? [digits, digitsIn(text, true)] : [digits];
}

/** The digits of each of a text's `readings`, as 0–9. */
export function digitRows(text: string): string[] {
  return isPlain(text) ? [text.replace(/\D+/g, '')] : readings(text).map((digits) => digits.text);
}

/** False for a text with escapes, or with characters that may be digits of another width or script. */
function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (isOddAt(text, at)) return false;
  return true;
}

/** True if an escape, or a digit of another width or script, begins at this position. */
export function isOddAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) {
    if (!isEscape(code)) return false;
    ESCAPED.lastIndex = at;
    return ESCAPED.test(text);
  }
  return mayBeDigit(code) && digitOf(text.codePointAt(at) ?? code) >= 0;
}

function isEscape(code: number): boolean {
  return code === 37 || code === 92 || code === 38;
}

/** False for letters of the Latin, Greek and Cyrillic scripts, which are never digits; some Latin signs are. */
function mayBeDigit(code: number): boolean {
  return code >= 0x600 || (code >= 0xb2 && code <= 0xb9);
}

/** The character of an escape; a blank for a named character and for a byte of UTF-8, which are never digits. */
function codeOf([, fullWidth, byte, ...codes]: RegExpExecArray): number {
  if (fullWidth !== undefined) return ZERO + Number(fullWidth);
  if (byte !== undefined) return byte < '8' ? Number.parseInt(byte, 16) : 32;
  const decimal = codes.pop();
  if (decimal !== undefined) return Number(decimal);
  const hex = codes.find((code) => code !== undefined);
  return hex === undefined ? 32 : Number.parseInt(hex, 16);
}

/** The value of a digit of any script or width; -1 for any other character. */
function digitOf(code: number): number {
  if (!mayBeDigit(code) || code > 0x10ffff) return -1;
  const character = String.fromCodePoint(code);
  if (!/\p{N}/u.test(character)) return -1;
  const plain = character.normalize('NFKC');
  if (/^\d$/.test(plain)) return Number(plain);
  if (!/^\p{Nd}$/u.test(plain)) return -1;
  // The ten digits of a script are consecutive, and the character before them is not a digit.
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return before % 10;
}

function isLetter(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  return code <= 0x10ffff && /\p{L}/u.test(String.fromCodePoint(code));
}
