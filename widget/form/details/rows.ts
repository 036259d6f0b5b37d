import { addressPart } from './address/address.ts';
import type { GroupedField } from './catalogue.ts';

/** Fields that stand beside each other: `short` ones on phones too, others where the form is wide. */
export type Row = { fields: readonly GroupedField[]; short: boolean };

/** Short fields that belong together, by the ends of their names. */
const SHORT_PAIRS = [
  ['first_name', 'last_name'],
  ['firstname', 'lastname'],
  ['phone_country_code', 'phone_area_code'],
  ['address_number', 'address_complement'],
  ['branch_number', 'account_number'],
] as const;
const SHORT_PARTS = ['postal_code', 'city', 'state'];

/**
 * Fields in rows of one or two, in the order in which they stand. In an address a postal code stands beside its neighbour, and a
 * city beside its state.
 */
export function rowsOf(fields: readonly GroupedField[]): Row[] {
  const rows: Row[] = [];
  for (let at = 0; at < fields.length; at += rows.at(-1)?.fields.length ?? 1) {
    const [field, next, third] = fields.slice(at);
    if (!field) break;
    const short = isShortPair(field, next, third);
    const paired = short || (isHalf(field) && isHalf(next) && !isShortPair(next, third));
    rows.push({ fields: next && paired ? [field, next] : [field], short });
  }
  return rows;
}

/** Whether two fields are a short pair; of three parts of an address the last two are, if the last is the postal code. */
function isShortPair(field: GroupedField, next: GroupedField | undefined, third?: GroupedField): boolean {
  if (!next || field.group !== next.group) return false;
  if (isShortPart(field) && isShortPart(next)) return isPostal(field) || !(isShortPart(third) && isPostal(third));
  return SHORT_PAIRS.some(([one, other]) => field.name.endsWith(one) && next.name.endsWith(other));
}

/** Whether half of a wide form is enough: for all but files and what belongs to an address. */
function isHalf(field: GroupedField | undefined): field is GroupedField {
  return (field?.group === 'contact' || field?.group === 'bank_account') && field.kind !== 'file';
}

function isShortPart(field: GroupedField | undefined): boolean {
  return SHORT_PARTS.includes(addressPart(field?.name ?? '')?.part ?? '');
}

function isPostal(field: GroupedField | undefined): boolean {
  return addressPart(field?.name ?? '')?.part === 'postal_code';
}
