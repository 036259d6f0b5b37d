import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** What a derived key is for; each purpose has a key of its own. */
export type Purpose =
  | 'client secret'
  | 'notification token'
  | 'issuer ticket'
  | 'request fingerprint'
  | 'kept answer'
  | 'counted attempt';

/**
 * An unguessable text for `subject`, derived from an account's signing secret by HKDF with a label for the purpose.
 * The same input gives the same text, so none is stored. 43 base64url characters.
 */
export function derive(signingSecret: string, purpose: Purpose, subject: string): string {
  return createHmac('sha256', derivedKey(signingSecret, purpose)).update(subject).digest('base64url');
}

/** Encrypts a text that is stored, so that the store alone gives nothing away. Every call gives another text. */
export function seal(signingSecret: string, purpose: Purpose, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', derivedKey(signingSecret, purpose), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Reads a sealed text; undefined when it was sealed under another secret or for another purpose. */
export function unseal(signingSecret: string, purpose: Purpose, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < 28) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', derivedKey(signingSecret, purpose), bytes.subarray(0, 12), {
    authTagLength: 16,
  });
  try {
    decipher.setAuthTag(bytes.subarray(12, 28));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

/** SHA-256 of a text or of bytes as lower-case hex. */
export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

const derivedKeys = new Map<string, Buffer>();

function derivedKey(signingSecret: string, purpose: Purpose): Buffer {
  const name = `${purpose} ${signingSecret}`;
  const known = derivedKeys.get(name);
  if (known) return known;
  const key = Buffer.from(hkdfSync('sha256', signingSecret, '', `turnpike ${purpose}`, 32));
  derivedKeys.set(name, key);
  return key;
}

/** The key in a Standard Webhooks secret: `whsec_` and the base64 of 24 to 64 bytes. Undefined for anything else. */
export function webhookKey(secret: string): Buffer | undefined {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1] ?? '';
  const key = Buffer.from(encoded, 'base64');
  // Receivers' libraries are strict about padding.
  const isExact = key.toString('base64') === encoded;
  return isExact && key.length >= 24 && key.length <= 64 ? key : undefined;
}
