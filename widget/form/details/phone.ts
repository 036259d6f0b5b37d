import type { FieldContext } from '../../../shared/checkout/fields/context.ts';
import { digitsOf } from '../../../shared/checkout/fields/digits.ts';
import { fieldValue } from '../../../shared/checkout/fields/problem.ts';
import type { PhoneReader } from './controls/phone-reader.ts';

/** What a field's rule depends on, with who reads telephone numbers where the form asks for one. */
export type DetailsContext = FieldContext & { reader?: PhoneReader };

/** Where the country stands whose calling code stands beside a telephone number. */
export function phoneCountryField(path: string): string {
  return `${path}.country`;
}

/** Whose number a telephone field holds. */
export function phoneCountryOf(path: string, { values, reader }: DetailsContext): string | undefined {
  const chosen = values[phoneCountryField(path)];
  return reader ? reader.countryOf(values[path] ?? '', chosen) : chosen;
}

/** What the rule of a telephone field depends on: whose number it is, and what is known of those. */
export function phoneContext(path: string, value: string, context: DetailsContext): FieldContext {
  const phoneCountry = phoneCountryOf(path, context);
  const phones = context.reader?.rule(value, phoneCountry);
  return { ...context, ...(phoneCountry && { phoneCountry }), ...(phones && { phones }) };
}

/** A telephone number as it is sent. While too little is known of its country's it goes with its calling code as it was typed. */
export function phoneValue(path: string, value: string, context: DetailsContext): string {
  const own = phoneContext(path, value, context);
  const code = context.reader?.callingCode(own.phoneCountry);
  if (own.phones || !code || /^\s*(\+|00)/.test(value)) return fieldValue(path, value, own);
  return `+${code}${digitsOf(value)}`;
}
