import type { FieldContext } from '../../../shared/checkout/fields/context.ts';
import { digitsOf, latin } from '../../../shared/checkout/fields/digits.ts';
import { documentRuleOf } from '../../../shared/checkout/fields/document/document.ts';
import { kindOf } from '../../../shared/checkout/fields/kinds.ts';
import { fieldProblem, fieldValue } from '../../../shared/checkout/fields/rules.ts';
import type { MessageKey } from '../../locales/messages.ts';
import type { Format } from '../card/retype.ts';
import type { ExtraField } from '../fields.ts';
import { chosenMethod, type Message, type State, type View } from '../state.ts';
import { addressPart, placeOf, ruleOf } from './address/address.ts';
import { isRepetition } from './address/delivery.tsx';
import { catalogue, FILE, FILE_TYPE, FILE_URL, type GroupedField, type GroupName } from './catalogue.ts';
import { contextOf, type DetailsContext, type Form, phoneContext, phoneCountryOf } from './context.ts';
import { applies, fallbackOf, isMethodField, requestedPaths } from './requested.ts';

const GROUPS: readonly GroupName[] = ['bank', 'contact', 'billing', 'delivery', 'address', 'bank_account'];

/** All fields beside the card's that are to be filled in now, in the order in which they stand. */
export function findFields(form: Form): GroupedField[] {
  const { state } = form.checkout;
  const requested = requestedPaths(state);
  const context = contextOf(form);
  const places = [...catalogue.keys()];
  const placed = [...catalogue].flatMap(([name, entry], index) => {
    if (!requested.has(name) || !isShown(name, state, requested, context)) return [];
    const own = { name, ...entry, ...overrides(name, state, requested, context), format: formatOf(name, context) };
    const repeats = fallbackOf(name, requested) !== undefined;
    const problem = (value: string) =>
      repeats && !value ? undefined : problemOf(own, value, context, state.view.prefill);
    const field: GroupedField = { ...own, problem };
    const place = addressPart(name) ? placeOf(name, context) * places.length + index : index;
    const group = GROUPS.indexOf(field.group) + (isMethodField(name, state) ? 0 : GROUPS.length);
    return [{ field, place: group * places.length ** 2 + place }];
  });
  return placed.sort((one, other) => one.place - other.place).map(({ field }) => field);
}

/** What differs from the catalogue here and now: by the country, or by what else is asked. */
function overrides(
  name: string,
  state: State,
  requested: ReadonlySet<string>,
  context: FieldContext,
): Partial<GroupedField> {
  if (name === FILE_URL && requested.has(FILE)) return { optional: true };
  const optional = fallbackOf(name, requested) ? { optional: true } : {};
  if (name === 'bank_code') return bankChoice(state);
  if (kindOf(name) === 'document') return { ...documentHere(name, context), ...optional };
  switch (addressPart(name)?.part) {
    case 'postal_code':
      return postalCodeHere(name, context);
    case 'state':
      return stateHere(name, context);
    default:
      return optional;
  }
}

function bankChoice(state: State): Partial<GroupedField> {
  const method = chosenMethod(state);
  const banks = method?.type === 'apm' ? method.banks : undefined;
  return banks?.length ? { group: 'bank', label: 'bank', kind: 'choice', choices: banks } : {};
}

/** Identity documents are called by the names that they have in their country; the account holder's may be another one's. */
function documentHere(name: string, context: FieldContext): Partial<GroupedField> {
  const rule = documentRuleOf(name, context);
  if (!rule) return {};
  const numeric = rule.numeric ? ({ inputMode: 'numeric' } as const) : {};
  return name.includes('owner') ? numeric : { label: { text: rule.name }, ...numeric };
}

function postalCodeHere(name: string, context: FieldContext): Partial<GroupedField> {
  const rule = ruleOf(name, context).postalCode;
  if (!rule) return { optional: true };
  return { label: rule.label, optional: !rule.required, ...(rule.numeric && { inputMode: 'numeric' }) };
}

function stateHere(name: string, context: FieldContext): Partial<GroupedField> {
  const rule = ruleOf(name, context).state;
  if (!rule) return { optional: true };
  const own = { label: rule.label, optional: !rule.required };
  if (!rule.options) return own;
  const choices = rule.options.map(([code, label]) => ({ code, name: label }));
  const held = context.values[name];
  // What the shop or a browser filled in and the list does not know may still be right.
  if (held && choices.every(({ code }) => code !== held)) choices.unshift({ code: held, name: held });
  return { ...own, kind: 'choice', choices };
}

/** Whether a path that is asked for has a field of its own: what is known otherwise is not asked. */
function isShown(path: string, state: State, requested: ReadonlySet<string>, context: FieldContext): boolean {
  if (path === FILE_TYPE && requested.has(FILE)) return false;
  return applies(path, state, context) && !isRepetition(path, state, requested);
}

function problemOf(
  field: Omit<ExtraField, 'problem'>,
  value: string,
  context: DetailsContext,
  prefill: View['prefill'],
): Message | undefined {
  const { name, kind, optional, choices = [] } = field;
  // A state that the shop knows by its name is held by its code.
  const held = kind === 'choice' ? (context.values[name] ?? '') : value || (context.values[name] ?? '');
  const chosen = kind === 'choice' || kind === 'country';
  if (!held) return optional ? undefined : { key: chosen ? 'choice_missing' : missingOf(field.label) };
  if (name === 'bank_code' && kind === 'choice' && !choices.some(({ code }) => code === held)) {
    return { key: 'bank_unknown' };
  }
  if (kind === 'file' || isShopsState(name, held, prefill)) return undefined;
  if (kind !== 'tel') return fieldProblem(name, held, context);
  // Without its calling code it could not be called.
  if (!/^\s*(\+|00)/.test(held) && !phoneCountryOf(name, context)) return { key: 'choice_missing' };
  return fieldProblem(name, held, phoneContext(name, held, context));
}

/** What is said of an empty field; one without a text of its own is called by its label. */
function missingOf(label: ExtraField['label']): MessageKey {
  switch (label) {
    case 'email':
    case 'phone':
    case 'first_name':
    case 'last_name':
    case 'address':
    case 'city':
    case 'postal_code':
      return `${label}_missing`;
    default:
      return 'field_missing';
  }
}

/** Whether it is a state as the session came with it, here or in another address: a list may not know what is right all the same. */
function isShopsState(path: string, held: string, prefill: View['prefill'] = {}): boolean {
  const isState = (name: string) => addressPart(name)?.part === 'state';
  return isState(path) && Object.entries(prefill).some(([name, said]) => isState(name) && said.trim() === held.trim());
}

/** How a field is shown while it is typed; undefined if it stays as it is typed. */
function formatOf(path: string, context: FieldContext): Format | undefined {
  switch (kindOf(path)) {
    case 'area_code':
    case 'calling_code':
    case 'local_number':
      return digitsOf;
    case 'currency':
      return (text) => text.toUpperCase();
    case 'document':
      return documentRuleOf(path, context)?.format;
    case 'postal_code':
      return postalFormat(path, context);
    default:
      return undefined;
  }
}

/** A postal code of digits gets its hyphen while it is typed; every other its written form once the shopper is done. */
function postalFormat(path: string, context: FieldContext): Format {
  const { numeric, example = '' } = ruleOf(path, context).postalCode ?? {};
  const grouped = numeric === true && /\D/.test(example);
  return (text, how = '') => {
    if (!how) return fieldValue(path, text, context);
    return grouped && !how.startsWith('delete') ? spread(digitsOf(text), example) : latin(text);
  };
}

/** Puts digits where the example has digits, with what stands between those. */
function spread(digits: string, example: string): string {
  let at = 0;
  let text = '';
  for (const sign of example) {
    if (at >= digits.length) break;
    text += /\d/.test(sign) ? digits[at++] : sign;
  }
  return text;
}
