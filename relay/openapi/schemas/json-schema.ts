import { z } from 'zod';

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 uses it. */
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

/** A schema that replaces another one and keeps its description. */
export function keepText({ description }: JsonSchema, schema: JsonSchema): JsonSchema {
  return description === undefined ? schema : { ...schema, description };
}

/** A reference to one of the document's named schemas. */
export function refTo(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** The name of a schema in the document. Throws Error if it has none. */
export function requiredNameOf(schema: z.ZodType): string {
  const name = nameOf(schema);
  if (name === undefined) throw new Error('a schema of the document has no name');
  return name;
}

/** A reference to a named schema, or to any one of several. */
export function refOf(schema: z.ZodType | readonly z.ZodType[]): JsonSchema {
  return schema instanceof z.ZodType
    ? refTo(requiredNameOf(schema))
    : { anyOf: schema.map((one) => refTo(requiredNameOf(one))) };
}

/** The name of the schema in a reference; undefined for any other schema. */
export function nameIn(schema: JsonSchema): string | undefined {
  return /^#\/components\/schemas\/(.+)$/.exec(schema.$ref ?? '')?.[1];
}

/** True for a schema, false for `true` or `false` in its place. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `refund_search` as `RefundSearch`. */
export function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * The schemas' metadata for `z.toJSONSchema`, with the `name` of each as the id of references. The schemas have no `id` of their own: zod
 * stores ids for the process, so the ids of the client's schemas could collide with a shop's own.
 */
class NamedSchemas extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get: z.core.$ZodRegistry<z.core.GlobalMeta>['get'] = (schema) => {
    const meta = z.globalRegistry.get(schema);
    if (meta === undefined) return undefined;
    const { name: _, ...rest } = meta;
    const id = nameOf(schema);
    return id === undefined ? rest : { ...rest, id };
  };
}

export const namedSchemas = new NamedSchemas();

/** The own name of a schema. A schema that is derived from it has its other metadata, but not the name. */
function nameOf(schema: z.core.$ZodType): string | undefined {
  const name = z.globalRegistry.get(schema)?.name;
  const { parent } = schema._zod;
  const isOwn = parent === undefined || z.globalRegistry.get(parent)?.name !== name;
  return isOwn && typeof name === 'string' ? name : undefined;
}

/** The name of the schema of a value that counts as absent. */
export const LEFT_OUT = 'LeftOut';

/** The schema of a value that counts as absent: the relay drops an optional field of a shop’s body with such a value. */
export const leftOut: JsonSchema = {
  type: ['string', 'null'],
  enum: ['', null],
  description: 'An optional field with this value counts as left out.',
};

/** An object whose optional fields can also be `null` or `""`. Rules that add to an object have no type, and stay. */
export function withLeftOut(schema: JsonSchema): JsonSchema {
  if (schema.type !== 'object' || schema.properties === undefined) return schema;
  const required = new Set(schema.required);
  const properties = mapProperties(schema.properties, (field, name) => (required.has(name) ? field : orLeftOut(field)));
  return { ...schema, properties };
}

function orLeftOut(field: JsonSchema): JsonSchema {
  if (nameIn(field) === LEFT_OUT) return field;
  const { description, ...form } = field;
  return keepText({ description }, { anyOf: [form, refTo(LEFT_OUT)] });
}

/** A rule: these fields are present, and do not count as absent. */
export function given(fields: readonly string[]): JsonSchema {
  return {
    required: [...fields],
    properties: Object.fromEntries(fields.map((name) => [name, { not: refTo(LEFT_OUT) }])),
  };
}

/** A rule: if one field is present, another is, too. */
export function givenWith(field: string, other: string): JsonSchema {
  return { anyOf: [{ properties: { [field]: refTo(LEFT_OUT) } }, given([other])] };
}

/** The schema of a present field, without `null` and `""`. */
export function withoutLeftOut(field: JsonSchema): JsonSchema {
  const [form, other] = field.anyOf ?? [];
  return isSchema(form) && isSchema(other) && nameIn(other) === LEFT_OUT ? keepText(field, form) : field;
}
