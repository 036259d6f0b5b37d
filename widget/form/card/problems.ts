import { passesLuhn } from '../../../shared/card-data/luhn.ts';
import { digitsOf } from '../../../shared/checkout/fields/digits.ts';
import { parseExpiry } from './expiry.ts';
import { type Code, rulesOf } from './number.ts';

type NumberProblem = 'number_missing' | 'number_incomplete' | 'number_too_long' | 'number_invalid';
type ExpiryProblem = 'expiry_missing' | 'expiry_invalid' | 'expiry_past' | 'expiry_far';

/** The maximum digits of most cards, although some brands permit more. */
const USUAL = 16;
/** No card is good for longer; a later year is a slip of the finger. */
const MAX_YEARS = 30;

/** The fault of a card number, if there is one. */
export function numberProblem(text: string): NumberProblem | undefined {
  const digits = digitsOf(text);
  if (!digits) return 'number_missing';
  const { lengths, checkDigit } = rulesOf(digits);
  const fits = lengths.includes(digits.length);
  if (fits && (!checkDigit || passesLuhn(digits))) return undefined;
  if (digits.length > Math.min(USUAL, Math.max(...lengths))) return 'number_too_long';
  return fits ? 'number_invalid' : 'number_incomplete';
}

/**
 * The fault of an expiry date, if there is one. A card is valid until the end of its month, in the shopper's time zone.
 */
export function expiryProblem(text: string, now: Date): ExpiryProblem | undefined {
  if (!text.trim()) return 'expiry_missing';
  const expiry = parseExpiry(text);
  if (!expiry) return 'expiry_invalid';
  const years = expiry.year - now.getFullYear();
  if (years > MAX_YEARS) return 'expiry_far';
  return years * 12 + expiry.month <= now.getMonth() ? 'expiry_past' : undefined;
}

/** The fault of a security code, if there is one. */
export function codeProblem(text: string, { size, certain }: Code): 'code_missing' | 'code_invalid' | undefined {
  if (!text) return 'code_missing';
  return text.length === size || (!certain && text.length === 3) ? undefined : 'code_invalid';
}
