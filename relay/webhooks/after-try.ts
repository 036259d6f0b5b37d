import type { DeliveryFault, Pending, Tried } from '../store/event.ts';
import type { Sent } from './send-webhook.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The wait after the first try; it doubles with each one. */
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 3 * HOUR_MS;

/** However much longer a receiver asks for. */
const MAX_RETRY_AFTER_MS = DAY_MS;

/** How long an event is tried, from its first try: one that waited in line has the same time as the one before it. */
export const GIVE_UP_MS = 3 * DAY_MS;

/**
 * What becomes of a delivery by what its receiver did. Waits grow exponentially, each shortened by up to half at
 * `random` (0 to 1), so that a receiver that comes back is not met by all at once.
 */
export function afterTry(before: Pending, sent: Sent, now: Date, random: number): Tried {
  const tries = before.tries + 1;
  const at = now.toISOString();
  switch (sent.kind) {
    case 'accepted':
      return { status: 'delivered', tries, delivered_at: at };
    case 'gone':
      return { status: 'failed', tries, failed_at: at, reason: 'http_410' };
    case 'stopped':
      return { ...before, next_try_at: at };
    case 'refused': {
      const first = before.first_try_at ?? at;
      return tryAgain(tries, new Date(first), now, sent, random);
    }
  }
}

function tryAgain(
  tries: number,
  first: Date,
  now: Date,
  { fault, retry_after }: { fault: DeliveryFault; retry_after?: string },
  random: number,
): Tried {
  const end = first.getTime() + GIVE_UP_MS;
  if (now.getTime() >= end) return { status: 'failed', tries, failed_at: now.toISOString(), reason: fault };
  const wait = Math.max(backOff(tries, random), retryAfterMs(retry_after, now));
  // The last try comes when the time is over, not before.
  const next = new Date(Math.min(now.getTime() + wait, end)).toISOString();
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
