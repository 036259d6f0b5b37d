import { passesLuhn } from '../../../shared/card-data/luhn.ts';
import { maskPan } from '../../../shared/card-data/mask.ts';

/** True for 12 to 19 digits whose last one is the Luhn check digit. */
export function isCardNumber(text: string): boolean {
  return /^\d{12,19}$/.test(text) && passesLuhn(text);
}

/** First six and last four of a card number, the rest asterisks; of anything else nothing is shown. */
export function maskCard(card: string): string {
  return /^\d{12,19}$/.test(card) ? maskPan(card) : '******';
}
