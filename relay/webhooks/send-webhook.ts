import { Agent, errors, request } from 'undici';
import {
  AddressRefused,
  type AddressRules,
  allowedAddresses,
  checkedLookup,
  type Resolve,
} from '../gateway/issuer/addresses.ts';
import type { DeliveryFault } from '../store/facets/outbox.ts';

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
