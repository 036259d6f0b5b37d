import fc from 'fast-check';
import type { OpenApiDocument } from '../../../relay/openapi/document-types.ts';
import { resolve } from '../../../relay/openapi/schemas/components.ts';
import { isSchema, type JsonSchema, nameIn, refTo } from '../../../relay/openapi/schemas/json-schema.ts';
import { currencies } from '../../../shared/gateway/currencies.ts';

/** Bodies generated from a schema of the document. Rules between fields may be broken: check each with the schema. */
export function bodiesOf(document: OpenApiDocument, name: string): fc.Arbitrary<unknown> {
  return valuesOf(document, refTo(name));
}

/** The same for any schema within the document. */
export function valuesOf(document: OpenApiDocument, schema: JsonSchema): fc.Arbitrary<unknown> {
  const { schemas } = document.components;
  // Parsing a pattern takes longer than generating a text, and most schemas occur repeatedly.
  const known = new Map<JsonSchema, fc.Arbitrary<unknown>>();
  const of = (schema: JsonSchema): fc.Arbitrary<unknown> => {
    const made = known.get(schema) ?? make(schema);
    known.set(schema, made);
    return made;
  };
  const make = (schema: JsonSchema): fc.Arbitrary<unknown> => {
    const whole = resolve(schema, schemas);
    if (whole.const !== undefined) return fc.constant(whole.const);
    if (nameIn(schema) === 'CurrencyCode') return fc.constantFrom(...currencies);
    if (whole.enum) return fc.constantFrom(...whole.enum);
    const forms = whole.type === undefined ? (whole.oneOf ?? whole.anyOf) : undefined;
    if (forms) return fc.oneof(...forms.map(of));
    switch (whole.type) {
      case 'object':
        return objects(whole);
      case 'array':
        return isSchema(whole.items) && !Array.isArray(whole.items)
          ? fc.array(of(whole.items), { minLength: whole.minItems ?? 0, maxLength: Math.min(whole.maxItems ?? 3, 3) })
          : fc.constant([]);
      case 'integer':
        return fc.integer({ min: whole.minimum ?? -1000, max: Math.min(whole.maximum ?? 1000, 2_000_000) });
      case 'number':
        return fc.double({ noNaN: true, noDefaultInfinity: true });
      case 'boolean':
        return fc.boolean();
      default:
        // An integer is a valid amount in few currencies.
        return /^(Positive)?Amount$/.test(nameIn(schema) ?? '')
          ? texts(whole).filter((text) => text.includes('.'))
          : texts(whole);
    }
  };
  const objects = (schema: JsonSchema): fc.Arbitrary<unknown> =>
    fc.tuple(...choicesOf(schema).map((choice) => fc.constantFrom(...choice))).chain((chosen) => {
      const named = [...(schema.required ?? []), ...chosen.flat()];
      const required = new Set([...named, ...named.flatMap((name) => schema.dependentRequired?.[name] ?? [])]);
      const fields = Object.entries(schema.properties ?? {}).flatMap(([key, field]) =>
        isSchema(field) ? [[key, required.has(key) ? of(field) : rarely(of(field))] as const] : [],
      );
      return fc.record(Object.fromEntries(fields)).map(withoutUndefined);
    });
  return of(schema);
}

/** The groups of fields of which an object must have one, such as an amount of either kind. */
function choicesOf({ anyOf, allOf = [] }: JsonSchema): string[][][] {
  return [anyOf, ...allOf.map((rule) => rule.anyOf)].flatMap((forms) =>
    forms ? [forms.map(({ required }) => required ?? [])] : [],
  );
}

/** Texts of a pattern's form, and sometimes any text. */
function texts({ pattern, minLength = 0, maxLength = 1000 }: JsonSchema): fc.Arbitrary<string> {
  const any = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 40) });
  if (pattern === undefined) return any;
  return fc
    .stringMatching(new RegExp(pattern, 'u'))
    .filter((text) => text.length >= minLength && text.length <= maxLength);
}

/** Present in one case of eight, so that large objects stay small. */
function rarely(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .option(values, { freq: 1, nil: undefined })
    .chain((value) => fc.constantFrom(undefined, undefined, undefined, value));
}

function withoutUndefined(record: object): object {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
