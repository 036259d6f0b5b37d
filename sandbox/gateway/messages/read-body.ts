import type { Operation } from '../../../shared/gateway/operations.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import { InvalidInput } from '../base/refusals.ts';

/**
 * Reads the bytes of a request as the message that was signed. The content type does not matter: the spec leaves open
 * which one is binding for JSON (§4.6). Throws InvalidInput.
 */
export function readBody(encoding: Operation['encoding'], body: unknown): Message {
  const text = decoded(body);
  return encoding === 'json' ? readJson(text) : readForm(text);
}

function decoded(body: unknown): string {
  if (!(body instanceof Uint8Array)) throw new InvalidInput('the body is empty');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new InvalidInput('the body is not UTF-8');
  }
}

function readJson(text: string): Message {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidInput('the body is not a JSON object');
  }
  return Object.fromEntries(Object.entries(value));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidInput('the body is not JSON');
  }
}

function readForm(text: string): Message {
  // Read as a form, JSON would be one parameter whose name is the whole text, card and all.
  if (/^\s*[{[]/.test(text)) throw new InvalidInput('the body is not a form');
  const pairs = [...new URLSearchParams(text)];
  const message = Object.fromEntries(pairs);
  if (Object.keys(message).length !== pairs.length) throw new InvalidInput('a parameter is given twice');
  return message;
}
