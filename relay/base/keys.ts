import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

/** What a derived key is for; each purpose has a key of its own. */
export type Purpose =
  | 'client secret'
  | 'notification token'
  | 'issuer ticket'
  | 'request fingerprint'
  | 'kept answer'
  | 'counted attempt';

/** The keys that are derived from one signing secret. */
export type DerivedKeys = Readonly<Record<Purpose, Buffer>>;

/** Derives every key from a signing secret, by HKDF with a label for the purpose. The same secret gives the same keys. */
export function deriveKeys(signingSecret: string): DerivedKeys {
  const key = (purpose: Purpose): Buffer =>
    Buffer.from(hkdfSync('sha256', signingSecret, '', `turnpike ${purpose}`, 32));
  return {
    'client secret': key('client secret'),
    'notification token': key('notification token'),
    'issuer ticket': key('issuer ticket'),
    'request fingerprint': key('request fingerprint'),
    'kept answer': key('kept answer'),
    'counted attempt': key('counted attempt'),
  };
}

/**
 * An unguessable text for `subject`. The same input gives the same text, so none is stored.
 * @returns 43 base64url characters
 */
export function derive(keys: DerivedKeys, purpose: Purpose, subject: string): string {
  return createHmac('sha256', keys[purpose]).update(subject).digest('base64url');
}

/** Encrypts a text that is stored, so that the store alone gives nothing away. Every call gives another text. */
export function seal(keys: DerivedKeys, purpose: Purpose, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keys[purpose], nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Reads a sealed text; undefined when it was sealed with other keys or for another purpose. */
export function unseal(keys: DerivedKeys, purpose: Purpose, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < 28) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', keys[purpose], bytes.subarray(0, 12), { authTagLength: 16 });
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

/** The key in a Standard Webhooks secret: `whsec_` and the base64 of 24 to 64 bytes. Undefined for anything else. */
export function webhookKey(secret: string): Buffer | undefined {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1] ?? '';
  const key = Buffer.from(encoded, 'base64');
  // Receivers' libraries are strict about padding.
  const isExact = key.toString('base64') === encoded;
  return isExact && key.length >= 24 && key.length <= 64 ? key : undefined;
}
