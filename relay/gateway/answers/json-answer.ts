import { isObject } from '../../../shared/checkout/is-object.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import { decodeAnswer } from './decode-answer.ts';

/** Why bytes are no JSON answer. */
export type JsonFault = 'not_json' | 'repeated_field' | 'nested_too_deep';

/** Far deeper than any answer of the spec; everything that walks an answer may recurse. */
const MAX_DEPTH = 64;

/** The same as `readJsonDigits`, without the digits. */
export function readJsonAnswer(bytes: Uint8Array, contentType?: string): Message | JsonFault {
  const read = readJsonDigits(bytes, contentType);
  return typeof read === 'string' ? read : read.message;
}

/** A JSON answer, and the same with the text of each number as it was written. Where it has no number, they are one object. */
export type JsonDigits = { message: Message; digits: Message };

/**
 * Reads a JSON answer: in the encoding that it declares, an object, no deeper than the spec could need, and no field twice in
 * one object. Parsers disagree about which of two equal names counts, so such an answer could mean something else to whoever
 * signed it.
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
  const structure = structureOf(text);
  if (typeof structure === 'string') return structure;
  const message = { ...value };
  const digits: unknown = structure.hasNumbers ? JSON.parse(text, asWritten) : message;
  return { message, digits: isObject(digits) ? digits : message };
}

function asWritten(_name: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? (context?.source ?? value) : value;
}

const [QUOTE, BACKSLASH, COLON, ZERO, NINE] = [0x22, 0x5c, 0x3a, 0x30, 0x39];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Walks a text that is known to be JSON: whatever stands before a colon is a name. By code units: an answer may be long. */
function structureOf(json: string): { hasNumbers: boolean } | JsonFault {
  const names: Set<string>[] = [];
  let hasNumbers = false;
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    switch (unit) {
      case OPEN_BRACE:
      case OPEN_BRACKET:
        if (names.length === MAX_DEPTH) return 'nested_too_deep';
        names.push(new Set());
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        names.pop();
        break;
      case QUOTE: {
        const end = endOfString(json, at);
        if (isBeforeColon(json, end + 1)) {
          const name = nameOf(json.slice(at, end + 1));
          const inObject = names.at(-1);
          if (inObject?.has(name)) return 'repeated_field';
          inObject?.add(name);
        }
        at = end;
        break;
      }
      default:
        hasNumbers ||= unit >= ZERO && unit <= NINE;
    }
  }
  return { hasNumbers };
}

function nameOf(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}

function endOfString(json: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) return at;
    at += unit === BACKSLASH ? 2 : 1;
  }
}

/** The units up to a blank are blanks, where JSON has any. */
function isBeforeColon(json: string, start: number): boolean {
  let at = start;
  while (json.charCodeAt(at) <= 0x20) at += 1;
  return json.charCodeAt(at) === COLON;
}
