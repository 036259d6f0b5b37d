import { GONE_GIVE_UP_MS } from '../../shared/webhooks/signing.ts';
import type { DeliveryFault, Pending, Tried } from '../store/facets/outbox.ts';
import type { WebhookResult } from './send-webhook.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The wait after the first try; it doubles with each try. */
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 3 * HOUR_MS;

/** The maximum wait that a receiver can request. */
const MAX_RETRY_AFTER_MS = DAY_MS;

/** A delivery is given up this long after its first try, which may be later than the event. */
export const GIVE_UP_MS = 3 * DAY_MS;

/**
 * The next state of a delivery after the receiver's answer. Waits grow exponentially, each shortened by up to half at `random` (0 to 1), so
 * that not all webhooks reach a returning receiver at once.
 * @param steady the time without jumps of the clock, at which tries end
 */
export function afterTry(before: Pending, sent: WebhookResult, now: Date, random: number, steady = now): Tried {
  const tries = before.tries + 1;
  const at = now.toISOString();
  switch (sent.kind) {
    case 'accepted':
      return { status: 'delivered', tries, delivered_at: at };
    case 'stopped':
      return { ...before, next_try_at: at };
    case 'refused': {
      const first = before.first_try_at ?? at;
      return tryAgain(tries, new Date(first), { now, steady }, sent, random);
    }
  }
}

function tryAgain(
  tries: number,
  first: Date,
  { now, steady }: { now: Date; steady: Date },
  { fault, retry_after }: { fault: DeliveryFault; retry_after?: string },
  random: number,
): Tried {
  const end = first.getTime() + (fault === 'http_410' ? GONE_GIVE_UP_MS : GIVE_UP_MS);
  if (steady.getTime() >= end) return { status: 'failed', tries, failed_at: now.toISOString(), reason: fault };
  const wait = Math.max(backOff(tries, random), retryAfterMs(retry_after, now));
  // The last try is made when the time is over.
  const last = now.getTime() < end ? end : Number.POSITIVE_INFINITY;
  const next = new Date(Math.min(now.getTime() + wait, last)).toISOString();
  return { status: 'pending', tries, next_try_at: next, first_try_at: first.toISOString(), fault };
}

function backOff(tries: number, random: number): number {
  const full = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(tries - 1, 30));
  return full * (1 - random / 2);
}

/** A Retry-After in seconds or as an HTTP date; 0 for anything else. */
function retryAfterMs(value: string | undefined, now: Date): number {
  if (value === undefined) return 0;
  const ms = /^\d{1,9}$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now.getTime();
  return Math.min(Math.max(Number.isNaN(ms) ? 0 : ms, 0), MAX_RETRY_AFTER_MS);
}
