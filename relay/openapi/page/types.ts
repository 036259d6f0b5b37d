import { type Components, resolve } from '../schemas/components.ts';
import { isSchema, type JsonSchema, nameIn } from '../schemas/json-schema.ts';

/** What the page calls the schemas that are a kind of text. */
const kinds: Record<string, string> = {
  Text: 'text',
  FilledText: 'text',
  LongText: 'text',
  Identifier: 'text',
  CurrencyCode: 'currency code',
  CountryCode: 'country code',
  Amount: 'amount',
  PositiveAmount: 'amount',
  BirthDate: 'date',
  CalendarDate: 'date',
  CardNumber: 'card number',
  SecurityCode: 'digits',
  Month: 'month',
  Year: 'year',
  Locale: 'language tag',
};

const words: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
  array: 'list',
  null: 'null',
};

/** A field's type in words: `amount`, `list of objects, at most 50`. */
export function typeInWords(schema: JsonSchema, all: Components): string {
  const kind = kinds[nameIn(schema) ?? ''];
  if (kind !== undefined) return kind;
  const whole = resolve(schema, all);
  if (whole.format === 'date-time') return 'time';
  if (whole.format === 'uri') return 'URL';
  const types = [whole.type ?? ((whole.anyOf ?? whole.oneOf) ? 'object' : 'string')].flat();
  return types.map((type) => (type === 'array' ? listInWords(whole, all) : (words[type] ?? type))).join(' or ');
}

function listInWords(schema: JsonSchema, all: Components): string {
  const { items, maxItems } = schema;
  const entries = isSchema(items) && !Array.isArray(items) ? `list of ${plural(typeInWords(items, all))}` : 'list';
  return maxItems === undefined ? entries : `${entries}, at most ${maxItems}`;
}

function plural(kind: string): string {
  return /(?:text|digits|true or false)$/.test(kind) ? kind.replace(/text$/, 'texts') : `${kind}s`;
}

/** The values that a field can have, where they are listed. */
export function valuesOf(schema: JsonSchema, all: Components): string[] {
  const whole = resolve(schema, all);
  if (whole.const !== undefined) return [String(whole.const)];
  if (whole.enum) return whole.enum.map(String);
  return isSchema(whole.items) && !Array.isArray(whole.items) ? valuesOf(whole.items, all) : [];
}
