import { countryOf } from './address/country.ts';
import { holdsCardNumber } from './card-number.ts';
import type { FieldContext, FieldProblem, FieldProblemKey } from './context.ts';
import { digitsOf, latin } from './digits.ts';
import { documentProblem, documentRuleOf } from './document/document.ts';
import { isEmail, writeEmail } from './email.ts';
import { type FieldKind, kindOf } from './kinds.ts';

/**
 * The maximum length of a text in the payment's schemas, in UTF-16 units; the spec gives no lengths (§2.10, last
 * lines).
 */
const MAX_LENGTH = 1000;

/** The value of a field as it is sent, and its fault, if it has one. */
export type CheckedField = { written: string; problem: FieldProblem | undefined };

/**
 * Returns the value of the field at `path` of a payment's request (§2.1, §2.3) as it is sent, and its fault; an unknown
 * path has no fault. The value must not be empty: the form decides whether a field may be empty.
 */
export function checkedField(path: string, value: string, context: FieldContext): CheckedField {
  const text = value.trim();
  const kind = kindOf(path);
  if (!kind) return { written: text, problem: undefined };
  const { longest = MAX_LENGTH, write, problem } = rules[kind];
  const at = { ...context, path };
  const written = write?.(text, at) ?? text;
  if (written.length > longest) return { written, problem: { key: 'too_long' } };
  const found = cardProblem(kind, text, context) ?? problem(written, at);
  return { written, problem: typeof found === 'string' ? { key: found } : found };
}

/** The fault of a field's value; see `checkedField`. */
export function fieldProblem(path: string, value: string, context: FieldContext): FieldProblem | undefined {
  return checkedField(path, value, context).problem;
}

/** The value of a field as it is sent. Faults stay in it. A second application changes nothing. */
export function fieldValue(path: string, value: string, context: FieldContext): string {
  const kind = kindOf(path);
  const text = value.trim();
  return (kind && rules[kind].write?.(text, { ...context, path })) ?? text;
}

/**
 * The card's own number must only be in its own field, in any script and with any signs between its digits. Files are
 * not typed, so they are not checked.
 */
function cardProblem(kind: FieldKind, text: string, { card }: FieldContext): FieldProblemKey | undefined {
  if (!card || text.length < card.length || kind === 'file_data' || !digitsOf(text).includes(card)) return undefined;
  return kind === 'name' ? 'name_invalid' : 'card_in_field';
}

/** The path of a field, and the inputs of its rule. */
type At = FieldContext & { path: string };

/** The rule of a kind of fields. */
type Rule = {
  /**
   * The maximum length, in UTF-16 units. Default: that of the schemas, because the spec gives no lengths (§2.10, last
   * lines).
   */
  longest?: number;
  /** A trimmed value as it is sent. Faults stay in it. A second application changes nothing. */
  write?: (text: string, at: At) => string;
  /** The fault of a value in this form. */
  problem: (written: string, at: At) => FieldProblem | FieldProblemKey | undefined;
};

const callingCode = digits(1, 3);
const countryCode = letters(2);

/** The rule of each kind. In doubt a value is accepted: without a rule of its country, only the length is checked. */
export const rules: Readonly<Record<FieldKind, Rule>> = {
  account: {
    longest: 40,
    problem: (account) => (/^[\p{L}\p{N} ./_-]*$/u.test(account) ? undefined : 'field_invalid'),
  },
  amount: {
    write: (text) => decimalOf(latin(text)) ?? text,
    problem: (amount) =>
      decimalOf(amount) === undefined ? { key: 'amount_invalid', values: { example: '2500.00' } } : undefined,
  },
  area_code: digits(1, 5),
  birth_date: {
    write: (text) => writeBirthDate(latin(text)),
    problem: (date, { today }) => birthDateProblem(date, today),
  },
  calling_code: {
    ...callingCode,
    problem: (code, at) =>
      callingCode.problem(code, at) ?? (at.isCallingCode?.(code) === false ? 'phone_invalid' : undefined),
  },
  country: {
    ...countryCode,
    problem: (code, at) =>
      countryCode.problem(code, at) ??
      (at.isCountry?.(code) === false ? { key: 'choice_missing', values: { example: 'BR' } } : undefined),
  },
  currency: letters(3),
  document: {
    write: (text, at) => documentRuleOf(at.path, at)?.compact(text) ?? latin(text),
    problem: (number, at) => documentProblem(at.path, number, at),
  },
  email: {
    longest: 254,
    write: (text) => writeEmail(text),
    problem: (address) => (isEmail(address) ? undefined : 'email_invalid'),
  },
  file_data: {
    longest: 6_700_000,
    problem: (data) => (data.length % 4 === 0 && /^[a-z\d+/]*={0,2}$/i.test(data) ? undefined : 'file_unreadable'),
  },
  file_type: { problem: (type) => (/^[\w.+-]+\/[\w.+-]+$/.test(type) ? undefined : 'field_invalid') },
  identifier: { problem: () => undefined },
  line: { problem: cardIn },
  local_number: digits(4, 15),
  name: { problem: (name) => (holdsCardNumber(name) ? 'name_invalid' : undefined) },
  phone: {
    write: (text, at) => writePhone(text, phoneCountryOf(at), at.phones),
    problem: (number, at) => (isPhone(number, phoneCountryOf(at), at.phones) ? undefined : 'phone_invalid'),
  },
  postal_code: {
    write(text, at) {
      const rule = at.addresses?.addressRule(countryOf(at.path, at)).postalCode;
      return rule ? (at.addresses?.writePostalCode(rule, latin(text).normalize('NFKC')) ?? text) : text;
    },
    problem(code, at) {
      const { postalCode } = at.addresses?.addressRule(countryOf(at.path, at)) ?? {};
      if (!postalCode?.example) return code.length > 20 ? 'too_long' : cardIn(code);
      const { pattern, example } = postalCode;
      return pattern.test(code) ? undefined : { key: 'postal_code_invalid', values: { example } };
    },
  },
  state: {
    write: (text, at) => codeOfState(text, at) || text,
    problem: (state, at) => (codeOfState(state, at) === '' ? 'choice_missing' : cardIn(state)),
  },
  web_address: {
    longest: 2000,
    problem: (address) => (/^https:\/\/[^\s/?#]+\S*$/i.test(address) ? undefined : 'address_web_invalid'),
  },
};

function phoneCountryOf(at: At): string | undefined {
  return at.phoneCountry ?? countryOf(at.path, at);
}

/** The digits of a number that people write with separators. */
function digits(min: number, max: number): Rule {
  return {
    write(text) {
      const plain = latin(text).replace(/[\s()+./-]/g, '');
      return /^\d+$/.test(plain) ? plain : text;
    },
    problem(number) {
      if (!/^\d+$/.test(number)) return 'digits_only';
      return number.length < min || number.length > max ? 'phone_invalid' : undefined;
    },
  };
}

/** A code with a fixed number of letters. */
function letters(count: number): Rule {
  return {
    write: (text) => text.toUpperCase(),
    problem: (code) =>
      code.length === count && /^[A-Z]+$/.test(code)
        ? undefined
        : { key: 'code_form_invalid', values: { count: String(count) } },
  };
}

function cardIn(text: string): 'card_in_field' | undefined {
  return holdsCardNumber(text) ? 'card_in_field' : undefined;
}

/** The code of a state; empty for one that its country does not have, undefined if any text may be one. */
function codeOfState(text: string, at: At): string | undefined {
  const country = countryOf(at.path, at) ?? '';
  const { options } = at.addresses?.addressRule(country).state ?? {};
  return options && (at.addresses?.stateCode(country, options, text) ?? '');
}

/**
 * An amount of money as a decimal number (`2500.50`), for any thousands and decimal separators; undefined for other
 * texts and for ambiguous ones: `2.500` means a thousand times as much in one country as in another.
 */
function decimalOf(text: string): string | undefined {
  const plain = text.replace(/[\s'’]/g, '');
  const [, whole = plain, mark = '', decimals = ''] = /^(.*)([.,])(\d\d?)$/.exec(plain) ?? [];
  const groups = /^\d{1,3}(?:([.,])\d{2,3})(?:\1\d{2,3})*$/.exec(whole);
  const isCertain = groups
    ? groups[1] !== mark && (mark !== '' || whole.split(/[.,]/).length > 2)
    : /^\d+$/.test(whole);
  if (!isCertain) return undefined;
  const digits = whole.replace(/\D/g, '');
  return digits.length > 15 ? undefined : [digits, decimals].filter(Boolean).join('.');
}

const OLDEST_YEARS = 130;

type BirthDateProblem = 'date_incomplete' | 'date_invalid' | 'date_future' | 'date_far';

type Day = { day: number; month: number; year: number };

/**
 * A date of birth as it is sent, `DD-MM-YYYY` (§2.1). Other forms stay unchanged, because the spec shows none for a
 * person.
 */
function writeBirthDate(text: string): string {
  return text.replace(/^(\d\d?)-(\d\d?)-(\d{4})$/, (_, day: string, month: string, year: string) =>
    [day.padStart(2, '0'), month.padStart(2, '0'), year].join('-'),
  );
}

/** The fault of a date of birth, `DD-MM-YYYY` or `YYYY-MM-DD`, if there is one. `today` is `YYYY-MM-DD`. */
function birthDateProblem(text: string, today: string): BirthDateProblem | undefined {
  const born = parts(text);
  if (!born) return 'date_incomplete';
  if (!isReal(born)) return 'date_invalid';
  const now = parts(today);
  if (!now) return undefined;
  const days = (date: Day): number => (date.year * 12 + date.month) * 31 + date.day;
  if (days(born) > days(now)) return 'date_future';
  return now.year - born.year > OLDEST_YEARS ? 'date_far' : undefined;
}

function parts(text: string): Day | undefined {
  const [, day, month, year] = /^(\d\d?)-(\d\d?)-(\d{4})$/.exec(text) ?? [];
  if (year) return { day: Number(day), month: Number(month), year: Number(year) };
  const [, first, second, third] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  return first ? { day: Number(third), month: Number(second), year: Number(first) } : undefined;
}

function isReal({ day, month, year }: Day): boolean {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day >= 1 && day <= ([31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0);
}

type Phones = FieldContext['phones'];

/** A telephone number as it is sent: in E.164, if it can be read. */
export function writePhone(text: string, country: string | undefined, phones: Phones): string {
  return phones?.(text, country) ?? latin(text);
}

/**
 * Whether a text may be a telephone number. If its country or the form of its numbers is not known, only its length is
 * checked.
 */
export function isPhone(text: string, country: string | undefined, phones: Phones): boolean {
  if (phones?.(text, country)) return true;
  const digits = text.replace(/[\s()./-]/g, '');
  const isKnown = phones !== undefined && (country !== undefined || /^(?:\+|00)/.test(digits));
  return !isKnown && /^\+?\d{6,15}$/.test(digits);
}
