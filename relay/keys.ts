import { createHash, createHmac, hkdfSync } from 'node:crypto';

/** What a derived key is for; each purpose has a key of its own. */
export type Purpose = 'client secret' | 'notification token' | 'issuer ticket';

/**
 * An unguessable text for `subject`, derived from an account's signing secret by HKDF with a label for the purpose.
 * The same input gives the same text, so none is stored. 43 base64url characters.
 */
export function derive(signingSecret: string, purpose: Purpose, subject: string): string {
  const key = hkdfSync('sha256', signingSecret, '', `turnpike ${purpose}`, 32);
  return createHmac('sha256', Buffer.from(key)).update(subject).digest('base64url');
}

/** SHA-256 of a text as lower-case hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
