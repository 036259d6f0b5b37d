import { z } from 'zod';
import { isObject } from '../../../shared/checkout/is-object.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import { decodeAnswer } from './decode-answer.ts';

/** Why bytes are not a JSON answer. */
export const jsonFaults = ['not_json', 'repeated_field', 'nested_too_deep'] as const;

type JsonFault = (typeof jsonFaults)[number];

/** Deeper than any answer of the spec. Functions that walk an answer may recurse. */
const MAX_DEPTH = 64;

/** The same as `readJsonDigits`, without the digits. */
export function readJsonAnswer(bytes: Uint8Array, contentType?: string): Message | JsonFault {
  const read = readJsonDigits(bytes, contentType);
  return typeof read === 'string' ? read : read.message;
}

/** A JSON answer, and the same with the text of each number as it was written. If it has no number, they are one object. */
export type JsonDigits = { message: Message; digits: Message };

/**
 * Reads a JSON answer: in the encoding that it declares, an object, not deeper than the spec needs, and without two equal names in one
 * object. Parsers disagree about which of two equal names counts, so such an answer could mean something else to its signer.
 */
export function readJsonDigits(bytes: Uint8Array, contentType?: string): JsonDigits | JsonFault {
  const decoded = decodeAnswer(bytes, contentType);
  if (!decoded) return 'not_json';
  const text = decoded.text.replace(/^\uFEFF/, '');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'not_json';
  }
  if (!isObject(value) || Array.isArray(value)) return 'not_json';
  const counted: Counts = { names: 0, numbers: 0 };
  if (!count(value, 1, counted)) return 'nested_too_deep';
  // JSON.parse keeps one field of each name.
  if (counted.names !== namesIn(text)) return 'repeated_field';
  const message = { ...value };
  const digits: unknown = counted.numbers > 0 ? JSON.parse(text, asWritten) : message;
  return { message, digits: isObject(digits) ? digits : message };
}

function asWritten(_name: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? (context?.source ?? value) : value;
}

type Counts = { names: number; numbers: number };

/** Counts the fields and the numbers of a value that was JSON. Returns false if it is nested too deep. */
function count(value: unknown, depth: number, counted: Counts): boolean {
  if (typeof value === 'number') counted.numbers += 1;
  if (typeof value !== 'object' || value === null) return true;
  if (depth > MAX_DEPTH) return false;
  const inner: unknown[] = Array.isArray(value) ? value : Object.values(value);
  if (inner !== value) counted.names += inner.length;
  return inner.every((entry) => count(entry, depth + 1, counted));
}

const [BACKSLASH, COLON, SPACE] = [0x5c, 0x3a, 0x20];

/** How many names of fields a JSON text has: a string before a colon is a name. */
function namesIn(json: string): number {
  let names = 0;
  for (let start = json.indexOf('"'); start >= 0; ) {
    let end = json.indexOf('"', start + 1);
    while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
    let next = end + 1;
    while (json.charCodeAt(next) <= SPACE) next += 1;
    if (json.charCodeAt(next) === COLON) names += 1;
    start = json.indexOf('"', next);
  }
  return names;
}

/** Whether an odd number of backslashes precedes a place. */
function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

/**
 * The message with its own digits, as text, in each field that the spec types as text and the gateway wrote as a number: `"10.0"`, and a
 * transaction_id of any length. Fields that the schema does not name stay as they are.
 * @param digits the same message with the text of each number; the message itself if it has none
 */
export function withNumberTexts(schema: z.ZodObject, message: Message, digits: Message): Message {
  if (digits === message) return message;
  const read = textsIn(schema, message, digits);
  return isObject(read) ? { ...read } : message;
}

function textsIn(schema: unknown, value: unknown, digits: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodCatch) {
    return textsIn(schema.unwrap(), value, digits);
  }
  if (schema instanceof z.ZodString) return typeof value === 'number' ? digits : value;
  if (schema instanceof z.ZodArray && Array.isArray(value) && Array.isArray(digits)) {
    return value.map((entry: unknown, at) => textsIn(schema.element, entry, digits[at]));
  }
  if (schema instanceof z.ZodObject && isObject(value) && !Array.isArray(value) && isObject(digits)) {
    const { shape } = schema;
    const fields = Object.entries(value).map(([name, field]) => {
      const [own, written]: unknown[] = [shape[name], Object.hasOwn(digits, name) ? Reflect.get(digits, name) : field];
      return [name, Object.hasOwn(shape, name) ? textsIn(own, field, written) : field];
    });
    return Object.fromEntries(fields);
  }
  return value;
}
