import { passesLuhn } from './luhn.ts';

/**
 * The card number in a text, alone or among words; undefined if there is none. It ends where its digits end: a longer
 * number without a space, such as a `transaction_id`, contains none.
 */
export function cardNumberAmong(text: string): string | undefined {
  for (const [run] of text.matchAll(/\d(?:[\s.-]{0,3}\d){12,}/g)) {
    // More digits may follow after a space, such as the expiry month.
    const ends = [...run.matchAll(/\d(?!\d)/g)].map(({ index }) => run.slice(0, index + 1).replace(/\D/g, ''));
    const found = ends.findLast((digits) => cardNumberIn(digits) !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A complete card number as a person types or pastes it, without separators; undefined for any other text. */
export function cardNumberIn(text: string): string | undefined {
  const digits = text.replace(/[\s-]/g, '');
  const isLikeOne = /^(4\d{12,18}|2[2-7]\d{14}|3\d{13,18}|[56]\d{14,18})$/.test(digits);
  return isLikeOne && passesLuhn(digits) ? digits : undefined;
}
