import { createHmac, timingSafeEqual } from 'node:crypto';
import canonicalize from 'canonicalize';

/** A message of the gateway: the JSON body, all form parameters, or all child elements of an XML answer. */
export type Message = Readonly<Record<string, unknown>>;

/**
 * The default signature (`encryption_data`): lower-case hex HMAC-SHA256 over the RFC 8785 canonical JSON of the message
 * without its `encryption_data`. Throws when the message cannot be canonical JSON (half a surrogate pair, NaN).
 */
export function sign(message: Message, secret: string): string {
  return createHmac('sha256', secret).update(canonicalMessage(message)).digest('hex');
}

/** The text that is signed. */
export function canonicalMessage(message: Message): string {
  const { encryption_data: _, ...signed } = message;
  const canonical = canonicalize(signed);
  if (canonical === undefined) throw new TypeError('a message must be an object');
  return canonical;
}

/** Compares two texts in a time that does not depend on where they differ. How long they are is no secret. */
export function sameText(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
