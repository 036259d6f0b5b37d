const BANK_ACCOUNT = 'person.documents.labels.bank_account';

/** Every field, except the card's, that a shopper can fill in (§2.1, §2.3), and its kind. */
const KINDS = {
  shopper_id: 'identifier',
  shopper_level: 'line',
  shopper_email: 'email',
  shopper_phone: 'phone',
  first_name: 'name',
  last_name: 'name',
  document: 'document',
  birth_date: 'birth_date',
  bank_code: 'line',

  billing_country: 'country',
  billing_state: 'state',
  billing_city: 'line',
  billing_address: 'line',
  billing_postal_code: 'postal_code',

  delivery_firstname: 'name',
  delivery_lastname: 'name',
  delivery_country: 'country',
  delivery_state: 'state',
  delivery_city: 'line',
  delivery_district_name: 'line',
  delivery_street_name: 'line',
  delivery_address: 'line',
  delivery_postal_code: 'postal_code',

  'person.document_number': 'document',
  'person.document_type': 'line',
  'person.social_name': 'name',
  'person.email': 'email',
  'person.phone_country_code': 'calling_code',
  'person.phone_area_code': 'area_code',
  'person.phone_number': 'local_number',
  'person.birth_date': 'birth_date',
  'person.net_monthly_average_income': 'amount',
  'person.address_street': 'line',
  'person.address_number': 'line',
  'person.address_complement': 'line',
  'person.address_postal_code': 'postal_code',
  'person.address_city': 'line',
  'person.address_state': 'state',
  'person.address_country': 'country',
  'person.fiscal_country': 'country',
  'person.documents.file_type': 'file_type',
  'person.documents.file_data': 'file_data',
  'person.documents.file_url': 'web_address',
  'person.documents.labels.person_bank_account_id': 'account',
  [`${BANK_ACCOUNT}.account_type`]: 'line',
  [`${BANK_ACCOUNT}.account_number`]: 'account',
  [`${BANK_ACCOUNT}.branch_number`]: 'account',
  [`${BANK_ACCOUNT}.owner_document_number`]: 'document',
  [`${BANK_ACCOUNT}.owner_name`]: 'name',
  [`${BANK_ACCOUNT}.branch_country`]: 'country',
  [`${BANK_ACCOUNT}.currency`]: 'currency',
  [`${BANK_ACCOUNT}.bank.code`]: 'account',
  [`${BANK_ACCOUNT}.bank.name`]: 'line',
} as const;

/** The kind of a field's value. Fields of one kind have the same rule. */
export type FieldKind = (typeof KINDS)[keyof typeof KINDS];

const kinds: ReadonlyMap<string, FieldKind> = new Map(Object.entries(KINDS));

/** The kind of the field at a path of the request; undefined for a path that shoppers do not fill in. */
export function kindOf(path: string): FieldKind | undefined {
  return kinds.get(path);
}
