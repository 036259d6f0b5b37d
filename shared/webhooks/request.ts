import type { EventType } from '../api/event.ts';
import { webhookHeaders } from './signing.ts';

/** A whole try to deliver a webhook: a receiver should answer first and work afterwards. */
export const WEBHOOK_TIMEOUT_MS = 10_000;

/** The body of a webhook, as it is stored and sent. */
export function webhookBody(type: EventType | (string & {}), timestamp: string, data: object): string {
  return JSON.stringify({ type, timestamp, data });
}

/**
 * The headers of one try to deliver a webhook. Throws TypeError for a secret that is none.
 * @param nowMs the time of this try, in milliseconds since 1970
 */
export function webhookRequestHeaders(
  event: { id: string; body: string },
  secrets: readonly string[],
  nowMs: number,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Turnpike-Webhooks',
    ...webhookHeaders(event, secrets, nowMs),
  };
}
