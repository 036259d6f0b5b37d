import type { Message } from '../../../shared/gateway/signature.ts';
import { decodeAnswer } from './decode-answer.ts';

/** Why bytes are no JSON answer. */
export type JsonFault = 'not_json' | 'repeated_field' | 'nested_too_deep';

/** Far deeper than any answer of the spec; everything that walks an answer may recurse. */
const MAX_DEPTH = 64;

/**
 * Reads a JSON answer: in the encoding that it declares, an object, no deeper than the spec could need, and no field twice in one object. Parsers
 * disagree about which of two equal names counts, so such an answer could mean something else to whoever signed it.
 */
export function readJsonAnswer(bytes: Uint8Array, contentType?: string): Message | JsonFault {
  const decoded = decodeAnswer(bytes, contentType);
  if (!decoded) return 'not_json';
  const text = decoded.text.replace(/^\uFEFF/, '');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'not_json';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not_json';
  return structureFault(text) ?? { ...value };
}

/** Walks a text that is known to be JSON: whatever stands before a colon is a name. */
function structureFault(json: string): JsonFault | undefined {
  const names: Set<string>[] = [];
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case '{':
      case '[':
        if (names.length === MAX_DEPTH) return 'nested_too_deep';
        names.push(new Set());
        break;
      case '}':
      case ']':
        names.pop();
        break;
      case '"': {
        const end = endOfString(json, at);
        if (isBeforeColon(json, end + 1)) {
          const name = String(JSON.parse(json.slice(at, end + 1)));
          const inObject = names.at(-1);
          if (inObject?.has(name)) return 'repeated_field';
          inObject?.add(name);
        }
        at = end;
        break;
      }
      default:
    }
  }
  return undefined;
}

function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at;
}

function isBeforeColon(json: string, start: number): boolean {
  let at = start;
  while (' \t\n\r'.includes(json[at] ?? 'x')) at += 1;
  return json[at] === ':';
}
