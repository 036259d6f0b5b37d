import { z } from 'zod';

const forms = z.registry<{ isFixed: true }>();

/**
 * Marks a field with a fixed form in the spec: a number, an amount, a date, a phone, a document, an address of the web
 * or of mail, or an identifier. Its digits are no card number. A field without the mark may contain any text, also a
 * card number.
 */
export function fixedForm<Schema extends z.ZodType>(schema: Schema): Schema {
  const marked = schema.clone(undefined, { parent: true });
  forms.add(marked, { isFixed: true });
  return marked;
}

/** Whether a field's schema has the mark, or is a number. */
export function hasFixedForm(schema: z.core.$ZodType): boolean {
  if (forms.get(schema) !== undefined || schema instanceof z.ZodNumber) return true;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodCatch) {
    return hasFixedForm(schema.unwrap());
  }
  if (schema instanceof z.ZodPipe) return hasFixedForm(schema.in);
  return schema instanceof z.ZodUnion && schema.options.some(hasFixedForm);
}

/**
 * Text that JSON, XML and a form can all carry: whole surrogate pairs, no control characters except tabs and line ends,
 * and not the two code points (U+FFFE, U+FFFF) that XML forbids. It is portable to every dialect of regular
 * expressions, because the OpenAPI document contains it.
 */
const plainText =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it keeps out.
  /^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ud800-\udfff\ufffe\uffff]*$/u;

// biome-ignore lint/suspicious/noControlCharactersInRegex: as above, and no tab or line end either.
const plainLine = /^[^\u0000-\u001f\u007f-\u009f\ud800-\udfff\ufffe\uffff]*$/u;

/** True for text that JSON, XML and a form can all carry. */
export function isPlainText(value: string): boolean {
  return plainText.test(value);
}

const limited = (max: number) =>
  z.string().max(max).regex(plainText, 'contains a control character or half a surrogate pair');
const filled = (max: number) => limited(max).min(1, 'must not be empty');

/** The named texts of the OpenAPI document, by their limits. */
const texts: Readonly<Record<number, z.ZodString>> = {
  1000: limited(1000).meta({
    name: 'Text',
    description: 'Text without control characters other than tabs and line ends.',
  }),
  4000: limited(4000).meta({ name: 'LongText', description: 'A longer text.' }),
};
const filledText = filled(1000).meta({ name: 'FilledText', description: 'A text that is not empty.' });

/** A string field of the spec. `max` limits it in UTF-16 units; the spec gives no lengths (§2.10, last lines). */
export const text = (max = 1000) => texts[max] ?? limited(max);

export const optionalText = text().optional();

/** A non-empty `text`. */
export const requiredText = (max = 1000) => (max === 1000 ? filledText : filled(max));

/** A name by the shop or the gateway: a single line, so that it is unchanged after it was written as XML. */
export const identifier = fixedForm(
  z.string().min(1, 'must not be empty').max(255).regex(plainLine, 'must be a single line without control characters'),
).meta({ name: 'Identifier', description: 'A name of one thing: a single line.' });

export const currencyCode = fixedForm(
  z.string().regex(/^[A-Z]{3}$/, 'must be a 3-letter currency code such as BRL'),
).meta({ name: 'CurrencyCode', description: 'An ISO 4217 currency code.' });

export const countryCode = fixedForm(z.string().regex(/^[A-Z]{2}$/, 'must be a 2-letter country code such as BR')).meta(
  { name: 'CountryCode', description: 'An ISO 3166-1 alpha-2 country code.' },
);

/** Fields of the relay's own answers, which have no limits. */
export const string = z.string();
export const optionalString = z.string().optional();
export const boolean = z.boolean();

/** The OpenAPI document's text about an order's number and amount, in requests and answers. */
export const orderNoText =
  'Your number of the order. At most one payment of it can be in progress, and it can be paid once.';
export const amountText = 'What is charged, as a decimal string: `"129.90"`, in yen `"1000"`, in dinars `"10.125"`.';

/** The OpenAPI document's text about each answer to an operation. */
export const gatewayAnswer = 'The gateway’s answer with its own field names. Fields that it adds are kept.';

/** A string in one of the gateway's JSON answers. It may be missing, and some gateways write null instead. */
export const answerText = z.string().nullish();

/** A string of an answer that decides nothing: a value of another type there does not invalidate the answer. */
export const answerNote = answerText.catch(undefined);

/** The same for an object within an answer. */
export const answerPart = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.looseObject(shape).nullish().catch(undefined);
