import type { FieldContext } from '../../../../shared/checkout/fields/context.ts';
import { digitsOf } from '../../../../shared/checkout/fields/digits.ts';
import { fieldValue } from '../../../../shared/checkout/fields/problem.ts';
import type { callingCode, phoneCountry } from './codes.ts';
import type { phonesFor } from './reader.ts';

type Telephony = {
  callingCode: typeof callingCode;
  phoneCountry: typeof phoneCountry;
  phonesFor: typeof phonesFor;
};

let known: Telephony = { callingCode: () => '', phoneCountry: (_, country) => country, phonesFor: () => ({}) };

/** Takes in what is known of telephone numbers: it comes with their field, which most forms do not have. */
export function learnTelephony(telephony: Telephony): void {
  known = telephony;
}

/** Where the country stands whose calling code stands beside a telephone number. */
export function homeName(path: string): string {
  return `${path}.country`;
}

/** Whose number a telephone field holds. */
export function homeOf(path: string, context: FieldContext): string | undefined {
  const { values } = context;
  return known.phoneCountry(values[path] ?? '', values[homeName(path)]);
}

/** What the rules of a telephone field depend on: whose number it is, and what is known of those. */
export function phoneContext(path: string, value: string, context: FieldContext): FieldContext {
  const home = homeOf(path, context);
  return {
    ...context,
    values: { ...context.values, ...(home && { billing_country: home }) },
    ...known.phonesFor(value, home),
  };
}

/** A telephone number as it is sent. While too little is known of its country's it goes with its calling code as it was typed. */
export function phoneValue(path: string, value: string, context: FieldContext): string {
  const own = phoneContext(path, value, context);
  const code = known.callingCode(own.values.billing_country);
  if (own.phones || !code || /^\s*(\+|00)/.test(value)) return fieldValue(path, value, own);
  return `+${code}${digitsOf(value)}`;
}
