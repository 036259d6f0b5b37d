import { z } from 'zod';
import { operationNames } from '../gateway/operations.ts';
import { orderRecord } from '../gateway/query.ts';
import { boolean, optionalString, string } from '../gateway/text.ts';
import { eventId, sessionId } from '../samples/ids.ts';
import { type FilterOf, moment, nextPage, pageQuery } from './fields.ts';
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
export const notificationReceived = z
  .object({
    kind: z.literal('payment').describe('What the `notify_url` was created for.'),
    session_id: optionalString.describe('The session of the payment that the `notify_url` was created for.'),
    verified: boolean.describe('Whether the gateway signed it.'),
    fields: z.record(z.string(), z.unknown()).describe('What the gateway sent, without card data.'),
    records: z
      .array(orderRecord)
      .describe('The records of the payments that it names, from a query, in the gateway’s fields.'),
  })
  .meta({
    name: 'NotificationReceived',
    description: 'A notification to a payment’s `notify_url`, and the records of a query about it.',
  });
export type NotificationReceived = z.infer<typeof notificationReceived>;

/**
 * `data` of `operation.completed`: the outcome of each item, in the order of the request, with what names the item there. It comes
 * once for each operation, and once more only if the gateway says otherwise than a person had.
 */
export const operationCompleted = z
  .object({
    id: string.describe('The id of the operation, as in the header `X-Operation-Id`.'),
    name: z.enum(operationNames).describe('The name of the operation.'),
    by: string.describe('The name of the API key that requested it.'),
    status: z.enum(operationStatuses).describe('The status of the operation.'),
    created_at: moment.describe('When it began.'),
    settled_at: moment.optional().describe('When its outcome became known.'),
    items: z
      .array(
        z.looseObject({
          status: itemOutcome.describe('The outcome of the item.'),
          reference: optionalString.describe('Your reference of the item.'),
          transaction_id: optionalString.describe('The gateway’s id of the payment.'),
          order_no: optionalString.describe('Your number of the order.'),
          currency: optionalString.describe('ISO 4217 code of three capital letters.'),
          amount: optionalString.describe(
            'The amount, as a decimal string: `"129.90"`, in yen `"1000"`, in dinars `"10.125"`.',
          ),
          refund_amount: optionalString.describe('The amount that is refunded.'),
          request_id: optionalString.describe('The UUID of the payout.'),
          recurring_id: optionalString.describe('The gateway’s id of the contract.'),
        }),
      )
      .describe('Its items, in the order of the request.'),
  })
  .meta({ name: 'OperationCompleted', description: 'The outcome of each item of an operation.' });
export type OperationCompleted = z.infer<typeof operationCompleted>;

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'acknowledged'] as const;

const tries = z.int().describe('How often it was sent.');
const givenUp = {
  tries,
  failed_at: moment.describe('When the relay gave it up.'),
  reason: string.describe(
    'Why the last try failed, with the values of `fault`. With `http_410` the relay tries for one day instead of three.',
  ),
};

/**
 * How far a webhook's delivery is. `next_try_at` lies in the past while the webhook waits for one before it, or is being
 * sent; `fault` is the last try's.
 */
export const delivery = z
  .discriminatedUnion('status', [
    z.object({
      status: z.literal('pending').describe('The webhook is not delivered yet, and the relay continues to try.'),
      tries,
      next_try_at: moment.describe(
        'When it is sent next. This time is in the past while the webhook waits for an earlier one of its subject, or is being sent.',
      ),
      first_try_at: moment
        .optional()
        .describe(
          'When it was first sent. The relay gives it up three days later, or one day later while the shop’s server answers 410.',
        ),
      fault: optionalString.describe(
        'Why the last try failed: `http_503` or another status, `timeout`, `no_answer`, `address_refused`, or `scheme_refused` for plain http.',
      ),
    }),
    z.object({
      status: z.literal('delivered').describe('The shop’s server accepted the webhook.'),
      tries,
      delivered_at: moment.describe('When the shop’s server accepted it.'),
    }),
    z.object({
      status: z.literal('failed').describe('The relay gave up the delivery.'),
      ...givenUp,
    }),
    z.object({
      status: z.literal('acknowledged').describe('The relay gave up the delivery, and a person acknowledged that.'),
      ...givenUp,
      acknowledged_at: moment.describe('When it was acknowledged.'),
      by: string.describe('The name of the API key that acknowledged it.'),
    }),
  ])
  .meta({ name: 'Delivery', description: 'The status of a webhook’s delivery.' });

/** A webhook and its delivery: what `GET /v1/events/:id` answers. Newer relays have types that are not in `eventTypes`. */
export const eventAnswer = z
  .object({
    id: string.describe('The `webhook-id`, the same in each try.'),
    type: string.describe('The type, such as `session.approved`. Newer relays have more types.'),
    subject: string.describe(
      'The id of the session or operation. Webhooks of one subject are delivered one after the other.',
    ),
    created_at: moment.describe('When it was written: the `timestamp` in its body.'),
    delivery: delivery.describe('The status of its delivery.'),
    data: z
      .record(z.string(), z.unknown())
      .describe(
        'The `data` of its body: the session or the operation at that time; for `operation.completed` the outcome of each item; for `notification.received` what the gateway sent, and the records of a query.',
      ),
  })
  .meta({ name: 'Event', description: 'A webhook and its delivery.' });
export type EventAnswer = z.infer<typeof eventAnswer>;

/** What `GET /v1/events` answers, the newest first. `next` is the `before` of the next page; the last page has none. */
export const eventList = z
  .object({
    events: z.array(eventAnswer).describe('The webhooks, the newest first.'),
    next: nextPage,
  })
  .meta({ name: 'EventList', description: 'One page of webhooks.' });
export type EventList = z.infer<typeof eventList>;

/** What ids are made of. */
export const idPattern = /^[A-Za-z0-9_-]{1,200}$/;
const id = z.string().regex(idPattern, 'must be an id');

/** The query of `GET /v1/events`: texts. */
export const eventQuery = z.strictObject({
  status: z.enum(deliveryStatuses).optional().meta({
    description: 'Only webhooks whose delivery is `pending`, `delivered`, `failed` or `acknowledged`.',
    example: 'failed',
  }),
  type: z.enum(eventTypes).optional().meta({ description: 'Only webhooks of this type.', example: 'session.approved' }),
  subject: id.optional().meta({ description: 'Only webhooks about this session or operation.', example: sessionId }),
  ...pageQuery(
    id.meta({
      description: 'Only webhooks older than the one with this id: the `next` of the previous page.',
      example: eventId,
    }),
  ),
});

/** Which webhooks to list, as the client takes it. */
export type EventFilter = Omit<FilterOf<typeof eventQuery>, 'type'> & {
  /** A newer relay has types that this version does not know. */
  type?: EventType | (string & {});
};

/** The most webhooks that one request sends again. */
export const MAX_REDELIVERED = 100;

/**
 * `POST /v1/events/redeliver`: which webhooks to send again, by their ids, or those that were given up, the oldest first. `after`
 * is the `next` of the answer before.
 */
export const redeliverEvents = z
  .union(
    [
      z.strictObject({
        ids: z
          .array(id)
          .min(1, 'must name one')
          .max(MAX_REDELIVERED, `must be ${MAX_REDELIVERED} at the most`)
          .describe('The webhooks, by their `webhook-id`.'),
      }),
      z.strictObject({
        status: z
          .enum(['failed', 'acknowledged'])
          .describe('`failed`: webhooks that were given up. `acknowledged`: those of them that were acknowledged.'),
        type: z.enum(eventTypes).optional().describe('Only webhooks of this type.'),
        since: moment.optional().describe('Only webhooks that were written at this time or later.'),
        after: id.optional().describe('Only webhooks after the one with this id: the `next` of the previous answer.'),
      }),
    ],
    { error: 'must have ids, or a status with what else is to be found, and not both' },
  )
  .meta({
    name: 'RedeliverEvents',
    description: 'Which webhooks to send again: by their ids, or those that were given up, the oldest first.',
  });
export type RedeliverEvents = z.infer<typeof redeliverEvents>;

/** How many are sent again; those that wait already are not counted. `next` is there where the filter finds more. */
export const redelivered = z
  .object({
    redelivered: z.int().describe('The number of webhooks that are sent again, without those that already wait.'),
    next: optionalString.describe('Present if there are more: send it as `after` in the next request.'),
  })
  .meta({ name: 'Redelivered', description: 'The number of webhooks that are sent again.' });
export type Redelivered = z.infer<typeof redelivered>;
