import { z } from 'zod';
import { boolean, optionalString, string } from '../gateway/text.ts';
import { type EventType, notificationReceived, operationCompleted } from './event.ts';
import { moment } from './fields.ts';
import { operationAnswer } from './operation.ts';
import { sessionAnswer } from './session.ts';

/** What a payout's notification names, and whether the gateway signed it. */
const payoutNotified = z.object({
  verified: boolean.describe('Whether the gateway signed it.'),
  notification: z
    .object({
      sha256: string.describe('Its SHA-256 in hex.'),
      bytes: z.int().describe('Its size in bytes.'),
      request_id: optionalString.describe('The payout that it names.'),
      transaction_id: optionalString.describe('The transaction that it names.'),
      short_reference_id: optionalString.describe('The reference that it names.'),
      status: optionalString.describe('The status that it reports.'),
    })
    .describe('The notification: its SHA-256 in hex, its size in bytes, and what it names, without card data.'),
});

const paidLate = z.object({
  late: z.literal(true).optional().describe('Present if the session was `failed` or `expired` before.'),
});

const paidTwice = z.object({
  transaction_ids: z.array(z.string()).describe('The first payment and this one, which must be refunded.'),
});

/** The body of a webhook of one type. `timestamp` is ISO 8601 in UTC. */
const told = <Type extends EventType, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({
    type: z.literal(type).describe('The type of the webhook.'),
    timestamp: moment.describe('When it was written.'),
    data,
  });

/**
 * The body of a webhook; `data` is the session or operation as it was when the webhook was written, or a part of it. Newer
 * relays have types that are not here: leave them alone.
 */
export const webhookEvent = z.discriminatedUnion('type', [
  told('session.approved', sessionAnswer.and(paidLate)),
  told('session.declined', sessionAnswer),
  told('session.redirected', sessionAnswer),
  told('session.pending', sessionAnswer),
  told('session.unknown', sessionAnswer),
  told('session.failed', sessionAnswer),
  told('session.expired', sessionAnswer),
  told('session.paid_twice', sessionAnswer.and(paidTwice)),
  told('notification.received', notificationReceived),
  told('operation.completed', operationCompleted),
  told('operation.unknown', operationAnswer),
  told('operation.settled', operationAnswer),
  told('payout.updated', operationAnswer),
  told('payout.notified', operationAnswer.and(payoutNotified)),
]);
export type WebhookEvent = z.infer<typeof webhookEvent>;

/** `data` of each webhook. */
export type WebhookData = { [Event in WebhookEvent as Event['type']]: Event['data'] };
