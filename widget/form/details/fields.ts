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

/** All fields besides the card's that must be filled in now, in display order. */
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

/** The differences from the catalogue for this form: by country, or by its other fields. */
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

/** Identity documents have the names of their country. The account holder's country may be another one. */
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
  // A state that the shop or a browser filled in and the list lacks may still be right.
  if (held && choices.every(({ code }) => code !== held)) choices.unshift({ code: held, name: held });
  return { ...own, kind: 'choice', choices };
}

/** Whether a requested path has a field of its own. A value that is known otherwise has none. */
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
  // A state that the shop gave by its name is stored by its code.
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

/** The message about an empty field. A field without a message of its own is named by its label. */
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

/** Whether the state came with the session, for this or another address: the list may lack it although it is right. */
function isShopsState(path: string, held: string, prefill: View['prefill'] = {}): boolean {
  const isState = (name: string) => addressPart(name)?.part === 'state';
  return isState(path) && Object.entries(prefill).some(([name, said]) => isState(name) && said.trim() === held.trim());
}

/** The format of a field while it is typed; undefined for an unformatted field. */
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

/**
 * A postal code with digits only gets its hyphen while it is typed; any other code is formatted when the shopper leaves
 * the field.
 */
function postalFormat(path: string, context: FieldContext): Format {
  const { numeric, example = '' } = ruleOf(path, context).postalCode ?? {};
  const grouped = numeric === true && /\D/.test(example);
  return (text, how = '') => {
    if (!how) return fieldValue(path, text, context);
    return grouped && !how.startsWith('delete') ? spread(digitsOf(text), example) : latin(text);
  };
}

/** Puts digits in the places of the example's digits, with the separators of the example. */
function spread(digits: string, example: string): string {
  let at = 0;
  let text = '';
  for (const sign of example) {
    if (at >= digits.length) break;
    text += /\d/.test(sign) ? digits[at++] : sign;
  }
  return text;
}
