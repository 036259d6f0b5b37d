import { z } from 'zod';
import { operationNames } from '../gateway/operations.ts';
import { orderRecord } from '../gateway/query.ts';
import { itemOutcome, operationStatuses } from './operation.ts';

/** What a webhook can tell. */
export const eventTypes = [
  'session.approved',
  'session.declined',
  'session.redirected',
  'session.pending',
  'session.unknown',
  'session.failed',
  'session.expired',
  'session.paid_twice',
  'notification.received',
  'operation.completed',
  'operation.unknown',
  'operation.settled',
  'payout.updated',
  'payout.notified',
] as const;
export type EventType = (typeof eventTypes)[number];

/**
 * `data` of `notification.received`. `fields` is what the gateway sent, without card data, and `verified` whether it was signed
 * under the profile. `records` is what a query says of the payments that it names. A later charge of a contract that only a
 * query showed has no `fields`.
 */
export const notificationReceived = z.object({
  /** What the notify_url was made for. */
  kind: z.literal('payment'),
  /** The session of that payment. */
  session_id: z.string().optional(),
  verified: z.boolean(),
  fields: z.record(z.string(), z.unknown()),
  records: z.array(orderRecord),
});
export type NotificationReceived = z.infer<typeof notificationReceived>;

/**
 * `data` of `operation.completed`: what became of each item, in the order of the request, with what names the item there. It comes
 * once for each operation, and once more only if the gateway says otherwise than a person had.
 */
export const operationCompleted = z.object({
  id: z.string(),
  name: z.enum(operationNames),
  /** Who asked for it: the name of the API key. */
  by: z.string().optional(),
  status: z.enum(operationStatuses),
  created_at: z.iso.datetime(),
  settled_at: z.iso.datetime().optional(),
  items: z.array(
    z.looseObject({
      status: itemOutcome,
      /** The shop's own name of the item. */
      reference: z.string().optional(),
      transaction_id: z.string().optional(),
      order_no: z.string().optional(),
      currency: z.string().optional(),
      amount: z.string().optional(),
      refund_amount: z.string().optional(),
      request_id: z.string().optional(),
      recurring_id: z.string().optional(),
    }),
  ),
});
export type OperationCompleted = z.infer<typeof operationCompleted>;

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'acknowledged'] as const;

const moment = z.iso.datetime();

/**
 * How far a webhook's delivery is. `next_try_at` lies in the past while the webhook waits for one before it, or is being
 * sent; `fault` is the last try's.
 */
const delivery = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('pending'),
    tries: z.int(),
    next_try_at: moment,
    first_try_at: moment.optional(),
    fault: z.string().optional(),
  }),
  z.object({ status: z.literal('delivered'), tries: z.int(), delivered_at: moment }),
  z.object({ status: z.literal('failed'), tries: z.int(), failed_at: moment, reason: z.string() }),
  z.object({
    status: z.literal('acknowledged'),
    tries: z.int(),
    failed_at: moment,
    reason: z.string(),
    acknowledged_at: moment,
    /** The name of the API key. */
    by: z.string(),
  }),
]);

/** A webhook and its delivery: what `GET /v1/events/:id` answers. Newer relays have types that are not in `eventTypes`. */
export const eventAnswer = z.object({
  id: z.string(),
  type: z.string(),
  subject: z.string(),
  created_at: moment,
  delivery,
  data: z.record(z.string(), z.unknown()),
});
export type EventAnswer = z.infer<typeof eventAnswer>;

/** What `GET /v1/events` answers, the newest first. `next` is the `before` of the next page; the last page has none. */
export const eventList = z.object({
  events: z.array(eventAnswer),
  next: z.string().optional(),
});
export type EventList = z.infer<typeof eventList>;

/** What ids are made of. */
export const idPattern = /^[\w-]{1,200}$/;
const id = z.string().regex(idPattern, 'must be an id');

/** What `GET /v1/events` may be asked for, as it stands in the query: texts. */
export const eventQuery = z.strictObject({
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
    .transform(Number)
    .default(20),
  before: id.optional(),
  status: z.enum(deliveryStatuses).optional(),
  type: z.enum(eventTypes).optional(),
  subject: id.optional(),
});

/** Which webhooks to list, as the client takes it. */
export type EventFilter = {
  status?: (typeof deliveryStatuses)[number];
  /** A newer relay has types that this version does not know. */
  type?: EventType | (string & {});
  /** The session or operation that they are about. */
  subject?: string;
  /** Only webhooks that are older than the one with this id. */
  before?: string;
  /** How many at once: 1 to 100. */
  limit?: number;
};

/** The most webhooks that one request sends again. */
export const MAX_REDELIVERED = 100;

/**
 * `POST /v1/events/redeliver`: which webhooks to send again, by their ids, or those that were given up, the oldest first. `after`
 * is the `next` of the answer before.
 */
export const redeliverEvents = z.union(
  [
    z.strictObject({
      ids: z
        .array(id)
        .min(1, 'must name one')
        .max(MAX_REDELIVERED, `must be ${MAX_REDELIVERED} at the most`)
        .meta({ description: 'The webhooks, by their `webhook-id`.' }),
    }),
    z.strictObject({
      status: z.enum(['failed', 'acknowledged']).meta({
        description: '`failed`: those that were given up; `acknowledged`: those of them that somebody acknowledged.',
      }),
      type: z.enum(eventTypes).optional().meta({ description: 'Only webhooks of this type.' }),
      since: moment.optional().meta({ description: 'Only webhooks that were written then or later.' }),
      after: id
        .optional()
        .meta({ description: 'Only webhooks after the one with this id: the `next` of the answer before.' }),
    }),
  ],
  { error: 'must have ids, or a status with what else is to be found, and not both' },
);
export type RedeliverEvents = z.infer<typeof redeliverEvents>;

/** How many are sent again; those that wait already are not counted. `next` is there where the filter finds more. */
export const redelivered = z.object({ redelivered: z.int(), next: z.string().optional() });
export type Redelivered = z.infer<typeof redelivered>;

/** `POST /v1/events/:id/redeliver` and `/acknowledge`: there is nothing to say. */
export const redeliverBody = z.strictObject({});
