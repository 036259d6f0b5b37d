import { createHash, createHmac } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { Message } from '../../../shared/gateway/signature.ts';
import type { ConcatScheme } from './signing-setting.ts';

/**
 * A signature over the values of the named fields, joined in the order in which they are named, with the secret as one
 * part more or as the HMAC's key. Texts are taken as they are, in UTF-8, numbers as JSON writes them, objects
 * and lists as canonical JSON (RFC 8785), and what is absent or null as empty text. Throws for what canonical JSON cannot
 * write, such as half a surrogate pair.
 */
export function concatSignature(
  message: Message,
  fields: readonly string[],
  scheme: Pick<ConcatScheme, 'algorithm' | 'separator' | 'secret' | 'output'>,
  secret: string,
): string {
  const { algorithm, separator, output } = scheme;
  const values = fields.map((field) => textOf(Object.hasOwn(message, field) ? message[field] : undefined));
  const hash = scheme.secret === 'key' ? createHmac(algorithm.replace('hmac-', ''), secret) : createHash(algorithm);
  const text = withSecret(values, scheme.secret, secret).join(separator);
  const signature = hash.update(text, 'utf8').digest(output === 'base64' ? 'base64' : 'hex');
  return output === 'HEX' ? signature.toUpperCase() : signature;
}

function withSecret(values: readonly string[], place: ConcatScheme['secret'], secret: string): readonly string[] {
  switch (place) {
    case 'append':
      return [...values, secret];
    case 'prepend':
      return [secret, ...values];
    case 'key':
      return values;
  }
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : (canonicalize(value) ?? '');
}
