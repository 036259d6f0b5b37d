import { addressPart } from './address/address.ts';
import type { GroupedField } from './catalogue.ts';

/** Short fields that stand beside each other, by the ends of their names. */
const PAIRS = [
  ['first_name', 'last_name'],
  ['firstname', 'lastname'],
  ['phone_country_code', 'phone_area_code'],
  ['address_number', 'address_complement'],
  ['branch_number', 'account_number'],
] as const;
const SHORT = ['postal_code', 'city', 'state'];

/** Fields in rows of one or two. In an address a postal code stands beside its neighbour, and a city beside its state. */
export function rowsOf(fields: readonly GroupedField[]): GroupedField[][] {
  const rows: GroupedField[][] = [];
  for (let at = 0; at < fields.length; at++) {
    const [field, next, third] = fields.slice(at);
    if (!field) break;
    const awaits = isShort(field) && isShort(next) && isShort(third) && !isPostal(field) && isPostal(third);
    if (next && !awaits && belong(field, next)) {
      rows.push([field, next]);
      at += 1;
    } else rows.push([field]);
  }
  return rows;
}

function belong(field: GroupedField, next: GroupedField): boolean {
  if (field.group !== next.group) return false;
  if (isShort(field) && isShort(next)) return true;
  return PAIRS.some(([one, other]) => field.name.endsWith(one) && next.name.endsWith(other));
}

function isShort(field: GroupedField | undefined): boolean {
  return SHORT.includes(addressPart(field?.name ?? '')?.part ?? '');
}

function isPostal(field: GroupedField | undefined): boolean {
  return addressPart(field?.name ?? '')?.part === 'postal_code';
}
