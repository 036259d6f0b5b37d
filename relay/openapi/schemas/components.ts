import { z } from 'zod';
import { type Operation, operationNames, operations } from '../../../shared/gateway/operations.ts';
import { answers } from './answers.ts';
import {
  answerName,
  isSchema,
  type JsonSchema,
  keepText,
  mapSchema,
  nameIn,
  refTo,
  requestName,
} from './json-schema.ts';
import { LEFT_OUT, leftOut, withLeftOut } from './left-out.ts';
import { withExactPattern } from './patterns.ts';
import { type Entry, formRequests, requests, texts } from './requests.ts';
import { type Rules, rulesFor } from './rules.ts';

/** The answer to an operation; every field is the gateway's own. */
const OPERATION_ANSWER = 'The gateway’s answer with its own field names. Fields that it adds are kept.';

/** Every named schema of the document. */
export type Components = Record<string, JsonSchema>;

/** Makes them out of the zod schemas that the relay itself checks with, and what the operation table says of limits. */
export function components(rules: Rules): Components {
  const changes = rulesFor(rules);
  const fromShops = converted([...texts, ...requests, ...bodiesOfOperations()], 'input', withExactPattern);
  const read = Object.entries(fromShops).map(([name, schema]) => {
    const ruled = mapSchema(changes.get(name)?.(schema) ?? schema, withLeftOut);
    return [name, name === 'OrderChange' ? withoutRequired(ruled) : ruled];
  });
  const fromForms = converted([...texts, ...formRequests], 'input', withExactPattern);
  const toShops = converted([...answers, ...answersOfOperations()], 'output', (schema) => loose(compact(schema)));
  const bodies: Components = { [LEFT_OUT]: leftOut, ...fromForms, ...Object.fromEntries(read) };
  return { ...shared(bodies), ...shared(toShops) };
}

/** A change names some fields of an order. Those that an order must have are not taken away by it. */
function withoutRequired({ required: _, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

function bodiesOfOperations(): [z.ZodType, Entry][] {
  const named = new Set<z.ZodType>(requests.map(([schema]) => schema));
  return operationNames.flatMap((name): [z.ZodType, Entry][] => {
    const { route }: Operation = operations[name];
    return route && !named.has(route.body) ? [[route.body, { id: requestName(name) }]] : [];
  });
}

function answersOfOperations(): [z.ZodType, Entry][] {
  return operationNames.flatMap((name): [z.ZodType, Entry][] => {
    const { route, answer }: Operation = operations[name];
    return route ? [[answer, { id: answerName(name), description: OPERATION_ANSWER }]] : [];
  });
}

function converted(
  entries: readonly (readonly [z.ZodType, Entry])[],
  io: 'input' | 'output',
  change: (schema: JsonSchema) => JsonSchema,
): Components {
  const registry = z.registry<Entry>();
  for (const [schema, entry] of entries) registry.add(schema, entry);
  const { schemas } = z.toJSONSchema(registry, {
    io,
    metadata: registry,
    uri: (id) => refTo(id).$ref ?? id,
    override: ({ zodSchema, jsonSchema }) => {
      const description = z.globalRegistry.get(zodSchema)?.description;
      if (description !== undefined) jsonSchema.description = description;
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $schema: _, $id: __, ...rest } = schema;
      return [name, mapSchema(rest, ({ id: ___, ...inner }) => change(withoutRepeats(inner, schemas)))];
    }),
  );
}

/** A reference with what it adds: zod repeats there what the named schema says already. */
function withoutRepeats(schema: JsonSchema, all: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const target = all[nameIn(schema) ?? ''];
  if (target === undefined) return schema;
  const added = Object.entries(schema).filter(
    ([key, value]) => key === 'description' || JSON.stringify(value) !== JSON.stringify(target[key]),
  );
  return Object.fromEntries(added);
}

/** `string or null` in one line. */
function compact(schema: JsonSchema): JsonSchema {
  const [first, second, ...rest] = schema.anyOf ?? [];
  if (!first || second?.type !== 'null' || rest.length > 0 || typeof first.type !== 'string') return schema;
  const { anyOf: _, ...others } = schema;
  return { ...others, ...first, type: [first.type, 'null'] };
}

/** An answer promises fields and their types. It may gain fields, and its texts may be longer one day. */
function loose(schema: JsonSchema): JsonSchema {
  const { additionalProperties, pattern: _, maxLength: __, ...rest } = schema;
  if (additionalProperties !== undefined && additionalProperties !== false) rest.additionalProperties = true;
  if (rest.minimum === Number.MIN_SAFE_INTEGER) delete rest.minimum;
  if (rest.maximum === Number.MAX_SAFE_INTEGER) delete rest.maximum;
  return rest;
}

/** Writes every schema that has a name as a reference to it, the smallest ones first. What a schema is goes by its form alone. */
function shared(all: Components): Components {
  const names = new Map<string, string>();
  const done: Components = {};
  for (const [name, schema] of Object.entries(all).sort(([, a], [, b]) => size(a) - size(b))) {
    const toRef = (inner: JsonSchema): JsonSchema => {
      const known = names.get(formOf(inner));
      return known === undefined ? inner : keepText(inner, refTo(known));
    };
    const own = mapSchema(schema, toRef);
    const written = nameIn(own) === undefined ? own : schema;
    done[name] = written;
    names.set(formOf(written), name);
  }
  return Object.fromEntries(Object.keys(all).map((name) => [name, done[name] ?? {}]));
}

const size = (schema: JsonSchema): number => formOf(schema).length;

/** A schema as a text, without what is said of it and of its fields. */
function formOf(schema: JsonSchema): string {
  return JSON.stringify(mapSchema(schema, ({ description: _, ...form }) => form));
}

/** A schema with every reference in it followed, for readers that show a field's type. */
export function resolve(schema: JsonSchema, all: Components): JsonSchema {
  const name = nameIn(schema);
  const target = name === undefined ? undefined : all[name];
  if (!isSchema(target)) return schema;
  const { $ref: _, ...own } = schema;
  return { ...resolve(target, all), ...own };
}
