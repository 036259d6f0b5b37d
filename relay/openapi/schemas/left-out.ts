import { isSchema, type JsonSchema, keepText, mapProperties, nameIn, refTo } from './json-schema.ts';

/** The name of the schema of a value that counts as left out. */
export const LEFT_OUT = 'LeftOut';

/** That schema: the relay reads an optional field of a shop’s body without these values. */
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

/** A rule: these fields are there, and do not count as left out. */
export function given(fields: readonly string[]): JsonSchema {
  return {
    required: [...fields],
    properties: Object.fromEntries(fields.map((name) => [name, { not: refTo(LEFT_OUT) }])),
  };
}

/** A rule: where one field is given, another is too. */
export function givenWith(field: string, other: string): JsonSchema {
  return { anyOf: [{ properties: { [field]: refTo(LEFT_OUT) } }, given([other])] };
}

/** The schema of a field where it is given, without `null` and `""`. */
export function withoutLeftOut(field: JsonSchema): JsonSchema {
  const [form, other] = field.anyOf ?? [];
  return isSchema(form) && isSchema(other) && nameIn(other) === LEFT_OUT ? keepText(field, form) : field;
}
