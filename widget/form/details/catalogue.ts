import type { MessageKey } from '../../locales/messages.ts';
import type { ExtraField } from '../fields.ts';

/** The groups of fields, each under one legend. */
export type GroupName = 'bank' | 'contact' | 'billing' | 'delivery' | 'address' | 'bank_account';

/** A field and its group. */
export type GroupedField = ExtraField & { group: GroupName };

/** The properties of a field that do not depend on other values. */
type Entry = {
  label: MessageKey;
  group: GroupName;
  kind: ExtraField['kind'];
  autocomplete: string;
  optional: boolean;
  inputMode?: ExtraField['inputMode'];
};

type Row = [path: string, label: MessageKey, autocomplete?: string, kind?: ExtraField['kind'] | 'optional'];

const DOCUMENTS = 'person.documents.';
/** §2.3: a picture or PDF of the person's document, its media type, or its address. */
export const FILE = `${DOCUMENTS}file_data`;
export const FILE_TYPE = `${DOCUMENTS}file_type`;
export const FILE_URL = `${DOCUMENTS}file_url`;
const LABELS = `${DOCUMENTS}labels.`;
const ACCOUNT = `${LABELS}bank_account.`;

const CONTACT: readonly Row[] = [
  ['first_name', 'first_name', 'given-name'],
  ['last_name', 'last_name', 'family-name'],
  ['person.social_name', 'social_name', 'nickname', 'optional'],
  ['shopper_email', 'email', 'email', 'email'],
  ['person.email', 'email', 'email', 'email'],
  ['shopper_phone', 'phone', 'tel', 'tel'],
  ['person.phone_country_code', 'phone_country_code', 'tel-country-code'],
  ['person.phone_area_code', 'phone_area_code', 'tel-area-code'],
  ['person.phone_number', 'phone_number', 'tel-local'],
  ['birth_date', 'birth_date', 'bday', 'date'],
  ['person.birth_date', 'birth_date', 'bday', 'date'],
  ['person.fiscal_country', 'fiscal_country', 'off', 'country'],
  ['person.document_type', 'document_type'],
  ['document', 'document'],
  ['person.document_number', 'document'],
  ['person.net_monthly_average_income', 'income'],
  ['shopper_id', 'shopper_id'],
  ['shopper_level', 'shopper_level'],
  [FILE, 'file', 'off', 'file'],
  [FILE_TYPE, 'file_type'],
  [FILE_URL, 'file_url', 'url'],
];

const BILLING: readonly Row[] = [
  ['billing_country', 'country', 'billing country', 'country'],
  ['billing_postal_code', 'postal_code', 'billing postal-code'],
  ['billing_address', 'address', 'billing street-address'],
  ['billing_city', 'city', 'billing address-level2'],
  ['billing_state', 'state', 'billing address-level1'],
];

const DELIVERY: readonly Row[] = [
  ['delivery_firstname', 'first_name', 'shipping given-name'],
  ['delivery_lastname', 'last_name', 'shipping family-name'],
  ['delivery_country', 'country', 'shipping country', 'country'],
  ['delivery_postal_code', 'postal_code', 'shipping postal-code'],
  ['delivery_street_name', 'street', 'shipping address-line1'],
  ['delivery_address', 'address', 'shipping street-address'],
  ['delivery_district_name', 'district', 'shipping address-level3'],
  ['delivery_city', 'city', 'shipping address-level2'],
  ['delivery_state', 'state', 'shipping address-level1'],
];

const ADDRESS: readonly Row[] = [
  ['person.address_country', 'country', 'country', 'country'],
  ['person.address_postal_code', 'postal_code', 'postal-code'],
  ['person.address_street', 'street', 'address-line1'],
  ['person.address_number', 'address_number'],
  ['person.address_complement', 'address_complement', 'address-line2', 'optional'],
  ['person.address_city', 'city', 'address-level2'],
  ['person.address_state', 'state', 'address-level1'],
];

const BANK_ACCOUNT: readonly Row[] = [
  ['bank_code', 'bank_code'],
  [`${LABELS}person_bank_account_id`, 'bank_account_id'],
  [`${ACCOUNT}owner_name`, 'owner_name', 'name'],
  [`${ACCOUNT}owner_document_number`, 'owner_document'],
  [`${ACCOUNT}branch_country`, 'branch_country', 'off', 'country'],
  [`${ACCOUNT}bank.name`, 'bank_name'],
  [`${ACCOUNT}bank.code`, 'bank_code'],
  [`${ACCOUNT}account_type`, 'account_type'],
  [`${ACCOUNT}branch_number`, 'branch_number'],
  [`${ACCOUNT}account_number`, 'account_number'],
  [`${ACCOUNT}currency`, 'account_currency'],
];

const INPUT_MODES: Readonly<Record<string, ExtraField['inputMode']>> = {
  'person.phone_country_code': 'numeric',
  'person.phone_area_code': 'numeric',
  'person.phone_number': 'numeric',
  'person.net_monthly_average_income': 'decimal',
  [FILE_URL]: 'url',
};

/** Every field of §2.1 and §2.3 that a shopper may fill in besides the card's, in display order. */
export const catalogue: ReadonlyMap<string, Entry> = new Map([
  ...entries('contact', CONTACT),
  ...entries('billing', BILLING),
  ...entries('delivery', DELIVERY),
  ...entries('address', ADDRESS),
  ...entries('bank_account', BANK_ACCOUNT),
]);

/** The fields below a path of an object (§2.3), such as `person.documents`; for a field's path the field itself. */
export function fieldsUnder(path: string): string[] {
  if (catalogue.has(path)) return [path];
  return [...catalogue.keys()].filter((name) => name.startsWith(`${path}.`));
}

function entries(group: GroupName, rows: readonly Row[]): [string, Entry][] {
  return rows.map(([path, label, autocomplete = 'off', kind = 'text']) => [
    path,
    {
      label,
      group,
      autocomplete,
      kind: kind === 'optional' ? 'text' : kind,
      optional: kind === 'optional',
      inputMode: INPUT_MODES[path],
    },
  ]);
}
