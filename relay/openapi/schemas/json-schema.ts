import { z } from 'zod';
import { nameOf } from './names.ts';

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 has it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

const ofOne = ['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else', 'propertyNames'] as const;
const ofList = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;

/** Changes every schema inside a schema, the innermost first, and then the schema itself. */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const mapped: JsonSchema = { ...schema };
  for (const key of ofOne) {
    const inner: unknown = mapped[key];
    if (isSchema(inner)) mapped[key] = mapSchema(inner, change);
  }
  for (const key of ofList) {
    const inner: unknown = mapped[key];
    if (Array.isArray(inner)) mapped[key] = inner.filter(isSchema).map((entry) => mapSchema(entry, change));
  }
  if (mapped.properties) mapped.properties = mapProperties(mapped.properties, (inner) => mapSchema(inner, change));
  return change(mapped);
}

/** Changes every property's schema; `true` and `false` stay as they are. */
export function mapProperties(
  properties: NonNullable<JsonSchema['properties']>,
  change: (schema: JsonSchema, name: string) => JsonSchema,
): Record<string, JsonSchema | boolean> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, inner]) => [name, isSchema(inner) ? change(inner, name) : inner]),
  );
}

/** A schema in the place of another one, whose text it keeps. */
export function keepText({ description }: JsonSchema, schema: JsonSchema): JsonSchema {
  return description === undefined ? schema : { ...schema, description };
}

/** A reference to one of the document's named schemas. */
export function refTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The name of a schema in the document. Throws where it has none. */
export function idOf(schema: z.ZodType): string {
  const name = nameOf(schema);
  if (name === undefined) throw new Error('a schema of the document has no name');
  return name;
}

/** A reference to a schema that has an id; to one of several. */
export function refOf(schema: z.ZodType | readonly z.ZodType[]): JsonSchema {
  return schema instanceof z.ZodType ? refTo(idOf(schema)) : { anyOf: schema.map((one) => refTo(idOf(one))) };
}

/** The name of the schema that a reference names; undefined for a schema of its own. */
export function nameIn(schema: JsonSchema): string | undefined {
  return /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '')?.[1];
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `refund_search` as `RefundSearch`. */
export function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
