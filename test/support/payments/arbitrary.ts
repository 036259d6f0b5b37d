import fc from 'fast-check';
import { z } from 'zod';
import { isShopAmount } from '../../../shared/gateway/amount-fields.ts';
import { currencies } from '../../../shared/gateway/currencies.ts';
import { type DateForm, formatDate } from '../../../shared/gateway/dates.ts';

/** Texts with formats that no pattern describes completely. A schema gets the kinds that it accepts. */
const kinds: readonly fc.Arbitrary<string>[] = [
  ...(['YYYY-MM-DD', 'DD-MM-YYYY', 'YYYY-MM-DD HH:MM:SS'] satisfies DateForm[]).map((form) =>
    moments().map((moment) => formatDate(form, partsOf(moment))),
  ),
  fc
    .tuple(moments(), fc.constantFrom('Z', '+00:00', '-03:00', '+14:00'))
    .map(([moment, offset]) => `${moment.toISOString().slice(0, 19)}${offset}`),
  fc.constantFrom('4111111111111111', '4242 4242 4242 4242', '3782-822463-10005', '5555555555554444'),
  fc.webUrl({ validSchemes: ['https', 'http'], withQueryParameters: true }),
  fc.constantFrom('pt-BR', 'en', 'es-419'),
];

/**
 * Any input that a schema accepts. Supports objects, records of texts, arrays, optionals, unions, enums, literals,
 * numbers and strings with patterns; values that the schema's refinements refuse are left out. Throws TypeError for
 * any other schema.
 */
export function arbitraryOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodOptional) return arbitraryOf(schema.unwrap());
  if (schema instanceof z.ZodCatch) return arbitraryOf(schema.unwrap());
  if (schema instanceof z.ZodNullable) return fc.option(arbitraryOf(schema.unwrap()), { freq: 10 });
  if (schema instanceof z.ZodPipe) {
    return accepted(
      schema,
      schema.in instanceof z.ZodString ? known(textOf(schema, schema.in)) : arbitraryOf(schema.in),
    );
  }
  if (schema instanceof z.ZodObject) return accepted(schema, objectOf(schema));
  if (schema instanceof z.ZodArray) return fc.array(arbitraryOf(schema.element), { minLength: 1, maxLength: 3 });
  if (schema instanceof z.ZodRecord) return accepted(schema, recordOf(schema));
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.options.map(arbitraryOf));
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodNumber) return accepted(schema, numberOf(schema));
  if (schema instanceof z.ZodString) return accepted(schema, known(textOf(schema, schema)));
  throw new TypeError(`no arbitrary is known for a schema of the type ${schema._zod.def.type}`);
}

/** `arbitraryOf` an object's schema, with the type of its input. */
export function objectsOf(schema: z.ZodObject): fc.Arbitrary<Record<string, unknown>> {
  return arbitraryOf(schema).map((value) => ({ ...Object(value) }));
}

/** Text as people and machines write it, which JSON, XML and a form can all carry. */
export function plainText(constraints: fc.StringConstraints = {}): fc.Arbitrary<string> {
  return fc.string({ unit: character, ...constraints });
}

const isPlain = (text: string): boolean => !/[^\P{Cc}\t\n\r]|\p{Cs}|[\ufffe\uffff]/u.test(text);

const character = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('&', '<', '>', '"', "'", ']]>', '%', '+', '=', ';', '#', '\\', '\t', '\n', '\r', ' '),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter(isPlain) },
);

function known(texts: fc.Arbitrary<string> | undefined): fc.Arbitrary<string> {
  if (texts) return texts;
  throw new TypeError('no arbitrary is known for a text with these checks');
}

function accepted<Value>(schema: z.core.$ZodType, values: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return values.filter((value) => z.safeParse(schema, value).success);
}

function objectOf({ shape }: z.ZodObject): fc.Arbitrary<object> {
  const members = Object.entries(shape);
  const required = members.filter(([, member]) => !(member instanceof z.ZodOptional)).map(([name]) => name);
  const fields = Object.fromEntries(members.map(([name, member]) => [name, arbitraryOf(member)]));
  return fc.record(fields, { requiredKeys: required, noNullPrototype: true });
}

function recordOf({ keyType, valueType }: z.ZodRecord): fc.Arbitrary<object> {
  const names = arbitraryOf(keyType).map(String);
  return fc.dictionary(names, arbitraryOf(valueType), { maxKeys: 3, noNullPrototype: true });
}

function numberOf(schema: z.ZodNumber): fc.Arbitrary<number> {
  if (schema instanceof z.ZodNumberFormat) return fc.oneof(fc.nat(), fc.maxSafeInteger());
  // JSON writes -0 as 0.
  return fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value));
}

/** Texts that `schema` accepts, whose checks are in `string`; undefined if its checks do not describe a format. */
function textOf(schema: z.core.$ZodType, string: z.ZodString): fc.Arbitrary<string> | undefined {
  if (isShopAmount(string)) return amounts;
  const patterns = (string.def.checks ?? []).flatMap((check) =>
    check instanceof z.core.$ZodCheckRegex ? [check._zod.def.pattern] : [],
  );
  // A pattern that begins this way excludes texts and describes no format.
  const look = patterns.find(({ source }) => !source.startsWith('^[^'));
  if (look?.source === '^[A-Z]{3}$') return fc.constantFrom(...currencies);
  const values = look ? fc.stringMatching(readable(look)) : plainText({ maxLength: 40 });
  if (takes(schema, values)) return values;
  const fitting = kinds.filter((kind) => takes(schema, kind));
  return fitting.length > 0 ? fc.oneof(...fitting) : undefined;
}

/** Amounts that most currencies have. */
const amounts = fc.stringMatching(/^\d{1,12}\.\d{1,2}$/);

/** fast-check supports neither lookaheads nor the flag `i`; they are checked afterwards. */
function readable({ source, flags }: RegExp): RegExp {
  return new RegExp(source.replace(/\(\?!(?:[^()]|\([^()]*\))*\)/g, ''), flags.replace('i', ''));
}

/** True if a schema accepts enough of an arbitrary's values that the others can be filtered out. */
function takes(schema: z.core.$ZodType, values: fc.Arbitrary<string>): boolean {
  const made = fc.sample(values, { numRuns: 30, seed: 1 });
  return made.filter((value) => z.safeParse(schema, value).success).length > made.length / 3;
}

function moments(): fc.Arbitrary<Date> {
  return fc.date({ min: new Date('1901-01-01'), max: new Date('2099-12-30'), noInvalidDate: true });
}

function partsOf(moment: Date) {
  return {
    year: moment.getUTCFullYear(),
    month: moment.getUTCMonth() + 1,
    day: moment.getUTCDate(),
    hour: moment.getUTCHours(),
    minute: moment.getUTCMinutes(),
    second: moment.getUTCSeconds(),
  };
}
