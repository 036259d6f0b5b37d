import metadata from 'libphonenumber-js/min/metadata';
import type { FieldContext, FieldProblem, FieldProblemKey } from '../../../shared/checkout/fields/context.ts';
import { countryRules } from '../../../shared/checkout/fields/context.ts';
import { kindOf } from '../../../shared/checkout/fields/kinds.ts';
import { phoneNumber } from '../../../shared/checkout/fields/phone/libphonenumber.ts';
import { type CheckedField, checkedField, fieldProblem, fieldValue } from '../../../shared/checkout/fields/rules.ts';
import { isObject } from '../../../shared/checkout/is-object.ts';
import type { PayByCard, PayByToken } from '../../../shared/checkout/pay.ts';
import type { FieldError } from '../../../shared/checkout/problem.ts';
import { invalidFields } from '../../base/errors.ts';
import type { Context } from '../../context/context.ts';
import type { Session } from '../../payments/session.ts';
import type { PayBody } from '../message.ts';
import { splitNames } from './card-in-text.ts';
import { isCollected, shownFields, textsIn } from './filled.ts';

type Clock = Pick<Context, 'now'>;

/** A missing field is not checked. */
const nothing: CheckedField = { written: '', problem: undefined };

/** The texts of the fields with a rule, by their dotted paths. */
type Fields = ReadonlyMap<string, string>;

/**
 * Checks the fields that the shopper typed by the rules of the form. Values of the order are not checked, and missing
 * fields are left to the gateway. Fields that the form does not show are checked for card numbers only. Returns the
 * body with each shown field in the form in which it is sent. Throws ProblemError `invalid_request`, which names each
 * wrong field and its correction, never a value.
 */
export function checkedFields<Body extends PayBody>(clock: Clock, { terms }: Session, body: Body): Body {
  const [said, typed] = [fieldsIn(terms.order), fieldsIn(body)];
  const context = fieldContext(clock, terms.order.currency, [said, typed], body);
  const isAsked = shownFields(terms);
  const errors: FieldError[] = [];
  const wrong = new Set<string>();
  const sent = new Map<string, string>();
  for (const [path, text] of typed) {
    const asked = isAsked(path);
    const { written, problem } = text ? checkedField(path, text, context) : nothing;
    if (problem) wrong.add(path);
    if (problem && (asked || isCard(problem)) && !isFromShop(said, path, text, written, context)) {
      errors.push({ path, message: adviceOn(problem) });
    }
    if (!asked) continue;
    const own = shopText(said, path, written, context) ?? written;
    // A text that differs only by outer spaces is sent as the shop wrote it.
    if (own !== text.trim()) sent.set(path, own);
  }
  errors.push(...cardsInTwoParts(typed, wrong, context));
  if (errors.length > 0) throw invalidFields(errors);
  return [...sent].reduce<Body>((changed, [path, text]) => withText(changed, path.split('.'), text), body);
}

/** A card number that is split between a first name and the last name. */
function cardsInTwoParts(typed: Fields, wrong: ReadonlySet<string>, context: FieldContext): FieldError[] {
  return splitNames.flatMap(([first, last]): FieldError[] => {
    const halves = [typed.get(first), typed.get(last)];
    if (!halves.every(Boolean) || wrong.has(first) || wrong.has(last)) return [];
    const problem = fieldProblem(first, halves.join(' '), context);
    return problem ? [{ path: first, message: adviceOn(problem) }] : [];
  });
}

/** Whether a problem is a card number in the field. */
function isCard({ key }: FieldProblem): boolean {
  return key === 'card_in_field' || key === 'name_invalid';
}

function fieldContext({ now }: Clock, currency: string, known: readonly Fields[], body: PayBody): FieldContext {
  const values: Record<string, string> = {};
  for (const fields of known) for (const [path, text] of fields) if (text) values[path] = text;
  return {
    ...countryRules,
    ...('card' in body && { card: body.card }),
    values,
    currency,
    today: now().toISOString().slice(0, 10),
    phones: (text, country) => phoneNumber(text, country, metadata),
    isCallingCode: (digits) => Object.hasOwn(metadata.country_calling_codes, digits),
  };
}

/** Whether the order has this text in a field of the same kind: the delivery may go to the billing address. */
function isFromShop(said: Fields, path: string, text: string, written: string, context: FieldContext): boolean {
  const kind = kindOf(path);
  return [...said].some(
    ([name, own]) => kindOf(name) === kind && (own === text || fieldValue(name, own, context) === written),
  );
}

/** The order's text of a field, if the shopper did not change it. */
function shopText(said: Fields, path: string, written: string, context: FieldContext): string | undefined {
  const own = said.get(path);
  return own !== undefined && fieldValue(path, own, context) === written ? own : undefined;
}

function fieldsIn(value: object): Fields {
  return textsIn(value, (path) => kindOf(path) !== undefined);
}

/** Returns a copy with another text at a path. Other branches are shared with the original. */
function withText<Value extends object>(value: Value, [name = '', ...rest]: readonly string[], text: string): Value {
  const inner = isObject(value) ? value[name] : undefined;
  return { ...value, [name]: isObject(inner) ? withText(inner, rest, text) : text };
}

type Values = NonNullable<FieldProblem['values']>;

/** The messages about wrong fields for clients of the API. The form has its own texts. */
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

/** The message about a wrong field, without its value. */
function adviceOn({ key, values = {} }: FieldProblem): string {
  const advice = ADVICE[key];
  return typeof advice === 'string' ? advice : advice(values);
}

/** The fields that every payment may have. All others must be requested by the session. */
const alwaysAllowed = new Set([
  'revision',
  'device',
  'card',
  'expiration_month',
  'expiration_year',
  'security_code',
  'token_id',
  'installments',
  'installments_id',
  'payment_method',
  'bank_code',
  'person',
  'first_name',
  'last_name',
]);

/**
 * Checks a payment against the session: its methods, saved cards, installments and requested fields. The browser
 * decides nothing else. Throws ProblemError `invalid_request`.
 */
export function checkOffered(session: Session, body: PayBody): void {
  const { terms } = session;
  const errors: FieldError[] = [];
  const apm = terms.methods.find(
    (method) => method.type === 'apm' && 'payment_method' in body && method.payment_method === body.payment_method,
  );
  if ('payment_method' in body) {
    if (!apm) errors.push({ path: 'payment_method', message: 'is not offered by this session' });
    const { bank_code } = body;
    if (bank_code && apm?.type === 'apm' && apm.banks && !apm.banks.some(({ code }) => code === bank_code)) {
      errors.push({ path: 'bank_code', message: 'is not one of the banks that this session offers' });
    }
  } else if (!terms.methods.some((method) => method.type === 'card')) {
    errors.push({ path: 'card' in body ? 'card' : 'token_id', message: 'cards are not offered by this session' });
  }
  if ('token_id' in body && !terms.saved_cards.some((saved) => saved.token_id === body.token_id)) {
    errors.push({ path: 'token_id', message: 'is not one of the session’s saved cards' });
  }
  if (choosesInstallments(body) && !isOffered(session, body)) {
    errors.push({ path: 'installments', message: 'is not one of the session’s installment options' });
  }
  const own = apm?.type === 'apm' ? (apm.fields ?? []) : [];
  const isAsked = (path: string): boolean =>
    (path === 'token_flag' && terms.keeps_cards) || isCollected(terms, path) || own.includes(path);
  for (const [path, value] of Object.entries(body)) {
    if (value !== undefined && !alwaysAllowed.has(path) && !isAsked(path)) {
      errors.push({ path, message: 'is not asked for by this session' });
    }
  }
  if (errors.length > 0) throw invalidFields(errors);
}

function choosesInstallments(body: PayBody): body is PayByCard | PayByToken {
  return !('payment_method' in body) && (body.installments !== undefined || body.installments_id !== undefined);
}

function isOffered(session: Session, body: { installments?: string; installments_id?: string }): boolean {
  return session.terms.installment_options.some(
    (option) => option.installments === body.installments && option.installments_id === body.installments_id,
  );
}
