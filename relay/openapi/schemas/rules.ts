import { z } from 'zod';
import { meansOfPayment } from '../../../shared/api/payment.ts';
import { paymentMethod } from '../../../shared/checkout/session.ts';
import { apmPaymentRequest, person } from '../../../shared/gateway/apm-payment.ts';
import { type Operation, operationNames, operations } from '../../../shared/gateway/operations.ts';
import type { Profile } from '../../gateway/profile.ts';
import {
  given,
  givenWith,
  isSchema,
  type JsonSchema,
  keepText,
  LEFT_OUT,
  mapProperties,
  refTo,
  requiredNameOf,
} from './json-schema.ts';
import { ITEM_STRING, WITHOUT_ITEM_SEPARATORS, without } from './patterns.ts';

/** The parts of the gateway's profile that concern requests. */
export type Rules = Pick<Profile, 'list_separator' | 'query_requires'>;

type Change = (schema: JsonSchema) => JsonSchema;

/** The checks of the relay's code that a schema can express, by the named schema of a request. */
export function rulesFor({ list_separator, query_requires }: Rules): Map<string, Change> {
  const separate = { ...refTo('Identifier'), pattern: without(list_separator) };
  const orderNumber = property('order_no', () => separate);
  const itemText: Change = () => ({ ...refTo('Text'), pattern: WITHOUT_ITEM_SEPARATORS });
  const changes = new Map<string, Change>([
    ['Order', orderNumber],
    ['PaymentByCard', (schema) => withOtherMeans(orderNumber(schema))],
    ['PaymentByToken', (schema) => withOtherMeans(orderNumber(schema))],
    ['PaymentByApm', (schema) => withOtherMeans(orderNumber(schema))],
    ['Item', (schema) => property('code', itemText)(property('name', itemText)(schema))],
    ['Items', (schema) => ({ ...schema, anyOf: (schema.anyOf ?? []).map(itemString) })],
    ['CreateSession', (schema) => property('collect', distinct)(property('payment_methods', distinctMethods)(schema))],
    ['PaymentMethod', askable],
    ['UpdateSession', property('order', () => refTo('OrderChange'))],
    ['Payout', (schema) => ({ ...schema, allOf: payoutRules })],
  ]);
  for (const name of operationNames) {
    const operation: Operation = operations[name];
    if (!operation.route) continue;
    const groups = filterGroups(operation, query_requires);
    const id = requiredNameOf(operation.route.body);
    const own = changes.get(id);
    changes.set(id, (schema) =>
      withFilter(withLimits(own?.(schema) ?? schema, operation, separate), operation, groups),
    );
  }
  return changes;
}

/** The string form of items. */
function itemString(form: JsonSchema): JsonSchema {
  return form.type === 'string' ? { ...form, pattern: ITEM_STRING } : form;
}

function property(name: string, change: Change): Change {
  return (schema) => ({
    ...schema,
    properties: mapProperties(schema.properties ?? {}, (inner, key) =>
      key === name ? keepText(inner, change(inner)) : inner,
    ),
  });
}

/** §8: the maximum number of entries of each list. Entries of a form's list are joined by the separator. */
function withLimits(schema: JsonSchema, { lists, encoding, batch }: Operation, separate: JsonSchema): JsonSchema {
  const named = batch && lists[batch.list];
  return {
    ...schema,
    properties: mapProperties(schema.properties ?? {}, (inner, name) => {
      if (name === 'references' && named !== undefined) return distinct({ ...inner, maxItems: named });
      const maxItems = lists[name];
      if (maxItems === undefined) return inner;
      return { ...inner, ...(encoding === 'form' ? { items: separate } : {}), maxItems };
    }),
  };
}

function filterGroups({ needsFilter, lists }: Operation, queryRequires: Rules['query_requires']): readonly string[][] {
  switch (needsFilter) {
    case 'profile':
      return queryRequires;
    case 'any_list':
      return Object.keys(lists).map((list) => [list]);
    case undefined:
      return [];
  }
}

/** A search must name something, and an empty list or text names nothing. */
function withFilter(schema: JsonSchema, { lists }: Operation, groups: readonly string[][]): JsonSchema {
  if (groups.length === 0) return schema;
  const filled = (field: JsonSchema, name: string): JsonSchema =>
    lists[name] === undefined ? field : { ...field, minItems: 1 };
  const anyOf = groups
    .map(given)
    .map((rule) => ({ ...rule, properties: mapProperties(rule.properties ?? {}, filled) }));
  return { ...schema, anyOf };
}

const distinct: Change = (list) => ({ ...list, uniqueItems: true });

/** At most one method is the card, and no two are the same APM. JSON Schema can only require that they are not equal. */
function distinctMethods(schema: JsonSchema): JsonSchema {
  const isCard = { properties: { type: { const: 'card' } }, required: ['type'] };
  return { ...schema, uniqueItems: true, contains: isCard, minContains: 0, maxContains: 1 };
}

/** The fields of the other ways to pay can only be empty. */
function withOtherMeans(schema: JsonSchema): JsonSchema {
  const other = { ...refTo(LEFT_OUT), description: 'A field of another way to pay. It can only be empty here.' };
  const others = meansOfPayment.filter((name) => schema.properties?.[name] === undefined);
  return {
    ...schema,
    properties: { ...schema.properties, ...Object.fromEntries(others.map((name) => [name, other])) },
  };
}

function askable(schema: JsonSchema): JsonSchema {
  const fields: Change = (list) => ({ ...list, items: { type: 'string', enum: askableFields() } });
  return { ...schema, oneOf: (schema.oneOf ?? []).filter(isSchema).map(property('fields', fields)) };
}

/** The fields of an APM payment that a method may request from the shopper, as in the schema. */
function askableFields(): string[] {
  const paths = [...Object.keys(apmPaymentRequest.shape), ...pathsIn(person, 'person.')];
  const method = { type: 'apm', payment_method: 'PIX', label: 'Pix' };
  return paths.filter((path) => paymentMethod.safeParse({ ...method, fields: [path] }).success);
}

function pathsIn(schema: z.ZodObject, prefix: string): string[] {
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const inner: unknown = field instanceof z.ZodOptional ? field.unwrap() : field;
    return [`${prefix}${name}`, ...(inner instanceof z.ZodObject ? pathsIn(inner, `${prefix}${name}.`) : [])];
  });
}

/** The rules between the fields of a payout. */
const payoutRules: JsonSchema[] = [
  { anyOf: [given(['payment_amount']), given(['source_amount'])] },
  { anyOf: [given(['beneficiary']), given(['beneficiary_id'])] },
  givenWith('payment_amount', 'payment_currency'),
  givenWith('source_amount', 'source_currency'),
];
