import { z } from 'zod';
import { isObject } from '../../shared/checkout/is-object.ts';
import { operationNames, operations } from '../../shared/gateway/operations.ts';
import { maskText } from './mask-text.ts';

/** Every name that a field of a request or an answer has, at any depth. */
const fieldNames: ReadonlySet<string> = new Set(
  operationNames
    .flatMap((name) => [operations[name].request, operations[name].answer])
    .flatMap((schema) => namesIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))),
);

/** What stands for a name that could be anything, a card number or a security code too. */
export const NO_FIELD = '(a name that is no field)';

/** A field's name as it may be repeated: as it is when the interface has it, or when it can be nothing but a name. */
export function shownName(name: string): string {
  const plain = fieldNames.has(name) || (/^[a-z0-9_]{1,64}$/.test(name) && maskText(name) === name);
  return plain ? name : NO_FIELD;
}

function namesIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(namesIn);
  if (!isObject(schema)) return [];
  const { properties } = schema;
  return [...(isObject(properties) ? Object.keys(properties) : []), ...Object.values(schema).flatMap(namesIn)];
}
