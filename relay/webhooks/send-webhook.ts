import { Agent, errors, request } from 'undici';
import { GONE_GIVE_UP_MS } from '../../shared/webhooks/signing.ts';
import {
  AddressRefused,
  type AddressRules,
  allowedAddresses,
  checkedLookup,
  type Resolve,
} from '../gateway/issuer/addresses.ts';
import type { DeliveryFault, Pending, Tried } from '../store/facets/outbox.ts';

/** The receiver's answer to a webhook. `retry_after` is its header, unchanged. */
export type WebhookResult =
  | { kind: 'accepted' }
  | { kind: 'refused'; fault: DeliveryFault; retry_after?: string }
  | { kind: 'stopped' };

/** Sends one webhook. Never throws, never follows a redirect. Aborting `stopping` makes it `stopped`. */
export type Send = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  stopping: AbortSignal,
) => Promise<WebhookResult>;

/** The client of the shops' receivers. */
export type Sender = { send: Send; close(): Promise<void> };

/** The bytes of an answer that are read, so that the connection can be used again. Only the status matters. */
const MAX_ANSWER_BYTES = 16_384;

/** Creates the client of the shops' receivers; `timeoutMs` bounds a whole try. Sockets connect to allowed addresses only. */
export function createSender(rules: AddressRules, timeoutMs: number, resolve?: Resolve): Sender {
  const schemes = new Map([
    ['https:', schemeWith(rules, resolve)],
    ...(rules.allow_private ? [['http:', schemeWith({ ...rules, only_private: true }, resolve)] as const] : []),
  ]);
  return {
    async send(address, headers, body, stopping) {
      const url = new URL(address);
      const scheme = schemes.get(url.protocol);
      if (!scheme) return { kind: 'refused', fault: 'scheme_refused' };
      const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), stopping]);
      try {
        // Sockets look up and check names when they connect, but not literal addresses.
        if (isLiteral(url.hostname)) await allowedAddresses(url.hostname, scheme.rules);
        const answer = await request(url, { dispatcher: scheme.agent, method: 'POST', headers, body, signal });
        answer.body.dump({ limit: MAX_ANSWER_BYTES, signal }).catch(() => undefined);
        return read(answer.statusCode, answer.headers['retry-after']);
      } catch (error) {
        return stopping.aborted ? { kind: 'stopped' } : { kind: 'refused', fault: faultOf(error, signal) };
      }
    },
    close: async () => void (await Promise.all([...schemes.values()].map(({ agent }) => agent.destroy()))),
  };
}

function schemeWith(rules: AddressRules, resolve?: Resolve): { rules: AddressRules; agent: Agent } {
  return { rules, agent: new Agent({ connect: { lookup: checkedLookup(rules, resolve) } }) };
}

function isLiteral(hostname: string): boolean {
  return hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
}

function read(status: number, retryAfter: string | string[] | undefined): WebhookResult {
  if (status >= 200 && status <= 299) return { kind: 'accepted' };
  const retryAfterField = typeof retryAfter === 'string' ? { retry_after: retryAfter } : {};
  return { kind: 'refused', fault: `http_${status}`, ...retryAfterField };
}

function faultOf(error: unknown, signal: AbortSignal): DeliveryFault {
  const cause = error instanceof Error ? error.cause : undefined;
  if (error instanceof AddressRefused || cause instanceof AddressRefused) return 'address_refused';
  const timedOut =
    signal.aborted || error instanceof errors.ConnectTimeoutError || error instanceof errors.HeadersTimeoutError;
  return timedOut ? 'timeout' : 'no_answer';
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The wait after the first try; it doubles with each try. */
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 3 * HOUR_MS;

/** The maximum wait that a receiver can request. */
const MAX_RETRY_AFTER_MS = DAY_MS;

/** How long an event is tried, from its first try, which may be later than its creation. */
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
