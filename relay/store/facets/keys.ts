import { isInFuture } from '../../payments/absence-clock.ts';
import type { Row } from '../row.ts';

/** The first use of an `Idempotency-Key`: on which account and route. */
export type Key = { account: string; route: string; key: string };

/**
 * A request for a key. `fingerprint` identifies its body; `earlier` has the fingerprints of the same body under previous signing
 * secrets. Times are ISO 8601 in UTC.
 */
export type Claim = Key & { fingerprint: string; earlier?: readonly string[]; claimed_at: string };

/**
 * The result of a claim. `subject` is the operation or session that the first request made, `reply` its sealed answer.
 * `other_body` includes the first request's own body if its fingerprint was made with a secret that is no longer listed.
 */
export type Claimed =
  | { kind: 'claimed' }
  | { kind: 'other_body'; subject?: string; reply?: string }
  | { kind: 'running'; subject?: string }
  | { kind: 'answered'; reply: string };

/** An answer to store under its key. */
export type Answered = Key & { reply: string; subject?: string };

/** Idempotency keys, each with the result and the answer of its first request. */
export type KeyStore = {
  /**
   * Claims a key for a request. A key that was claimed before `abandonedBefore` and has no result is free again. `earlierKeys` are
   * other forms of the key: a claim of any of them counts as a claim of the key.
   */
  claim(claim: Claim, abandonedBefore: string, earlierKeys?: readonly string[]): Promise<Claimed>;
  /** Stores the answer under a claimed key. An earlier answer stays. */
  answer(answered: Answered): Promise<void>;
  /** Releases the keys of these claims that have no result. Another request's claim of the same key stays. */
  release(claims: readonly Claim[]): Promise<void>;
  /** Deletes a key that is linked to `subject`, or to nothing if `subject` is absent, with the stored answer. */
  drop(key: Key, subject?: string): Promise<void>;
};

/** The result of a claim of a key that was claimed before; undefined if the request may have the key. */
export function claimedBefore(
  { fingerprint, earlier = [], claimed_at }: Claim,
  before: Claim | Row,
  abandonedBefore: string,
): Claimed | undefined {
  const reply = 'reply' in before && typeof before.reply === 'string' ? before.reply : undefined;
  const subject = 'subject' in before && typeof before.subject === 'string' ? before.subject : undefined;
  if (![fingerprint, ...earlier].includes(String(before.fingerprint))) {
    return {
      kind: 'other_body',
      ...(subject === undefined ? {} : { subject }),
      ...(reply === undefined ? {} : { reply }),
    };
  }
  if (reply !== undefined) return { kind: 'answered', reply };
  if (subject !== undefined) return { kind: 'running', subject };
  const claimedAt = String(before.claimed_at);
  const isAbandoned = claimedAt < abandonedBefore || isInFuture(Date.parse(claimedAt), new Date(claimed_at));
  return isAbandoned ? undefined : { kind: 'running' };
}
