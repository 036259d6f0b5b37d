import { type Components, resolve } from '../schemas/components.ts';
import { isSchema, type JsonSchema, LEFT_OUT, nameIn, withoutLeftOut } from '../schemas/json-schema.ts';
import { type Html, html, inline, openAttribute } from './html.ts';

/** The page's names of schemas that are a kind of text. */
const kinds: Record<string, string> = {
  Text: 'text',
  FilledText: 'text',
  LongText: 'text',
  Identifier: 'text',
  CurrencyCode: 'currency code',
  CountryCode: 'country code',
  Amount: 'amount',
  PositiveAmount: 'amount',
  PayoutAmount: 'amount',
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

/** The maximum number of optional fields that are open at first; more are folded. */
const OPEN_FIELDS = 14;

/** The list of a schema's fields, with folded inner objects, and with each alternative in turn. */
export function fieldsOf(schema: JsonSchema, all: Components): Html {
  const whole = resolve(schema, all);
  const variants = whole.anyOf?.some(hasFields(all)) ? whole.anyOf : whole.oneOf;
  if (variants) return html`${variants.map((variant, at) => variantOf(variant, at, all))}`;
  const required = new Set(whole.required ?? []);
  const fields = Object.entries(whole.properties ?? {}).flatMap(([name, field]) =>
    // A field that can only be empty is left out. The page states at its beginning that optional fields can be empty.
    isSchema(field) && nameIn(field) !== LEFT_OUT
      ? [{ name, field: withoutLeftOut(field), isRequired: required.has(name) }]
      : [],
  );
  const [first, rest] = [fields.filter((field) => field.isRequired), fields.filter((field) => !field.isRequired)];
  const rows = (some: typeof fields): Html =>
    html`<dl class="fields">${some.map((one) => row(one.name, one.field, one.isRequired, all))}</dl>`;
  if (fields.length === 0) return html`<p>An object without fields.</p>`;
  if (first.length === 0 || fields.length <= OPEN_FIELDS) return rows([...first, ...rest]);
  return html`${rows(first)}<details class="more"><summary>${rest.length} optional fields</summary>${rows(rest)}</details>`;
}

function row(name: string, field: JsonSchema, isRequired: boolean, all: Components): Html {
  const values = valuesOf(field, all);
  const inner = innerOf(field, all);
  const badge = isRequired ? html` <span class="required">required</span>` : undefined;
  return html`<div><dt><code class="field-name">${name}</code> <span class="type">${typeInWords(field, all)}</span>${badge}</dt><dd>${textOf(
    field,
    all,
  )}${values.length > 0 ? valueList(values) : undefined}${
    inner
      ? html`<details class="inner"><summary>Fields of <code>${name}</code></summary>${fieldsOf(inner, all)}</details>`
      : undefined
  }</dd></div>`;
}

function textOf(field: JsonSchema, all: Components): Html | undefined {
  const description = field.description ?? resolve(field, all).description;
  return description === undefined ? undefined : html`<p>${inline(description)}</p>`;
}

function valueList(values: readonly string[]): Html {
  const codes = values.map((value, at) => html`${at > 0 ? ', ' : ''}<code>${value}</code>`);
  if (values.length > 12) {
    return html`<details class="inner"><summary>${values.length} values</summary><p class="values">${codes}</p></details>`;
  }
  return html`<p class="values">${values.length > 1 ? 'One of ' : 'Always '}${codes}.</p>`;
}

/** The object, or the entry of a list, in a field. */
function innerOf(field: JsonSchema, all: Components): JsonSchema | undefined {
  const whole = resolve(field, all);
  if (hasFields(all)(whole)) return whole;
  const { items } = whole;
  return isSchema(items) && !Array.isArray(items) && hasFields(all)(items) ? items : undefined;
}

const hasFields =
  (all: Components) =>
  (schema: JsonSchema): boolean => {
    const whole = resolve(schema, all);
    return Object.keys(whole.properties ?? {}).length > 0 && whole.type !== undefined
      ? true
      : (whole.oneOf ?? whole.anyOf ?? []).some((inner) => isSchema(inner) && hasFields(all)(inner));
  };

function variantOf(variant: JsonSchema, at: number, all: Components): Html {
  const whole = resolve(variant, all);
  const name = nameIn(variant);
  const title = (name && whole.description) || constantOf(whole) || `Form ${at + 1}`;
  return html`<details class="variant"${at === 0 ? openAttribute : undefined}><summary>${inline(title)}</summary>${fieldsOf(
    variant,
    all,
  )}</details>`;
}

/** `status: approved`: the field that distinguishes an alternative. */
function constantOf({ properties = {} }: JsonSchema): string | undefined {
  for (const [name, field] of Object.entries(properties)) {
    if (isSchema(field) && field.const !== undefined) return `\`${name}\`: \`${field.const}\``;
  }
  return undefined;
}

/** A field's type in words: `amount`, `list of objects, at most 50`. */
function typeInWords(schema: JsonSchema, all: Components): string {
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

/** The values that a field can have, if they are listed. */
function valuesOf(schema: JsonSchema, all: Components): string[] {
  const whole = resolve(schema, all);
  if (whole.const !== undefined) return [String(whole.const)];
  if (whole.enum) return whole.enum.map(String);
  return isSchema(whole.items) && !Array.isArray(whole.items) ? valuesOf(whole.items, all) : [];
}
