import type { FieldProblem, FieldProblemKey } from '../../../shared/checkout/fields/context.ts';

type Values = NonNullable<FieldProblem['values']>;

/** What to do about each problem of a field, for whoever calls the API; the form has texts of its own. */
const ADVICE: Record<FieldProblemKey, string | ((values: Values) => string)> = {
  address_web_invalid: 'must be an address that begins with https://',
  amount_invalid: ({ example }) => `must be a decimal number such as ${example}`,
  card_in_field: 'must not hold a card number',
  choice_missing: ({ example }) =>
    example
      ? `must be the ISO 3166-1 code of a country, such as ${example}`
      : 'must be one of the country’s states: its ISO 3166-2 code without the country, such as SP',
  code_form_invalid: ({ count }) => `must be ${count} letters`,
  date_far: 'must be a date of the last 130 years',
  date_future: 'must be a date in the past',
  date_incomplete: 'must be a whole date of the form DD-MM-YYYY',
  date_invalid: 'must be a real date of the form DD-MM-YYYY',
  digits_only: 'must be digits',
  document_incomplete: 'must be a whole number of a document of the country',
  document_invalid:
    'must be a number of a document of the country: compare it with the document, its check digit is wrong',
  email_invalid: 'must be an e-mail address such as ada@example.com',
  field_invalid: 'must not hold characters that do not belong there',
  file_kind: 'must be a picture or a PDF',
  file_large: 'must be smaller',
  file_unreadable: 'must be base64 with its padding',
  name_invalid: 'must be a name, not a card number',
  phone_invalid: 'must be a telephone number, best with + and its country’s calling code',
  postal_code_invalid: ({ example }) => `must be a postal code of the country, such as ${example}`,
  too_long: 'must be shorter',
};

/** Says what to do about a field, without the value that is in it. */
export function adviceOn({ key, values = {} }: FieldProblem): string {
  const advice = ADVICE[key];
  return typeof advice === 'string' ? advice : advice(values);
}
