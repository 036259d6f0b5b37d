import { z } from 'zod';

const forms = z.registry<{ isFixed: true }>();

/**
 * Marks a field whose form the spec fixes: a number, an amount, a date, a phone, a document, an address of the web or of mail,
 * or an identifier. Its digits are what they are. A field without the mark may hold any text, a card number too.
 */
export function fixedForm<Schema extends z.ZodType>(schema: Schema): Schema {
  const marked = schema.clone(undefined, { parent: true });
  forms.add(marked, { isFixed: true });
  return marked;
}

/** Whether a field's schema is marked so, or takes a number. */
export function hasFixedForm(schema: z.core.$ZodType): boolean {
  if (forms.get(schema) !== undefined || schema instanceof z.ZodNumber) return true;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodCatch) {
    return hasFixedForm(schema.unwrap());
  }
  if (schema instanceof z.ZodPipe) return hasFixedForm(schema.in);
  return schema instanceof z.ZodUnion && schema.options.some(hasFixedForm);
}
