import { createHmac } from 'node:crypto';
import { webhookKey } from '../base/keys.ts';

/**
 * The headers that sign a webhook's body (Standard Webhooks): one signature a secret, so that a receiver that knows
 * either of two takes it. Throws TypeError for a secret that is none.
 */
export function webhookHeaders(
  event: { id: string; body: string },
  secrets: readonly string[],
  now: Date,
): { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string } {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = webhookKey(secret);
    if (!key) throw new TypeError('not a webhook secret');
    return `v1,${createHmac('sha256', key).update(`${event.id}.${timestamp}.${event.body}`).digest('base64')}`;
  });
  return { 'webhook-id': event.id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}
