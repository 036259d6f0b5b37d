import { createHmac, hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Message } from '../../../shared/gateway/signature.ts';
import type { ConcatScheme } from './signing-setting.ts';

/** The algorithm that makes a signature from the texts of fields. */
export type ConcatForm = Pick<ConcatScheme, 'algorithm' | 'separator' | 'secret' | 'output' | 'empty'>;

/**
 * A signature over the values of the named fields, joined in this order, with the secret as one more part or as the key of the HMAC. Throws
 * for values that canonical JSON cannot write, such as half of a surrogate pair.
 */
export function concatSignature(message: Message, fields: readonly string[], form: ConcatForm, secret: string): string {
  const texts = fields.map((field) => fieldText(message, field));
  return written(digestOf(form.algorithm, concatText(texts, form, secret), secret), form.output);
}

/**
 * The signed text of a field: a text unchanged, a number as in JSON, an object or a list as canonical JSON (RFC 8785), and an empty text if
 * the field is absent or null.
 */
export function fieldText(message: Message, field: string): string {
  const value = Object.hasOwn(message, field) ? message[field] : undefined;
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : (canonicalize(value) ?? '');
}

/** The text that is hashed. */
export function concatText(
  texts: readonly string[],
  { separator, secret: place, empty }: Pick<ConcatForm, 'separator' | 'secret' | 'empty'>,
  secret: string,
): string {
  const parts = empty === 'omit' ? texts.filter((text) => text !== '') : texts;
  switch (place) {
    case 'append':
      return [...parts, secret].join(separator);
    case 'prepend':
      return [secret, ...parts].join(separator);
    case 'key':
      return parts.join(separator);
  }
}

/** The hash of a text in UTF-8, in hex. An HMAC takes the secret as its key. */
export function digestOf(algorithm: ConcatForm['algorithm'], text: string, secret: string): string {
  return algorithm.startsWith(HMAC)
    ? createHmac(algorithm.slice(HMAC.length), secret).update(text, 'utf8').digest('hex')
    : hash(algorithm, text, 'hex');
}

const HMAC = 'hmac-';

/** A hash in the form of the message. */
export function written(hex: string, output: ConcatForm['output']): string {
  switch (output) {
    case 'hex':
      return hex;
    case 'HEX':
      return hex.toUpperCase();
    case 'base64':
      return Buffer.from(hex, 'hex').toString('base64');
  }
}
