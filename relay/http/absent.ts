import { z } from 'zod';
import { isObject } from '../../shared/checkout/is-object.ts';

/**
 * A body without what counts as absent: optional fields that are `""` or `null`, as many programs write what they do not
 * have. What the schema does not know, or must have, stays for it to refuse.
 */
export function withoutAbsent(schema: z.core.$ZodType, value: unknown): unknown {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodUnion) {
    const option = inner.options.find((one) => z.safeParse(one, withoutAbsent(one, value)).success);
    return option ? withoutAbsent(option, value) : value;
  }
  if (inner instanceof z.ZodArray) {
    return Array.isArray(value) ? value.map((entry) => withoutAbsent(inner.element, entry)) : value;
  }
  return inner instanceof z.ZodObject && isObject(value) && !Array.isArray(value) ? presentIn(inner, value) : value;
}

function presentIn({ shape }: z.ZodObject, value: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(value).flatMap(([name, entry]): [string, unknown][] => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (!field) return [[name, entry]];
    if ((entry === null || entry === '') && mayBeAbsent(field)) return [];
    return [[name, withoutAbsent(field, entry)]];
  });
  return Object.fromEntries(entries);
}

/** Not where a field may hold anything: then it may hold nothing, too. */
function mayBeAbsent(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodUnknown) return false;
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
}

/** What is inside optional fields, and what a transformed value comes in as. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return unwrapped(schema.unwrap());
  return schema instanceof z.ZodPipe ? unwrapped(schema.in) : schema;
}
