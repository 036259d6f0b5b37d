import { z } from 'zod';
import { isObject } from '../../../shared/checkout/is-object.ts';
import type { Message } from '../../../shared/gateway/signature.ts';

/**
 * The message with its own digits, as text, in each field that the spec types as text and the gateway wrote as a number:
 * `"10.0"`, and a transaction_id of any length. Fields that the schema does not name stay as they are.
 * @param digits the same message with the text of each number; the message itself where it has none
 */
export function withNumberTexts(schema: z.ZodObject, message: Message, digits: Message): Message {
  if (digits === message) return message;
  const read = textsIn(schema, message, digits);
  return isObject(read) ? { ...read } : message;
}

function textsIn(schema: unknown, value: unknown, digits: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodCatch) {
    return textsIn(schema.unwrap(), value, digits);
  }
  if (schema instanceof z.ZodString) return typeof value === 'number' ? digits : value;
  if (schema instanceof z.ZodArray && Array.isArray(value) && Array.isArray(digits)) {
    return value.map((entry: unknown, at) => textsIn(schema.element, entry, digits[at]));
  }
  if (schema instanceof z.ZodObject && isObject(value) && !Array.isArray(value) && isObject(digits)) {
    const { shape } = schema;
    const fields = Object.entries(value).map(([name, field]) => {
      const [own, written]: unknown[] = [shape[name], Object.hasOwn(digits, name) ? Reflect.get(digits, name) : field];
      return [name, Object.hasOwn(shape, name) ? textsIn(own, field, written) : field];
    });
    return Object.fromEntries(fields);
  }
  return value;
}
