import { digitRows } from '../../../shared/card-data/digits.ts';
import { type CardSecrets, mayHoldCard } from '../../../shared/card-data/mask.ts';

/** ASCII alone, without a digit. */
const NO_DIGIT = /^[\0-/:-\x7f]*$/;

/** More digits of a card in a row than may be kept: its first six and its last four are shown. */
const TELLING = 7;

/**
 * Whether a text that a shopper typed beside the card may hold card data: digits of the card that is paid with, its security
 * code, or any card number, however its digits are set apart. Where it is in doubt it says yes.
 */
export function mayHoldTypedCard(text: string, own: CardSecrets): boolean {
  // Most texts are names and places, and need no closer look (`npm run bench -- fields`).
  if (NO_DIGIT.test(text)) return false;
  return mayHoldCard(text, own) || sharesDigits(text, own.card);
}

function sharesDigits(text: string, card = ''): boolean {
  if (text.length < TELLING || card === '') return false;
  return digitRows(text).some((digits) => {
    if (digits.length < TELLING) return false;
    for (let at = 0; at + TELLING <= card.length; at++) {
      if (digits.includes(card.slice(at, at + TELLING))) return true;
    }
    return false;
  });
}
