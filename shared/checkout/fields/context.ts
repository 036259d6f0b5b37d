/** What a field's rule depends on, beside the field's own value. */
export type FieldContext = {
  /** Every value known so far, by its path in the request. */
  values: Readonly<Record<string, string>>;
  /** The order's currency. */
  currency: string;
  /** Where it is today, as `YYYY-MM-DD`. */
  today: string;
  /** The digits of the card number that is typed in the same form, once it is whole: no other field takes it. */
  card?: string;
  /**
   * Reads telephone numbers: `phoneNumber` with its metadata, which weighs too much for a form that asks for none. Where it is
   * missing every number passes.
   */
  phones?: (text: string, country: string | undefined) => string | undefined;
  /** Whether there is a calling code. Where it is missing every one passes. */
  isCallingCode?: (digits: string) => boolean;
};

/** Why a value is refused: keys of the form's texts. */
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

/** What is wrong with a value: the key of a text, and what stands in its placeholders. */
export type FieldProblem = { key: FieldProblemKey; values?: Record<string, string> };
