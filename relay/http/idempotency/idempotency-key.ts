import type { IncomingMessage } from 'node:http';
import { holdsCard, mayHoldCard } from '../../../shared/card-data/mask.ts';
import { canonicalMessage } from '../../../shared/gateway/signature.ts';
import { ProblemError } from '../../base/errors.ts';
import { type DerivedKeys, derive, type KeyHolder } from '../../base/keys.ts';
import type { Account } from '../../config/load.ts';
import type { Context } from '../../context/context.ts';
import type { Claim } from '../../store/facets/keys.ts';

/** A request's key in its stored form, and the other forms in which it may have been stored before. */
type KeptKey = { key: string; earlierKeys: readonly string[] };

/**
 * The request's `Idempotency-Key`, bare or as the quoted string of the IETF draft, in its stored form. Of a key with card data only a
 * keyed hash is stored. Throws ProblemError.
 */
export function idempotencyKey(req: IncomingMessage, account: Account): KeptKey | undefined {
  if (req.headers['idempotency-key'] === undefined) return undefined;
  const given = req.headersDistinct['idempotency-key'] ?? [];
  const [value = ''] = given;
  const text = /^"(.*)"$/.exec(value)?.[1] ?? value;
  if (given.length === 1 && /^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/.test(text)) {
    return keptKey(text, account);
  }
  throw new ProblemError(
    'idempotency_key_invalid',
    'Send one Idempotency-Key of 1 to 255 visible ASCII characters without quotes, backslashes and spaces, such as a UUID.',
  );
}

/**
 * The stored form of a key. A key with card data is stored as a hash under the signing secret of its time. A key that may have card
 * data is searched in every form, because another version of the relay may have stored it in another one.
 */
function keptKey(text: string, { derivedKeys, previousKeys }: KeyHolder): KeptKey {
  if (!mayHoldCard(text)) return { key: text, earlierKeys: [] };
  const hashed = (keys: DerivedKeys): string => `hmac.${derive(keys, 'idempotency key', text)}`;
  const forms = [hashed(derivedKeys), ...previousKeys.map(hashed), text];
  const key = holdsCard(text) ? hashed(derivedKeys) : text;
  return { key, earlierKeys: forms.filter((form) => form !== key) };
}

/** The claim of a key for a request with this body, made now. */
export function claimOf(context: Context, account: Account, route: string, key: string, body: object): Claim {
  return {
    account: account.id,
    route,
    key,
    fingerprint: fingerprint(account.derivedKeys, body),
    earlier: account.previousKeys.map((keys) => fingerprint(keys, body)),
    claimed_at: context.now().toISOString(),
  };
}

/** Identifies a body without storing it. Card number and security code are left out. */
function fingerprint(keys: DerivedKeys, body: object): string {
  const { card: _card, security_code: _code, ...rest } = { card: '', security_code: '', ...body };
  return derive(keys, 'request fingerprint', canonicalMessage({ rest }));
}
