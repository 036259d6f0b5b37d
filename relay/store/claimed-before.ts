import type { Row } from './rows.ts';
import type { Claim, Claimed } from './store.ts';

/** What a request is told whose key was claimed before, as `before` says; undefined where it may have the key. */
export function claimedBefore(
  { fingerprint, earlier = [] }: Claim,
  before: Claim | Row,
  abandonedBefore: string,
): Claimed | undefined {
  if (![fingerprint, ...earlier].includes(String(before.fingerprint))) return { kind: 'other_body' };
  if ('reply' in before && typeof before.reply === 'string') return { kind: 'answered', reply: before.reply };
  if ('subject' in before && typeof before.subject === 'string') return { kind: 'running', subject: before.subject };
  return String(before.claimed_at) >= abandonedBefore ? { kind: 'running' } : undefined;
}
