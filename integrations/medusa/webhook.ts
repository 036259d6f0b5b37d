import { z } from 'zod';
import type { Webhook, WebhookHeaders } from '#webhooks';

const notes = z.object({ medusa_session_id: z.string() });

/** The session of the relay that a webhook is about, and the payment session of Medusa that it belongs to. */
export type NamedSession = { id: string; medusaSessionId: string };

/** Returns undefined for a webhook of another kind, or about a session that Medusa did not create. */
export function sessionOf(webhook: Webhook): NamedSession | undefined {
  if (!webhook.known) return undefined;
  const { type, data } = webhook;
  if (type.startsWith('session.') && 'attempts' in data) return named(data.id, data.metadata);
  if (type.startsWith('payment.') && 'payment' in data) return named(data.payment.session_id, data.payment.metadata);
  return undefined;
}

function named(id: string | undefined, metadata: unknown): NamedSession | undefined {
  const ours = notes.safeParse(metadata);
  return id !== undefined && ours.success ? { id, medusaSessionId: ours.data.medusa_session_id } : undefined;
}

/** The headers of a request as Medusa passes them on. */
export function headersOf(headers: Record<string, unknown>): WebhookHeaders {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}
