import { answerFields } from '../texts/answer-fields.ts';
import { attentionFields } from '../texts/attention-fields.ts';
import { orderFields } from '../texts/order-fields.ts';
import { payoutFields } from '../texts/payout-fields.ts';
import { requestFields } from '../texts/request-fields.ts';
import { OPERATION_ANSWER, schemaTexts } from '../texts/schemas.ts';
import { shopperFields } from '../texts/shopper-fields.ts';
import { statsFields } from '../texts/stats-fields.ts';
import { subscriptionFields } from '../texts/subscription-fields.ts';
import { type JsonSchema, mapProperties, mapSchema } from './json-schema.ts';

const fieldTexts = new Map(
  [
    ...[orderFields, shopperFields, requestFields, payoutFields, answerFields],
    ...[statsFields, attentionFields, subscriptionFields],
  ].flatMap(Object.entries<string>),
);

/** Says in words what a named schema and each of its fields is. */
export function describe(name: string, schema: JsonSchema): JsonSchema {
  const described = mapSchema(schema, (inner) =>
    inner.properties && inner.type !== undefined
      ? { ...inner, properties: mapProperties(inner.properties, (field, key) => withText(name, key, field)) }
      : inner,
  );
  return { description: schemaTexts[name] ?? OPERATION_ANSWER, ...described };
}

/** Whose fields a schema has a part of. */
const wholes: Readonly<Record<string, string>> = { OperationSummary: 'Operation' };

/** A field means the same everywhere, unless a text is for this schema's alone. */
function withText(name: string, field: string, schema: JsonSchema): JsonSchema {
  const description = fieldTexts.get(`${wholes[name] ?? name}.${field}`) ?? fieldTexts.get(field);
  return description === undefined ? schema : { ...schema, description };
}
