import { createHmac } from 'node:crypto';
import type { EventType } from '../api/webhook.ts';

/**
 * The headers that sign a webhook's body (Standard Webhooks): one signature for each secret, so that a receiver with
 * one of two secrets accepts it. Throws TypeError for an invalid secret.
 * @param nowMs the time of this try, in milliseconds since 1970
 */
export function webhookHeaders(
  event: { id: string; body: string },
  secrets: readonly string[],
  nowMs: number,
): { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string } {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signatures = secrets.map((secret) => {
    const key = webhookKey(secret);
    if (!key) throw new TypeError('not a webhook secret');
    return `v1,${createHmac('sha256', key).update(`${event.id}.${timestamp}.${event.body}`).digest('base64')}`;
  });
  return { 'webhook-id': event.id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/** The key in a Standard Webhooks secret: `whsec_` and the base64 of 24 to 64 bytes. Undefined for anything else. */
export function webhookKey(secret: string): Buffer | undefined {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1] ?? '';
  const key = Buffer.from(encoded, 'base64');
  // The libraries of receivers require padding.
  const isExact = key.toString('base64') === encoded;
  return isExact && key.length >= 24 && key.length <= 64 ? key : undefined;
}

/** The maximum duration of one try. A receiver should answer first and work afterwards. */
export const WEBHOOK_TIMEOUT_MS = 10_000;

/** How long an event is tried if the last answer was 410, which may be the error of a proxy. */
export const GONE_GIVE_UP_MS = 86_400_000;

/** The body of a webhook, as it is stored and sent. */
export function webhookBody(type: EventType | (string & {}), timestamp: string, data: object): string {
  return JSON.stringify({ type, timestamp, data });
}

/**
 * The headers of one try to deliver a webhook. Throws TypeError for an invalid secret.
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
