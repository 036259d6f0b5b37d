import type { AddressRule } from '../../../../shared/checkout/fields/address/address.ts';
import { countryOf } from '../../../../shared/checkout/fields/address/country.ts';
import type { CountryRules, FieldContext } from '../../../../shared/checkout/fields/context.ts';

const PREFIX = /^(billing_|delivery_|person\.address_)(.*)$/;
const FIRST = ['firstname', 'lastname', 'country'];

/** The form of addresses in an unknown country. */
const ANYWHERE: AddressRule = { order: ['address', 'postal_code', 'city', 'state'] };

/**
 * The address of an address field, by the prefix of its path, and its part: `billing_` and `city`. Undefined for other
 * fields.
 */
export function addressPart(path: string): { address: string; part: string } | undefined {
  const [, address, part] = PREFIX.exec(path) ?? [];
  return address && part ? { address, part } : undefined;
}

/** The form of the address to which this field belongs. */
export function ruleOf(path: string, context: FieldContext): AddressRule {
  return context.addresses?.addressRule(countryOf(path, context)) ?? ANYWHERE;
}

/** Whether addresses of that country have this part: some have no postal codes, some have no state. */
export function hasPart(path: string, context: FieldContext): boolean {
  const part = addressPart(path)?.part;
  if (part === 'postal_code') return ruleOf(path, context).postalCode !== undefined;
  if (part === 'state') return ruleOf(path, context).state !== undefined;
  return true;
}

/** The position of a part in addresses of that country, as a number for sorting. */
export function placeOf(path: string, context: FieldContext): number {
  const part = addressPart(path)?.part ?? '';
  const first = FIRST.indexOf(part);
  if (first >= 0) return first;
  const order: readonly string[] = ruleOf(path, context).order;
  const own = order.indexOf(part);
  return FIRST.length + (own >= 0 ? own : order.indexOf('address'));
}

/**
 * A state by its code, if the country's states are known and the text is the code or the name of one; otherwise
 * unchanged.
 */
export function stateOf(text: string, country: string | undefined, { addresses }: CountryRules): string {
  const { options } = addresses?.addressRule(country).state ?? {};
  return (country && options && addresses?.stateCode(country, options, text)) || text;
}

/**
 * Whether a state of the country `before` may be a state of this country. With a list in the country before, the same
 * code is another state; without a list, a browser may have filled in the state before its country.
 */
export function stateFits(state: string, before: string, country: string | undefined, rules: CountryRules): boolean {
  if (before === country) return true;
  const listed = rules.addresses?.addressRule(before).state?.options;
  const { options } = rules.addresses?.addressRule(country).state ?? {};
  const isCode = /^[A-Z\d]{1,3}$/.test(state) || listed?.some(([code]) => code === state.trim().toUpperCase());
  if (!options) return !listed && !isCode;
  return !(listed && isCode) && options.some(([code]) => code === stateOf(state, country, rules));
}
