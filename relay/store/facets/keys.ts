import { isInFuture } from '../../payments/absence-clock.ts';
import type { Row } from '../rows.ts';

/** The first use of an `Idempotency-Key`: on which account and route. */
export type Key = { account: string; route: string; key: string };

/**
 * A request that wants its key. `fingerprint` tells its body from others; `earlier` are the same body's under signing
 * secrets of before. Times are ISO 8601 in UTC.
 */
export type Claim = Key & { fingerprint: string; earlier?: readonly string[]; claimed_at: string };

/**
 * The result of a claim. `subject` is the operation or session that the first request made, `reply` its sealed answer.
 * `other_body` includes the first request's own body, where its fingerprint was made under a secret that is no longer listed.
 */
export type Claimed =
  | { kind: 'claimed' }
  | { kind: 'other_body'; subject?: string; reply?: string }
  | { kind: 'running'; subject?: string }
  | { kind: 'answered'; reply: string };

/** An answer to keep under its key. */
export type Answered = Key & { reply: string; subject?: string };

/** Idempotency keys, each with what its first request made and answered. */
export type KeyStore = {
  /**
   * Takes a key for a request. One that was taken before `abandonedBefore` and led to nothing is free again. `earlierKeys` are
   * other forms of the key: what was claimed under any of them counts as claimed under the key.
   */
  claim(claim: Claim, abandonedBefore: string, earlierKeys?: readonly string[]): Promise<Claimed>;
  /** Keeps the answer under a claimed key; an earlier answer stays. */
  answer(answered: Answered): Promise<void>;
  /** Gives keys back that were claimed by these claims, and led to nothing. Another request's claim of the same key stays. */
  release(claims: readonly Claim[]): Promise<void>;
  /** Forgets a key that leads to `subject`, or to nothing where that is left out, whatever is kept under it. */
  drop(key: Key, subject?: string): Promise<void>;
};

/** The claim of a request whose key was claimed before; undefined where it may have the key. */
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
