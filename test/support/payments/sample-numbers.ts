import { passesLuhn } from '../../../shared/card-data/luhn.ts';
import vectors from '../../../shared/vectors/sample-numbers.json' with { type: 'json' };

/** A number that is no card number: the field in which a shopper types it, and the currency of the payment. */
type SampleNumber = { country: string; currency: string; path: string; value: string };

const { documents, emails, phones } = vectors;

/**
 * Every number in the table of published samples, which form and relay accept. One in ten identity numbers ends with
 * a card's check digit by chance: each sample of digits only is included a second time with such an end.
 */
export const sampleNumbers: readonly SampleNumber[] = [
  ...documents.flatMap(({ country, currency, numbers }) =>
    numbers
      .flatMap((value) => [value, ...luhnTwin(value)])
      .map((value) => ({ country, currency, path: 'document', value })),
  ),
  ...emails.flatMap((row) => row.values.map((value) => ({ ...row, path: 'shopper_email', value }))),
  ...phones.flatMap((row) => row.values.map((value) => ({ ...row, path: 'shopper_phone', value }))),
];

/** Published test cards of each brand, which are refused in every field that must not contain a card number. */
export const TEST_CARDS = [
  '4111111111111111',
  '5555555555554444',
  '378282246310005',
  '6011111111111117',
  '3530111333300000',
  '30569309025904',
  '6759649826438453',
  '6212345678901265',
];

/** The same number with a Luhn digit at its end; none if it already has one or is too short for a card's. */
function luhnTwin(value: string): string[] {
  const digits = value.replace(/\D/g, '');
  if (digits.length < 13 || !/\d$/.test(value) || passesLuhn(digits)) return [];
  const ends = [...'0123456789'].filter((end) => passesLuhn(digits.slice(0, -1) + end));
  return ends.map((end) => value.slice(0, -1) + end);
}
