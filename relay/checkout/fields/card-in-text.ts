import { latin } from '../../../shared/checkout/fields/digits.ts';
import { passesLuhn } from '../../../shared/gateway/luhn.ts';
import { type CardSecrets, redactText } from '../../base/redact.ts';

const MIN_DIGITS = 12;
const MAX_DIGITS = 19;

/** ASCII alone, without a digit. */
const NO_DIGIT = /^[\0-/:-\x7f]*$/;

/** More digits of a card in a row than may be kept: its first six and its last four are shown. */
const TELLING = 7;

/**
 * Whether a text that a shopper typed beside the card may hold card data: digits of the card that is paid with, its security
 * code, or any run of 12 to 19 digits that passes Luhn, however its digits are set apart. Where it is in doubt it says yes.
 */
export function mayHoldCard(text: string, own: CardSecrets): boolean {
  // Most texts are names and places, and need no closer look (`npm run bench -- fields`).
  if (NO_DIGIT.test(text)) return false;
  // Digits of another width or script are digits.
  const plain = latin(text.normalize('NFKC'));
  const digits = plain.replace(/\D+/g, '');
  if (!digits) return false;
  return (
    redactText(plain, own) !== plain ||
    sharesDigits(digits, own.card) ||
    (digits.length >= MIN_DIGITS && holdsLuhnRun(plain))
  );
}

function sharesDigits(digits: string, card = ''): boolean {
  if (digits.length < TELLING) return false;
  for (let at = 0; at + TELLING <= card.length; at++) {
    if (digits.includes(card.slice(at, at + TELLING))) return true;
  }
  return false;
}

/** Of the groups of digits between two letters, some in a row may be one number, with what else was on the card after it. */
function holdsLuhnRun(text: string): boolean {
  return text.split(/\p{L}+/u).some((between) => {
    const groups = between.match(/\d+/g) ?? [];
    return groups.some((_, from) => startsCardNumber(groups, from)) || groups.some(holdsCardNumber);
  });
}

/** Looks no further than a card number is long: a text of many small groups must not cost much. */
function startsCardNumber(groups: readonly string[], from: number): boolean {
  let run = '';
  for (let at = from; at < groups.length && run.length < MAX_DIGITS; at += 1) {
    run += groups[at];
    if (isCardNumber(run)) return true;
  }
  return false;
}

/** A group that is too long for a card number may begin or end with one. */
function holdsCardNumber(group: string): boolean {
  if (group.length <= MAX_DIGITS) return false;
  return Array.from(group, (_, from) => from).some((from) =>
    Array.from({ length: MAX_DIGITS - MIN_DIGITS + 1 }, (_, more) => group.slice(from, from + MIN_DIGITS + more)).some(
      isCardNumber,
    ),
  );
}

function isCardNumber(digits: string): boolean {
  return digits.length >= MIN_DIGITS && digits.length <= MAX_DIGITS && passesLuhn(digits);
}
