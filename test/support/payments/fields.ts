import metadata from 'libphonenumber-js/min/metadata';
import { z } from 'zod';
import type { FieldContext } from '../../../shared/checkout/fields/context.ts';
import { countryRules } from '../../../shared/checkout/fields/context.ts';
import { phoneNumber } from '../../../shared/checkout/fields/phone/libphonenumber.ts';
import { fieldProblem } from '../../../shared/checkout/fields/rules.ts';
import { apmFields } from '../../../shared/gateway/apm-payment.ts';
import { billing, delivery, shopper } from '../../../shared/gateway/payment-fields.ts';

/** Every path that a method's `fields` may name and that contains a text: each leaf of the schemas (§2.3). */
export const askableFields = leaves(z.strictObject({ ...shopper, ...billing, ...delivery, ...apmFields }), []);

export const BANK = 'person.documents.labels.bank_account';

/** The input of a rule for a value, in a form whose other fields have `values`. */
export const context = (values: Record<string, string> = {}, currency = 'BRL'): FieldContext => ({
  ...countryRules,
  values,
  currency,
  today: '2026-11-21',
  phones: (text, country) => phoneNumber(text, country, metadata),
  isCallingCode: (digits) => Object.hasOwn(metadata.country_calling_codes, digits),
});
/** The problem that the rules report for a field's value. */
export const problem = (path: string, value: string, values?: Record<string, string>, currency?: string) =>
  fieldProblem(path, value, context(values, currency));

function leaves(schema: unknown, path: readonly string[]): string[] {
  if (schema instanceof z.ZodOptional) return leaves(schema.unwrap(), path);
  if (!(schema instanceof z.ZodObject)) return [path.join('.')];
  return Object.entries(schema.shape).flatMap(([name, inner]) => leaves(inner, [...path, name]));
}
