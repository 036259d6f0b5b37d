import type { Limits } from '../../../shared/api/console.ts';
import { canonicalMessage } from '../../../shared/gateway/signature.ts';
import { ProblemError, StoreError } from '../../base/errors.ts';
import { unseal } from '../../base/keys.ts';
import type { Account } from '../../config/load.ts';
import type { Context } from '../../context/context.ts';
import type { Answered, Claim } from '../../store/facets/keys.ts';
import { problemAnswer } from '../answer.ts';
import type { Audit } from '../audit.ts';

/** A complete answer. It can be sent again byte for byte. */
export type Reply = { status: number; type: string; headers: Readonly<Record<string, string>>; body: string };

/** An answer that is too long to store: a repetition runs the request again. */
export type LongReply = Omit<Reply, 'body'> & { body: Buffer };

/** The account, requester and key of a request. */
export type Use = {
  account: Account;
  /** The requester: the name of the API key, or of the person behind `person:`. */
  by: string;
  /** The person who sent the request, with their limits; undefined for an API key. */
  person: { limits: Limits } | undefined;
  /** Undefined if the request has no `Idempotency-Key`. */
  key: Claim | undefined;
  /** The reply in the form in which a transaction stores it under the key. */
  answered(reply: Reply): Answered | undefined;
  audit: Audit;
};

/** Reads the reply for the operation or session that a key is linked to. */
export type LookUp = (subject: string) => Promise<Reply | 'again'>;

/** The maximum duration, in milliseconds, of a request without a result: three tries, and ten seconds more. */
const abandonedAfter = (timeoutMs: number): number => 3 * timeoutMs + 10_000;

/** A reply with a JSON body. */
export function jsonReply(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, type: 'application/json', headers, body: JSON.stringify(body) };
}

/** The media type of problems. */
export const PROBLEM = 'application/problem+json';

/** The reply with a problem. */
export function problemReply(error: ProblemError): Reply {
  const { status, headers, body } = problemAnswer(error);
  return { status, type: PROBLEM, headers, body: JSON.stringify(body) };
}

/** Stores a refusal under its key. Nothing was done, so the key is released if the store fails now. */
export async function keepRefusal(context: Context, use: Use, claim: Claim, refusal: ProblemError): Promise<void> {
  const answered = use.answered(problemReply(refusal));
  if (answered) await context.store.keys.answer(answered).catch(() => releaseKeyLater(context, claim));
}

/** Releases a key without a result: at once, or when the store is available again. */
export async function releaseKey(context: Context, claim: Claim): Promise<void> {
  await context.store.keys.release([claim]).catch(() => releaseKeyLater(context, claim));
}

/** The maximum number of keys to release later. Further keys become free when they count as abandoned. */
const MAX_TO_RELEASE = 10_000;

function releaseKeyLater({ keysToRelease }: Context, claim: Claim): void {
  if (keysToRelease.size < MAX_TO_RELEASE) keysToRelease.add({ claim });
}

/** Stores a reply under its key. The request has taken effect, so a failure of the store now is only logged. */
export async function keepReply(context: Context, use: Use, reply: Reply): Promise<void> {
  const answered = use.answered(reply);
  if (!answered) return;
  await context.store.keys.answer(answered).catch((error: unknown) => {
    if (!(error instanceof StoreError)) throw error;
    context.log.error({ route: answered.route }, 'reply not stored under its idempotency key');
  });
}

/** Returns the reply that is stored under the key; undefined if the key now belongs to this request. Throws ProblemError. */
export async function takeKey(
  context: Context,
  claim: Claim,
  earlierKeys: readonly string[],
  lookUp: LookUp,
  account: Account,
): Promise<Reply | undefined> {
  const abandoned = Date.parse(claim.claimed_at) - abandonedAfter(context.config.gateway.timeout_ms);
  const claimed = await context.store.keys
    .claim(claim, new Date(abandoned).toISOString(), earlierKeys)
    .catch((error: unknown) => {
      // The store may have written the claim.
      if (error instanceof StoreError && !error.wroteNothing) releaseKeyLater(context, claim);
      throw error;
    });
  switch (claimed.kind) {
    case 'claimed':
      return undefined;
    case 'answered': {
      const reply = keptReply(account, claimed.reply);
      if (reply) return reply;
      throw reused(undefined, false);
    }
    case 'other_body': {
      const { subject, reply } = claimed;
      throw reused(subject, reply !== undefined && keptReply(account, reply) !== undefined);
    }
    case 'running': {
      const { subject } = claimed;
      if (subject === undefined) throw inProgress();
      const reply = await lookUp(subject);
      if (reply !== 'again') return reply;
      // Nothing was sent under the key, so it is claimed again.
      for (const key of [claim.key, ...earlierKeys]) await context.store.keys.drop({ ...claim, key }, subject);
      return takeKey(context, claim, earlierKeys, lookUp, account);
    }
  }
}

/** The stored reply; undefined if it was sealed with a secret that is no longer listed. */
function keptReply({ derivedKeys, previousKeys }: Account, sealed: string): Reply | undefined {
  for (const keys of [derivedKeys, ...previousKeys]) {
    const kept = unseal(keys, 'kept answer', sealed);
    if (kept !== undefined) return JSON.parse(kept);
  }
  return undefined;
}

/** True for two values with the same JSON, except for the order of fields. */
export function sameContent(left: object, right: object): boolean {
  return canonicalMessage({ value: left }) === canonicalMessage({ value: right });
}

/** The 409 of a request that is still running. */
export function inProgress(subject?: string): ProblemError {
  return new ProblemError('in_progress', 'This request is still running. Repeat it with the same key in a moment.', {
    headers: { 'Retry-After': '1' },
    ...(subject === undefined ? {} : { operation_id: subject }),
  });
}

/**
 * The 422 of a key that belongs to another request. If both bodies may be the same, the message does not advise a new key: money could
 * move twice.
 * @param subject the operation or session of the first request
 * @param isOther true if the bodies certainly differ: the first reply is sealed with a secret that is listed
 */
function reused(subject: string | undefined, isOther: boolean): ProblemError {
  const detail = isOther
    ? 'This key was used for another body. Repeat that body under it; if this is a new request, give it a new key.'
    : 'This key was used for another body, or under a signing secret that is no longer listed. Do not send the request again, under a new key either, before you know what the first one did: read what it made.';
  return new ProblemError('idempotency_key_reused', detail, subject === undefined ? {} : { operation_id: subject });
}
