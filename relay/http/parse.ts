import { z } from 'zod';
import { digitRows } from '../../shared/card-data/digits.ts';
import { maskText } from '../../shared/card-data/mask.ts';
import { isObject } from '../../shared/checkout/is-object.ts';
import type { FieldError } from '../../shared/checkout/problem.ts';
import { isShopAmount } from '../../shared/gateway/amount-fields.ts';
import { givenAmount, withPoint } from '../../shared/gateway/amounts.ts';
import { fieldMessage, noSuchField } from '../../shared/messages/field-messages.ts';
import { invalidFields } from '../base/errors.ts';
import type { Account } from '../config/load.ts';

/** The maximum number of errors in one answer: a request can have a hundred thousand. */
const MAX_FIELD_ERRORS = 100;

/** Checks a body against its schema. Throws ProblemError `invalid_request` that names every field's path. */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  more: { mayLift?: true } = {},
): z.infer<Schema> {
  const parsed = schema.safeParse(body, { error: fieldMessage, reportInput: true });
  if (parsed.success) return parsed.data;
  throw invalidFields(parsed.error.issues.flatMap(fieldErrors).slice(0, MAX_FIELD_ERRORS), more);
}

/** The rules by which an account's bodies are read: strictly by default. */
export type BodyRules = Partial<Pick<Account, 'amounts'>>;

/** `parseBody` for a shop's body: optional fields that are `""` or `null` count as absent. Throws ProblemError. */
export function parseShopBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
  { amounts }: BodyRules = {},
): z.infer<Schema> {
  return parseBody(schema, withoutAbsent(schema, body, amounts === 'lenient'));
}

/**
 * A body without the fields that count as absent: optional fields that are `""` or `null`, as many programs write missing values. Unknown
 * and required fields stay, so that the schema refuses them.
 * @param isLenient whether amounts without a decimal point get one
 */
export function withoutAbsent(schema: z.core.$ZodType, value: unknown, isLenient = false): unknown {
  const inner = unwrapped(schema);
  if (isLenient && typeof value === 'string' && isShopAmount(inner)) return withPoint(value);
  if (inner instanceof z.ZodUnion) {
    const option = inner.options.find((one) => z.safeParse(one, withoutAbsent(one, value, isLenient)).success);
    return option ? withoutAbsent(option, value, isLenient) : value;
  }
  if (inner instanceof z.ZodArray) {
    return Array.isArray(value) ? value.map((entry) => withoutAbsent(inner.element, entry, isLenient)) : value;
  }
  return inner instanceof z.ZodObject && isObject(value) && !Array.isArray(value)
    ? presentIn(inner, value, isLenient)
    : value;
}

function presentIn({ shape }: z.ZodObject, value: Readonly<Record<string, unknown>>, isLenient: boolean): object {
  const entries = Object.entries(value).flatMap(([name, entry]): [string, unknown][] => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (!field) return [[name, entry]];
    if ((entry === null || entry === '') && mayBeAbsent(field)) return [];
    return [[name, withoutAbsent(field, entry, isLenient)]];
  });
  return Object.fromEntries(entries);
}

/** True for an optional field. A field that accepts any value accepts `null` and `""`, too. */
function mayBeAbsent(schema: z.core.$ZodType): boolean {
  if (schema instanceof z.ZodOptional && schema.unwrap() instanceof z.ZodUnknown) return false;
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
}

/** The schema inside an optional field, or of a value before its transformation. */
function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return unwrapped(schema.unwrap());
  return schema instanceof z.ZodPipe ? unwrapped(schema.in) : schema;
}

/** A shop's amount at a path, in the form of messages. Throws ProblemError if it is not an amount of its currency. */
export function amountIn(amount: string, currency: string, path: string, more: { mayLift?: true } = {}): string {
  const given = givenAmount(amount, currency);
  if ('written' in given) return given.written;
  const errors = [{ path, message: given.fault }];
  throw invalidFields(errors, more);
}

function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .slice(0, MAX_FIELD_ERRORS)
      .map((key) => ({ path: namedPath([...path, key]), message: noSuchField(key, issue.message) }));
  }
  // The shop meant the branch that matches furthest, or else the one with the fewest errors. If none matches, the union has the message.
  const branches = issue.code === 'invalid_union' ? issue.errors : [];
  const furthest = branches.toSorted((a, b) => depth(b) - depth(a) || a.length - b.length)[0];
  if (furthest && depth(furthest) > 0) {
    return furthest.flatMap((inner) => fieldErrors({ ...inner, path: [...issue.path, ...inner.path] }));
  }
  // A schema's own message describes the value, so a missing field needs another message.
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
  return [{ path: namedPath(path), message: isMissing ? 'is missing' : issue.message }];
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
}

/** Longer than the path of any known field. */
const MAX_PATH = 200;

/** More digits than any field's name has. */
const MANY_DIGITS = 7;

/** A path for people. The client may have sent any name, even a card number: names with many digits are left out. */
function namedPath(path: readonly string[]): string {
  const short = path.map((name) => name.slice(0, MAX_PATH));
  const isKept = (name: string): boolean => digitRows(name).every((digits) => digits.length < MANY_DIGITS);
  const named = short.map((name) => (isKept(name) ? name : '…')).join('.');
  return maskText(named).slice(0, MAX_PATH);
}
