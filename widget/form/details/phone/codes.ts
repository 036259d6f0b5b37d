import { digitsOf } from '../../../../shared/checkout/fields/digits.ts';
import { callingCodes } from './calling-codes.ts';

const MEMBERS = new Map<string, readonly string[]>();
const CODES = new Map<string, string>();
for (const entry of callingCodes.split(' ')) {
  const [, code = '', members = ''] = /^(\d+)(.*)$/.exec(entry) ?? [];
  MEMBERS.set(code, members.split(','));
  for (const country of members.split(',')) CODES.set(country, code);
}

/** A country's calling code, `55`; empty where it has none or there is no country. */
export function callingCode(country: string | undefined): string {
  return CODES.get(country ?? '') ?? '';
}

/** Whose number this is: for one that begins with a calling code a country of that code, the given one before others. */
export function phoneCountry(text: string, country: string | undefined): string | undefined {
  if (!/^\s*(\+|00(?!11?$))/.test(text)) return country;
  const digits = digitsOf(text).replace(/^00/, '');
  const members = [3, 2, 1].flatMap((size) => MEMBERS.get(digits.slice(0, size)) ?? []);
  return country && members.includes(country) ? country : (members[0] ?? country);
}
