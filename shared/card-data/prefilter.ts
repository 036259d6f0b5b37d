import { isOddAt } from './digits.ts';
import { isNamedCode } from './find.ts';
import { MAX_CARD_DIGITS, MIN_CARD_DIGITS } from './ranges.ts';

/** The card data of one payment, known only while its request lives. */
export type CardSecrets = { card?: string | undefined; security_code?: string | undefined };

/**
 * Whether a text is worth a closer look, by one walk that keeps nothing: every payment has hundreds of texts, and nearly none
 * of them holds card data. False only where nothing can be found.
 * @param anywhere whether card numbers inside longer numbers are looked for
 */
export function mayHold(text: string, { card, security_code }: CardSecrets, anywhere = false): boolean {
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
      if (isTelling(unbroken, groups, group, anywhere) || isCode(text, at, group)) return true;
      group = 0;
    }
    // Lower and upper case alike.
    const letter = code | 32;
    if (letter >= 97 && letter <= 122 && code < 128) {
      unbroken = 0;
      groups = 0;
    } else if ((code >= 128 || code === 37 || code === 38 || code === 92) && isOddAt(text, at)) return true;
  }
  return group > 0 && (isTelling(unbroken, groups, group, anywhere) || isCode(text, length, group));
}

/** Whether groups of digits may be a card number. */
function isTelling(unbroken: number, groups: number, group: number, anywhere: boolean): boolean {
  return unbroken >= MIN_CARD_DIGITS && (anywhere || groups > 1 || group <= MAX_CARD_DIGITS);
}

function isCode(text: string, end: number, group: number): boolean {
  return (group === 3 || group === 4) && isNamedCode(text, end - group);
}

/** Whether the digits of a text, of which one stands here, are so far those of a number at their end. */
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
