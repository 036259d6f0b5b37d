import type { CallResult, Fault } from '../gateway/call.ts';

/** How long after a successful query the gateway counts as up. */
const UP_MS = 60_000;

/** After so many unclear failures, of a query and of two of its parts, the relay assumes that every query fails now. */
export const MAX_UNCLEAR = 3;

/** The faults of an answer that another or a smaller query may not have. */
const contentFaults: ReadonlySet<Fault> = new Set<Fault>([
  'answer_too_large',
  'not_json',
  'repeated_field',
  'nested_too_deep',
  'wrong_shape',
  'unreadable_encoding',
]);

/**
 * Whether the content of a query can explain its failure, so that a part of it may be answered.
 * @param answeredAt when the gateway answered a query of the account last, in milliseconds by the monotonic clock
 * @param now this moment, or when the query began, by the same clock
 */
export function isContentFault(
  called: Exclude<CallResult, { kind: 'answer' }>,
  answeredAt: number | undefined,
  now: number,
): boolean {
  switch (called.kind) {
    case 'refused':
      return called.status === 400;
    case 'unusable':
      if (isUnclear(called)) return hasAnsweredLately(answeredAt, now);
      if (called.fault === 'http_status') return called.evidence.http_status === 400;
      return contentFaults.has(called.fault);
    case 'not_sent':
    case 'not_configured':
      return false;
  }
}

/** The cause of a failed query: its `content` can explain the failure, or only the `gateway` can; otherwise `unclear`. */
export type FailureCause = 'content' | 'unclear' | 'gateway';

/** The cause of a failed query. For the arguments see `isContentFault`. */
export function failureCause(...failed: Parameters<typeof isContentFault>): FailureCause {
  if (isContentFault(...failed)) return 'content';
  return isUnclear(failed[0]) ? 'unclear' : 'gateway';
}

/** Whether the gateway answered with a 5xx, or not in time: because of the query, or because it is down. */
export function isUnclear(called: CallResult): boolean {
  if (called.kind !== 'unusable') return false;
  const { http_status } = called.evidence;
  return called.fault === 'timeout' || (http_status !== undefined && http_status >= 500);
}

/** Whether the gateway answered a query of the account lately; for the arguments see `isContentFault`. */
export function hasAnsweredLately(answeredAt: number | undefined, now: number): boolean {
  return answeredAt !== undefined && now - answeredAt < UP_MS;
}

/**
 * The parts of a failed query or search to send next; none if splitting is useless.
 * @param unclear how many parts failed this way before
 * @param nth a different number each time
 */
export function partsOf<One>(
  group: readonly One[],
  cause: FailureCause | 'no_list' | undefined,
  unclear: number,
  nth: number,
): readonly One[][] {
  if (group.length === 1) return [];
  if (cause === 'content') {
    const middle = Math.ceil(group.length / 2);
    return [group.slice(0, middle), group.slice(middle)];
  }
  if (cause !== 'unclear' || unclear > 0) return [];
  // The first two parts are single names, different ones each time: if the gateway answers about one, another name
  // causes the failure.
  const one = nth % group.length;
  const two = (one + Math.ceil(group.length / 2)) % group.length;
  const rest = group.filter((_, n) => n !== one && n !== two);
  return [...[one, two].map((n) => group.slice(n, n + 1)), ...(rest.length > 0 ? [rest] : [])];
}
