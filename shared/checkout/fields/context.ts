import * as addresses from './address/address.ts';
import { isCountry } from './address/countries.ts';
import { type Documents, documents } from './document/documents.ts';

/**
 * The rules of countries. `countryRules` has all of them; a browser loads only those that its form needs. A value
 * without a rule is accepted.
 */
export type CountryRules = {
  addresses?: typeof addresses;
  documents?: Documents;
  /** Whether a country has this code (ISO 3166-1, two letters). */
  isCountry?: (code: string) => boolean;
};

/** The rules of all countries: far more than a browser should load. */
export const countryRules: Required<CountryRules> = { addresses, documents, isCountry };

/** The inputs of a field's rule besides its value. */
export type FieldContext = CountryRules & {
  /** Every value known so far, by its path in the request. */
  values: Readonly<Record<string, string>>;
  /** The order's currency. */
  currency: string;
  /** Today's date, as `YYYY-MM-DD`. */
  today: string;
  /** The complete card number in the form. Other fields must not contain it. */
  card?: string;
  /** The country that was chosen for a telephone number. Default: the most likely country. */
  phoneCountry?: string;
  /**
   * Reads telephone numbers: `phoneNumber` with its metadata, which is too large for a form without such a field. If
   * absent, every number is accepted.
   */
  phones?: (text: string, country: string | undefined) => string | undefined;
  /** Whether a calling code exists. If absent, every code is accepted. */
  isCallingCode?: (digits: string) => boolean;
};

/** The reason for a refused value: a key of the form's texts. */
export type FieldProblemKey =
  | 'address_web_invalid'
  | 'amount_invalid'
  | 'card_in_field'
  | 'choice_missing'
  | 'code_form_invalid'
  | 'date_far'
  | 'date_future'
  | 'date_incomplete'
  | 'date_invalid'
  | 'digits_only'
  | 'document_incomplete'
  | 'document_invalid'
  | 'email_invalid'
  | 'field_invalid'
  | 'file_kind'
  | 'file_large'
  | 'file_unreadable'
  | 'name_invalid'
  | 'phone_invalid'
  | 'postal_code_invalid'
  | 'too_long';

/** The fault of a value: the key of a text, and the values of its placeholders. */
export type FieldProblem = { key: FieldProblemKey; values?: Record<string, string> };
