import { z } from 'zod';
import { type EventType, notificationReceived, operationCompleted } from './event.ts';
import { moment } from './fields.ts';
import { operationAnswer } from './operation.ts';
import { sessionAnswer } from './session.ts';

/** What a payout's notification names, with its SHA-256 in hex and its size, and whether the gateway signed it. */
const payoutNotified = z.object({
  verified: z.boolean(),
  notification: z.object({
    sha256: z.string(),
    bytes: z.int(),
    request_id: z.string().optional(),
    transaction_id: z.string().optional(),
    short_reference_id: z.string().optional(),
    status: z.string().optional(),
  }),
});

/** The body of a webhook of one type. `timestamp` is ISO 8601 in UTC. */
const told = <Type extends EventType, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({ type: z.literal(type), timestamp: moment, data });

/**
 * The body of a webhook; `data` is the session or operation as it was when the webhook was written, or what is told of it. Newer
 * relays have types that are not here: leave them alone.
 */
export const webhookEvent = z.discriminatedUnion('type', [
  /** `late`: the session was `failed` or `expired` before it turned out to be paid. */
  told('session.approved', sessionAnswer.extend({ late: z.literal(true).optional() })),
  told('session.declined', sessionAnswer),
  told('session.redirected', sessionAnswer),
  told('session.pending', sessionAnswer),
  told('session.unknown', sessionAnswer),
  told('session.failed', sessionAnswer),
  told('session.expired', sessionAnswer),
  /** `transaction_ids`: the earlier payment, and the one to refund. */
  told('session.paid_twice', sessionAnswer.extend({ transaction_ids: z.array(z.string()) })),
  told('notification.received', notificationReceived),
  told('operation.completed', operationCompleted),
  told('operation.unknown', operationAnswer),
  told('operation.settled', operationAnswer),
  told('payout.updated', operationAnswer),
  told('payout.notified', operationAnswer.extend(payoutNotified.shape)),
]);
export type WebhookEvent = z.infer<typeof webhookEvent>;

/** `data` of each webhook. */
export type WebhookData = { [Event in WebhookEvent as Event['type']]: Event['data'] };
