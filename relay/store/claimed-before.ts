import { liesAhead } from '../payments/waited.ts';
import type { Row } from './rows.ts';
import type { Claim, Claimed } from './store.ts';

/** What a request is told whose key was claimed before, as `before` says; undefined where it may have the key. */
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
  const isAbandoned = claimedAt < abandonedBefore || liesAhead(Date.parse(claimedAt), new Date(claimed_at));
  return isAbandoned ? undefined : { kind: 'running' };
}
