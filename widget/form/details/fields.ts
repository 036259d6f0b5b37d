import type { collectGroups, PaymentMethod } from '../../../shared/checkout/session.ts';
import type { MessageKey } from '../../locales/messages.ts';
import { type CollectedName, type ExtraField, type FindExtraFields, looksLikeCard } from '../fields.ts';
import type { Told } from '../state.ts';

export type Group = keyof typeof collectGroups;
export type CollectedField = ExtraField & { name: CollectedName };

/** What each group asks. A region is not part of every country's addresses. */
export const groups: Readonly<Record<Group, readonly CollectedField[]>> = {
  email: [field('shopper_email', 'email', 'email', 'email')],
  phone: [field('shopper_phone', 'phone', 'tel', 'tel')],
  document: [field('document', 'document', 'text', 'off')],
  birth_date: [field('birth_date', 'birth_date', 'date', 'bday')],
  billing_address: [
    field('billing_country', 'country', 'country', 'billing country'),
    field('billing_postal_code', 'postal_code', 'text', 'billing postal-code'),
    field('billing_address', 'address', 'text', 'billing street-address'),
    field('billing_city', 'city', 'text', 'billing address-level2'),
    field('billing_state', 'state', 'text', 'billing address-level1', true),
  ],
  delivery_address: [
    field('delivery_firstname', 'first_name', 'text', 'shipping given-name'),
    field('delivery_lastname', 'last_name', 'text', 'shipping family-name'),
    field('delivery_country', 'country', 'country', 'shipping country'),
    field('delivery_postal_code', 'postal_code', 'text', 'shipping postal-code'),
    field('delivery_address', 'address', 'text', 'shipping street-address'),
    field('delivery_city', 'city', 'text', 'shipping address-level2'),
    field('delivery_state', 'state', 'text', 'shipping address-level1', true),
  ],
};

/** The last words of an alternative method's dotted paths that we have a label for. */
const LABELS: Readonly<Record<string, readonly [label: MessageKey, autocomplete: string]>> = {
  document: ['document', 'off'],
  document_number: ['document', 'off'],
  document_type: ['document_type', 'off'],
  social_name: ['social_name', 'nickname'],
  email: ['email', 'email'],
  shopper_email: ['email', 'email'],
  shopper_phone: ['phone', 'tel'],
  phone_country_code: ['phone_country_code', 'tel-country-code'],
  phone_area_code: ['phone_area_code', 'tel-area-code'],
  phone_number: ['phone', 'tel-local'],
  birth_date: ['birth_date', 'bday'],
  net_monthly_average_income: ['income', 'off'],
  first_name: ['first_name', 'given-name'],
  last_name: ['last_name', 'family-name'],
  address_street: ['address', 'address-line1'],
  address_number: ['address_number', 'off'],
  address_complement: ['address_complement', 'address-line2'],
  address_postal_code: ['postal_code', 'postal-code'],
  address_city: ['city', 'address-level2'],
  address_state: ['state', 'address-level1'],
  address_country: ['country', 'country'],
  fiscal_country: ['country', 'off'],
};
const OPTIONAL = new Set(['address_complement', 'social_name']);

/** All fields beside the card's: the groups that the shop collects, and what the method itself needs. */
export const findFields: FindExtraFields = (view, method) => {
  const own = methodFields(method);
  const taken = new Set(own.map((candidate) => candidate.name));
  return [...own, ...collected(view.collect).filter((candidate) => !taken.has(candidate.name))];
};

/** What an alternative method asks: its bank, and its fields by their dotted paths. */
export function methodFields(method: PaymentMethod | undefined): ExtraField[] {
  if (method?.type !== 'apm') return [];
  const { banks = [], fields = [] } = method;
  const bank = { ...make('bank_code', 'bank', 'choice', 'off', false), choices: banks };
  return [...(banks.length ? [bank] : []), ...fields.map(pathField)];
}

function collected(names: readonly string[]): CollectedField[] {
  return names.flatMap((name) => (isGroup(name) ? groups[name] : []));
}

export function isGroup(name: string): name is Group {
  return Object.hasOwn(groups, name);
}

function pathField(path: string): ExtraField {
  const last = path.split('.').at(-1) ?? path;
  const [label, autocomplete] = LABELS[last] ?? [{ text: inWords(last) }, 'off'];
  return make(path, label, 'text', autocomplete, OPTIONAL.has(last));
}

function inWords(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function field(
  name: CollectedName,
  label: MessageKey,
  kind: ExtraField['kind'],
  autocomplete: string,
  optional = false,
): CollectedField {
  return { ...make(name, label, kind, autocomplete, optional), name };
}

function make(
  name: string,
  label: ExtraField['label'],
  kind: ExtraField['kind'],
  autocomplete: string,
  optional: boolean,
): ExtraField {
  return { name, label, kind, autocomplete, optional, problem: (value) => problemOf(kind, optional, value, label) };
}

function problemOf(
  kind: ExtraField['kind'],
  optional: boolean,
  value: string,
  label: ExtraField['label'],
): Told | undefined {
  const choice = kind === 'choice' || kind === 'country';
  if (!value) return optional ? undefined : { key: choice ? 'choice_missing' : 'field_missing' };
  if (isName(label) && looksLikeCard(value)) return { key: 'name_invalid' };
  return kind === 'email' && !/^\S+@\S+\.\S+$/.test(value) ? { key: 'email_invalid' } : undefined;
}

function isName(label: ExtraField['label']): boolean {
  return label === 'first_name' || label === 'last_name' || label === 'social_name';
}
