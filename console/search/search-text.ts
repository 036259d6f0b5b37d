import { cardNumberAmong } from '../../shared/card-data/typed.ts';

/**
 * What a person typed as it can stand in an address, which is kept and sent: of a card number the last four digits, of a session's client
 * secret the id.
 */
export function searchText(typed: string): string {
  const text = typed.trim();
  const card = cardNumberAmong(text);
  if (card !== undefined) return card.slice(-4);
  return text.replace(/(cs_[\w-]{20,})\.\S*/g, '$1').slice(0, MAX_LENGTH);
}

/** The longest text that the relay searches for. */
const MAX_LENGTH = 320;
