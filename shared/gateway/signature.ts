import { createHmac, timingSafeEqual } from 'node:crypto';
import canonicalize from 'canonicalize';

/** A message of the gateway: the JSON body, all form parameters, or all child elements of an XML answer. */
export type Message = Readonly<Record<string, unknown>>;

/**
 * The default signature (`encryption_data`): lower-case hex HMAC-SHA256 over the RFC 8785 canonical JSON of the message
 * without its `encryption_data`. Throws for a message without canonical JSON (half a surrogate pair, NaN).
 */
export function sign(message: Message, secret: string): string {
  return signText(canonicalMessage(message), secret);
}

/** The default signature of a text from `canonicalMessage`. */
export function signText(canonical: string, secret: string): string {
  return createHmac('sha256', secret).update(canonical).digest('hex');
}

/** The signed text of a message. */
export function canonicalMessage(message: Message): string {
  const canonical = canonicalize('encryption_data' in message ? withoutSignature(message) : message);
  if (canonical === undefined) throw new TypeError('a message must be an object');
  return canonical;
}

function withoutSignature({ encryption_data: _, ...signed }: Message): Message {
  return signed;
}

/** Compares two texts in a time that does not depend on the position of a difference. Their length is no secret. */
export function sameText(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
