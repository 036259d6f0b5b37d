import { cardNumberAmong } from '../../shared/card-data/typed.ts';

/**
 * A typed search in a form that is safe in an address: a card number becomes its last four digits, a session's client secret
 * becomes the session's id.
 */
export function searchText(typed: string): string {
  const text = typed.trim();
  const card = cardNumberAmong(text);
  if (card !== undefined) return card.slice(-4);
  return text.replace(/(cs_[\w-]{20,})\.\S*/g, '$1').slice(0, MAX_LENGTH);
}

/** The maximum length of a search. */
const MAX_LENGTH = 320;
