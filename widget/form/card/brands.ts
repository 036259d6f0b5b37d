import creditCardType from 'credit-card-type';
import type { Brand } from './brand.ts';
import { FOURS } from './number.ts';

/** Brands whose numbers do not all end in a Luhn digit, and Maestro's ranges of that kind. */
const WITHOUT_LUHN = new Set(['unionpay', 'hipercard', 'naranja']);
const MAESTRO_WITHOUT_LUHN = /^50108[012]/;

/** The first six digits always suffice to tell the brand, though several patterns may still match. */
const TELLING_DIGITS = 6;

/** The brand that these digits most likely belong to; undefined when there is none. */
export function likelyBrand(digits: string): Brand | undefined {
  const found = digits ? creditCardType(digits)[0] : undefined;
  if (!found) return undefined;
  const { type: id, niceType: name, lengths, code } = found;
  // The table groups sixteen digits of a brand that has numbers of nineteen.
  const gaps = found.gaps.every((gap, index) => gap === FOURS[index]) ? FOURS : found.gaps;
  const checkDigit = !WITHOUT_LUHN.has(id) && !MAESTRO_WITHOUT_LUHN.test(digits);
  return { id, name, gaps, lengths, code, checkDigit };
}

/** The brand that these digits belong to; undefined while more than one is still possible. */
export function certainBrand(digits: string): Brand | undefined {
  const told = digits.length >= TELLING_DIGITS || (digits !== '' && creditCardType(digits).length === 1);
  return told ? likelyBrand(digits) : undefined;
}
