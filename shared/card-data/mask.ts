import { BY_SIGNS, type Digits, digitRows, digitsIn, isOddAt, readings } from './digits.ts';
import { cardNumbersIn, codesIn, type DigitSpan, isNamedCode, namedCodesIn, placesOf } from './find.ts';
import { passesLuhn } from './luhn.ts';
import { MAX_CARD_DIGITS, MIN_CARD_DIGITS } from './ranges.ts';

export type { CardSecrets };

/** A card number as it may be stored and shown: the first six and the last four digits. */
export function maskPan(pan: string): string {
  return `${pan.slice(0, 6)}${'*'.repeat(Math.max(pan.length - 10, 0))}${pan.slice(-4)}`;
}

/**
 * The gateway's masked card, if it shows only the first six and the last four digits; otherwise the relay's own mask,
 * or nothing.
 */
export function safeMaskedCard(fromGateway: string | undefined, own: CardSecrets): string | undefined {
  if (fromGateway && /^\d{0,8}[*xX•]{4,}\d{0,4}$/.test(fromGateway)) return fromGateway;
  return own.card ? maskPan(own.card) : undefined;
}

/**
 * Removes card data from a free text: the payment's own card number and security code, with any separators and in any
 * notation; every number of 14 to 19 digits in a card brand's range that passes Luhn, also in groups; and every number
 * with the name of a security code before it. A text without card data is returned unchanged.
 * @param known further card numbers to mask
 */
export function maskText(text: string, own: CardSecrets = {}, known: readonly string[] = []): string {
  if (known.length === 0 && !mayHold(text, own)) return text;
  return inEachReading(text, (read, digits) => {
    const cards = knownIn(digits, own, known);
    const codes = ownCodesIn(digits, own, cards);
    return masked(read, digits, [...cards, ...cardNumbersIn(digits)], [...codes, ...namedCodesIn(read, digits)]);
  });
}

/** The text without the payment's own card number and security code, with any separators between their digits. */
export function maskOwn(text: string, own: CardSecrets): string {
  if (!mayHold(text, own)) return text;
  return inEachReading(text, (read, digits) => {
    const cards = knownIn(digits, own, []);
    return masked(read, digits, cards, ownCodesIn(digits, own, cards));
  });
}

/** Masks only the payment's own card number, for numbers and identifiers that must not change otherwise. */
export function maskOwnCard(text: string, own: CardSecrets, known: readonly string[] = []): string {
  if (known.length === 0 && (!own.card || !mayHold(text, { card: own.card }))) return text;
  return inEachReading(text, (read, digits) => masked(read, digits, knownIn(digits, own, known), []));
}

/** Masks a text by its digits with escapes, and then by its digits without. */
function inEachReading(text: string, mask: (text: string, digits: Digits) => string): string {
  const digits = digitsIn(text);
  const once = mask(text, digits);
  return digits.hasEscapes ? mask(once, digitsIn(once, true)) : once;
}

/** Whether `maskText` would find card data in a text. */
export function holdsCard(text: string, own: CardSecrets = {}): boolean {
  return maskText(text, own) !== text;
}

/**
 * Whether a text contains the payment's own card number, or its security code with the name of such a code before it.
 */
export function holdsOwnCard(text: string, own: CardSecrets): boolean {
  if (!mayHold(text, own)) return false;
  const { card, security_code } = own;
  return readings(text).some((digits) => {
    if (card && placesOf(card, digits).length > 0) return true;
    const isOwn = ({ from, to }: DigitSpan): boolean => digits.text.slice(from, to) === security_code;
    return Boolean(security_code) && namedCodesIn(text, digits).some(isOwn);
  });
}

/**
 * Whether an address contains card data: `holdsOwnCard`, or any card number. A number next to a letter is a part of a
 * token, and three digits alone can be anything. Other cards' numbers are only searched with escapes: in an address,
 * the `%22` before an order number is a quote, and its digits would turn many order numbers into card numbers.
 * @param ids identifiers that the address may contain, even if they look like a card number
 */
export function addressHoldsCard(address: string, own: CardSecrets = {}, ids: readonly string[] = []): boolean {
  if (holdsOwnCard(address, own)) return true;
  const rest = ids.reduce(withoutId, address);
  if (!mayHold(rest, {})) return false;
  const digits = digitsIn(rest);
  const isLetter = (at: number): boolean => /[a-z]/i.test(rest.charAt(at));
  return cardNumbersIn(digits).some(
    ({ from, to }) => !isLetter((digits.starts[from] ?? 0) - 1) && !isLetter(digits.ends[to - 1] ?? 0),
  );
}

/** The address without a separate identifier. The parts on both sides stay separate. */
function withoutId(address: string, id: string): string {
  if (!/\d/.test(id)) return address;
  const written = [id, encodeURIComponent(id.toWellFormed())].map((text) => text.replace(/[^\w]/g, '\\$&')).join('|');
  return address.replace(new RegExp(`(?:(?<!\\d)|(?<=%[\\da-f]{2}))(?:${written})(?!\\d)`, 'gi'), ' x ');
}

/** Whether a text contains a card number that is known only in the form of `maskPan`, with any separators. */
export function holdsMaskedCard(text: string, masked: string): boolean {
  const [, first, last = ''] = /^(\d{6})\*+(\d{4})$/.exec(masked) ?? [];
  if (first === undefined) return false;
  return digitRows(text).some((digits) => {
    for (let at = digits.indexOf(first); at >= 0; at = digits.indexOf(first, at + 1)) {
      const number = digits.slice(at, at + masked.length);
      if (number.length === masked.length && number.endsWith(last) && passesLuhn(number)) return true;
    }
    return false;
  });
}

/** Whether a text may contain card data: `holdsCard`, and card numbers inside longer numbers. True in doubt. */
export function mayHoldCard(text: string, own: CardSecrets = {}): boolean {
  if (!mayHold(text, own, true)) return false;
  return readings(text).some(
    (digits) =>
      knownIn(digits, own, []).length > 0 ||
      cardNumbersIn(digits, true).length > 0 ||
      (own.security_code ? codesIn(own.security_code, digits).length > 0 : false) ||
      namedCodesIn(text, digits).length > 0,
  );
}

function knownIn(digits: Digits, { card }: CardSecrets, known: readonly string[]): DigitSpan[] {
  const own = card ? placesOf(card, digits) : [];
  return known.length > 0 ? [...own, ...known.flatMap((number) => placesOf(number, digits))] : own;
}

/** Masks the text. A digit in several overlapping numbers is shown only if each number may show it. */
function masked(text: string, digits: Digits, cards: readonly DigitSpan[], codes: readonly DigitSpan[]): string {
  if (cards.length === 0 && codes.length === 0) return text;
  const count = digits.text.length;
  const shown: (string | undefined)[] = new Array(count);
  const isJoined = new Uint8Array(count);
  for (const { from, to } of cards) {
    for (let at = from; at < to; at++) {
      if (at > from) isJoined[at] = 1;
      const isHidden = at >= from + 6 && at < to - 4;
      shown[at] = isHidden ? '*' : (shown[at] ?? digits.text[at]);
    }
  }
  for (const { from, to } of codes) {
    for (let at = from; at < to; at++) {
      if (at > from) isJoined[at] = 1;
      shown[at] = at === from ? '***' : '';
    }
  }
  let result = '';
  let done = 0;
  for (let at = 0; at < count; at++) {
    const mark = shown[at];
    if (mark === undefined) continue;
    // Signs between the digits of one number are removed with it; words stay.
    if (!isJoined[at] || (digits.gaps[at] ?? 0) > BY_SIGNS) result += text.slice(done, digits.starts[at]);
    result += mark;
    done = digits.ends[at] ?? done;
  }
  return result + text.slice(done);
}

/** The occurrences of the payment's own security code. A group of a card number may equal the code. */
function ownCodesIn(digits: Digits, { security_code }: CardSecrets, cards: readonly DigitSpan[]): DigitSpan[] {
  if (!security_code) return [];
  return codesIn(security_code, digits).filter(
    ({ from, to }) => !cards.some((card) => card.from <= from && to <= card.to),
  );
}

/** The card data of one payment. It exists only during the payment's request. */
type CardSecrets = { card?: string | undefined; security_code?: string | undefined };

/**
 * Whether a text needs the complete search, by a single pass without allocations: a payment has hundreds of texts, and
 * nearly none contains card data. False only if nothing can be found.
 * @param anywhere whether card numbers inside longer numbers are searched
 */
function mayHold(text: string, { card, security_code }: CardSecrets, anywhere = false): boolean {
  const { length } = text;
  const lastOfCard = card ? card.charCodeAt(card.length - 1) : -1;
  const lastOfCode = security_code ? security_code.charCodeAt(security_code.length - 1) : -1;
  let unbroken = 0;
  let groups = 0;
  let group = 0;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) {
      if (group === 0) groups += 1;
      group += 1;
      unbroken += 1;
      if (code === lastOfCard && card && endsAt(text, at, card)) return true;
      if (code === lastOfCode && security_code && endsAt(text, at, security_code)) return true;
      continue;
    }
    if (group > 0) {
      if (mayBeCard(unbroken, groups, group, anywhere) || isCode(text, at, group)) return true;
      group = 0;
    }
    // Lower case and upper case.
    const letter = code | 32;
    if (letter >= 97 && letter <= 122 && code < 128) {
      unbroken = 0;
      groups = 0;
    } else if ((code >= 128 || code === 37 || code === 38 || code === 92) && isOddAt(text, at)) return true;
  }
  return group > 0 && (mayBeCard(unbroken, groups, group, anywhere) || isCode(text, length, group));
}

/** Whether groups of digits may be a card number. */
function mayBeCard(unbroken: number, groups: number, group: number, anywhere: boolean): boolean {
  return unbroken >= MIN_CARD_DIGITS && (anywhere || groups > 1 || group <= MAX_CARD_DIGITS);
}

function isCode(text: string, end: number, group: number): boolean {
  return (group === 3 || group === 4) && isNamedCode(text, end - group);
}

/** Whether the digits up to this position end with the digits of a number. */
function endsAt(text: string, here: number, number: string): boolean {
  let left = number.length;
  for (let at = here; at >= 0; at--) {
    const code = text.charCodeAt(at);
    if (code < 48 || code > 57) continue;
    left -= 1;
    if (code !== number.charCodeAt(left)) return false;
    if (left === 0) return true;
  }
  return false;
}
