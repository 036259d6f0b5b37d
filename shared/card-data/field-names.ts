import { z } from 'zod';
import { operationNames, operations } from '../gateway/operations.ts';

/** Every name that a field of a request or an answer has, at any depth. */
export const fieldNames: ReadonlySet<string> = new Set(
  operationNames
    .flatMap((name) => [operations[name].request, operations[name].answer])
    .flatMap((schema) => namesIn(schema)),
);

function namesIn(schema: unknown): string[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
  }
  if (schema instanceof z.ZodArray) return namesIn(schema.element);
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodCatch;
  return isWrapped ? namesIn(schema.unwrap()) : [];
}
