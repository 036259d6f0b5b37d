import { z } from 'zod';
import type { ParameterObject } from '../document-types.ts';
import {
  isSchema,
  type JsonSchema,
  LEFT_OUT,
  leftOut,
  mapSchema,
  namedSchemas,
  nameIn,
  refTo,
  withLeftOut,
} from './json-schema.ts';
import { withExactPattern } from './patterns.ts';
import { type Rules, rulesFor } from './rules.ts';

/** Every named schema of the document. */
export type Components = Record<string, JsonSchema>;

/** The schemas of the document's bodies and answers, with which the relay itself checks them. */
export type Described = {
  /** Bodies of shops' servers, in which optional fields may be empty. */
  fromShops: readonly z.ZodType[];
  /** Queries. */
  queries: readonly z.ZodType[];
  /** Bodies of browsers, which the relay reads unchanged. */
  fromForms: readonly z.ZodType[];
  answers: readonly z.ZodType[];
};

/** The named schemas in these and inside them, in the form of the document. Throws Error if a body and an answer share one. */
export function components({ fromShops, queries, fromForms, answers }: Described, rules: Rules): Components {
  const changes = rulesFor(rules);
  const bodies = Object.entries(named([...fromShops, ...queries], 'input', withExactPattern)).map(([name, schema]) => {
    return [name, mapSchema(changes.get(name)?.(schema) ?? schema, withLeftOut)] as const;
  });
  const ofShops: Components = Object.fromEntries(bodies);
  const sent: Components = {
    [LEFT_OUT]: leftOut,
    ...ofShops,
    ...(ofShops.Order ? { OrderChange: orderChange(ofShops.Order) } : {}),
    ...asFormsSend(named(fromForms, 'input', withExactPattern), ofShops),
  };
  const answered = named(answers, 'output', asAnswered);
  const shared = Object.keys(answered).find((name) => Object.hasOwn(sent, name));
  if (shared !== undefined) throw new Error(`${shared} is the name of a body and of an answer`);
  return { ...sent, ...answered };
}

/** The schema of a change, which has some fields of an order. It cannot remove fields that an order must have. */
function orderChange({ required: _, ...order }: JsonSchema): JsonSchema {
  const description =
    'Fields that replace those of the order, each one whole: `items`, `person` and `subscription` too. `null` and `""` take a field away. `order_no` may be there, but cannot change.';
  return { ...order, description };
}

/** The schemas of forms. A schema that differs from the one of shops has its own name. */
function asFormsSend(ofForms: Components, ofShops: Components): Components {
  const isOther = (name: string): boolean =>
    ofShops[name] !== undefined && JSON.stringify(ofShops[name]) !== JSON.stringify(ofForms[name]);
  const toOther = (schema: JsonSchema): JsonSchema => {
    const name = nameIn(schema);
    return name !== undefined && isOther(name) ? { ...schema, ...refTo(`Form${name}`) } : schema;
  };
  return Object.fromEntries(
    Object.entries(ofForms).map(([name, schema]) => {
      const mapped = mapSchema(schema, toOther);
      if (!isOther(name)) return [name, mapped];
      return [`Form${name}`, { ...mapped, description: schema.description?.replace(/\.$/, ', as the form sends it.') }];
    }),
  );
}

/** The parameters of a query, as its schema reads them. */
export function queryParameters(query: z.ZodObject): ParameterObject[] {
  const { properties = {}, $defs = {} } = z.toJSONSchema(query, { io: 'input', metadata: namedSchemas });
  return Object.entries(properties).flatMap(([name, field]): ParameterObject[] => {
    if (!isSchema(field)) return [];
    const { description = '', example, ...schema } = withExactPattern(withoutRepeats(field, $defs));
    return [{ name, in: 'query', description, example: String(example), required: false, schema }];
  });
}

/** A schema of an answer, or the reference to it. */
export function answerSchema(schema: z.ZodType): JsonSchema {
  const { $defs = {}, $schema: _, ...own } = z.toJSONSchema(schema, { io: 'output', metadata: namedSchemas });
  return mapSchema(own, (inner) => asAnswered(withoutRepeats(inner, $defs)));
}

function named(
  schemas: readonly z.ZodType[],
  io: 'input' | 'output',
  change: (schema: JsonSchema) => JsonSchema,
): Components {
  const { $defs = {} } = z.toJSONSchema(z.union(schemas), { io, metadata: namedSchemas });
  return Object.fromEntries(
    Object.entries($defs).map(([name, schema]) => [
      name,
      mapSchema(schema, (inner) => change(withoutRepeats(inner, $defs))),
    ]),
  );
}

const DEFS = '#/$defs/';

/** A reference with its additions: zod repeats the contents of the named schema there. */
function withoutRepeats(schema: JsonSchema, all: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const name = schema.$ref?.slice(DEFS.length);
  const target = name === undefined ? undefined : all[name];
  if (name === undefined || target === undefined) return schema;
  const added = Object.entries(schema).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(target[key]));
  return { ...Object.fromEntries(added), ...refTo(name) };
}

const asAnswered = (schema: JsonSchema): JsonSchema => loose(compact(schema));

/** `string or null` in one line. */
function compact(schema: JsonSchema): JsonSchema {
  const [first, second, ...rest] = schema.anyOf ?? [];
  if (!first || second?.type !== 'null' || rest.length > 0 || typeof first.type !== 'string') return schema;
  const { anyOf: _, ...others } = schema;
  return { ...others, ...first, type: [first.type, 'null'] };
}

/** An answer's schema promises fields and their types. Later versions may add fields, and have longer texts. */
function loose(schema: JsonSchema): JsonSchema {
  const { additionalProperties, pattern: _, maxLength: __, ...rest } = schema;
  if (additionalProperties !== undefined && additionalProperties !== false) rest.additionalProperties = true;
  if (rest.minimum === Number.MIN_SAFE_INTEGER) delete rest.minimum;
  if (rest.maximum === Number.MAX_SAFE_INTEGER) delete rest.maximum;
  return rest;
}

/** A schema with its references replaced by their schemas, to show the types of fields. */
export function resolve(schema: JsonSchema, all: Components): JsonSchema {
  const name = nameIn(schema);
  const target = name === undefined ? undefined : all[name];
  if (!isSchema(target)) return schema;
  const { $ref: _, ...own } = schema;
  return { ...resolve(target, all), ...own };
}
