import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { sameText } from '../../shared/gateway/signature.ts';

/** The purpose of a derived key. Each purpose has its own key. */
type Purpose =
  | 'client secret'
  | 'notification token'
  | 'issuer ticket'
  | 'request fingerprint'
  | 'idempotency key'
  | 'kept answer'
  | 'held request'
  | 'counted attempt'
  | 'shopper email'
  | 'second factor';

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
    'idempotency key': key('idempotency key'),
    'kept answer': key('kept answer'),
    'held request': key('held request'),
    'counted attempt': key('counted attempt'),
    'shopper email': key('shopper email'),
    'second factor': key('second factor'),
  };
}

/**
 * An unguessable text for `subject`. The same input gives the same text, so none is stored.
 * @returns 43 base64url characters
 */
export function derive(keys: DerivedKeys, purpose: Purpose, subject: string): string {
  return createHmac('sha256', keys[purpose]).update(subject).digest('base64url');
}

/** Encrypts a text for the store, so that the store alone does not reveal it. Every call returns another text. */
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

/** The keys of an account: of its signing secret and of the previous secrets. */
export type KeyHolder = { derivedKeys: DerivedKeys; previousKeys: readonly DerivedKeys[] };

/** How long a redirect_url is valid. The shopper follows it at once; a reload of the issuer's page needs it, too. */
const TICKET_MS = 15 * 60_000;

/** `<session id>.<random>`: lets its holder see and pay one session. Derived, not stored. */
export function clientSecret(account: KeyHolder, sessionId: string): string {
  return `${sessionId}.${derive(account.derivedKeys, 'client secret', sessionId)}`;
}

/** True for a client secret of this session. */
export function isClientSecret(account: KeyHolder, sessionId: string, secret: string): boolean {
  const [id, random = ''] = secret.split('.');
  return id === sessionId && isDerived(account, 'client secret', sessionId, random);
}

/** The token in a notify_url, so that its address cannot be guessed. */
export function notificationToken(account: KeyHolder, kind: string, id: string): string {
  return derive(account.derivedKeys, 'notification token', `${kind} ${id}`);
}

/** True for the token of a notify_url. */
export function isNotificationToken(account: KeyHolder, kind: string, id: string, token: string): boolean {
  return isDerived(account, 'notification token', `${kind} ${id}`, token);
}

/** A short-lived ticket for the issuer's page of one attempt. */
export function issueTicket(account: KeyHolder, attemptId: string, now: Date): string {
  const expires = String(now.getTime() + TICKET_MS);
  return `${expires}.${derive(account.derivedKeys, 'issuer ticket', `${attemptId} ${expires}`)}`;
}

/** True for a valid ticket of this attempt. */
export function isValidTicket(account: KeyHolder, attemptId: string, ticket: string, now: Date): boolean {
  const [expires = '', proof = ''] = ticket.split('.');
  const right = isDerived(account, 'issuer ticket', `${attemptId} ${expires}`, proof);
  return right && /^\d{1,15}$/.test(expires) && Number(expires) > now.getTime();
}

/** True for a value that was derived from the account's signing secret, the present or a previous one. */
function isDerived(account: KeyHolder, purpose: Purpose, subject: string, text: string): boolean {
  return [account.derivedKeys, ...account.previousKeys].some((keys) => sameText(text, derive(keys, purpose, subject)));
}

/** The length of a keyed hash at which two addresses of one shop never have the same hash. */
const EMAIL_HASH_LENGTH = 22;

/** The keyed hash by which orders of a deleted e-mail address are found. Letter case and outer spaces do not matter. */
export function emailHash({ derivedKeys }: Pick<KeyHolder, 'derivedKeys'>, email: string): string {
  return derive(derivedKeys, 'shopper email', email.trim().normalize('NFKC').toLowerCase()).slice(0, EMAIL_HASH_LENGTH);
}

/** The hashes under the account's signing secret and the previous ones. */
export function emailHashes({ derivedKeys, previousKeys }: KeyHolder, email: string): string[] {
  return [derivedKeys, ...previousKeys].map((keys) => emailHash({ derivedKeys: keys }, email));
}
