import { z } from 'zod';
import { optionalString, string } from '../gateway/text.ts';
import { eventId, sessionId } from '../samples/ids.ts';
import { type FilterOf, listFormat, moment, nextPage, pageQuery } from './fields.ts';
import { type EventType, eventTypes } from './webhook.ts';

export const deliveryStatuses = ['pending', 'delivered', 'failed', 'acknowledged', 'kept'] as const;

const tries = z.int().describe('How often it was sent.');
const givenUp = {
  tries,
  failed_at: moment.describe('When the relay gave it up.'),
  reason: string.describe(
    'Why the last try failed, with the values of `fault`. With `http_410` the relay tries for one day instead of three.',
  ),
};

/**
 * The state of a webhook's delivery. `next_try_at` is in the past while the webhook waits for an earlier one or is
 * being sent; `fault` is the fault of the last try.
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
    z.object({
      status: z
        .literal('kept')
        .describe('It is not sent: no endpoint of the account wants its type, or the endpoint was removed.'),
      tries,
    }),
  ])
  .meta({ name: 'Delivery', description: 'The status of a webhook’s delivery.' });

/** The delivery to one of the account's endpoints. */
const endpointDelivery = z
  .object({ endpoint: string.describe('The id of the endpoint.'), delivery: delivery.describe('The status of it.') })
  .meta({ name: 'EndpointDelivery', description: 'The status of a webhook’s delivery to one endpoint.' });

/**
 * A webhook and its delivery: the answer of `GET /v1/events/:id`. Newer relays have types that are not in `eventTypes`.
 */
export const eventAnswer = z
  .object({
    id: string.describe('The `webhook-id`, the same in each try.'),
    type: string.describe('The type, such as `session.approved`. Newer relays have more types.'),
    subject: string.describe(
      'The id of the session or operation. Webhooks of one subject are delivered one after the other.',
    ),
    created_at: moment.describe('When it was written: the `timestamp` in its body.'),
    delivery: delivery.describe(
      'The status of its delivery. With several endpoints it is that of the delivery which needs most attention: `failed` before `pending`, `acknowledged`, `delivered` and `kept`.',
    ),
    // Relays of an earlier version have no such list.
    deliveries: z.array(endpointDelivery).default([]).describe('Its delivery to each endpoint that wants its type.'),
    data: z
      .record(z.string(), z.unknown())
      .describe(
        'The `data` of its body: the session or the operation at that time; for `operation.completed` the outcome of each item; for `notification.received` what the gateway sent, and the records of a query.',
      ),
  })
  .meta({ name: 'Event', description: 'A webhook and its delivery.' });
export type EventAnswer = z.infer<typeof eventAnswer>;

/** The answer of `GET /v1/events`, newest first. `next` is the `before` of the next page; the last page has none. */
export const eventList = z
  .object({
    events: z.array(eventAnswer).describe('The webhooks, the newest first.'),
    next: nextPage,
  })
  .meta({ name: 'EventList', description: 'One page of webhooks.' });
export type EventList = z.infer<typeof eventList>;

/** The characters of ids. */
export const idPattern = /^[A-Za-z0-9_-]{1,200}$/;
const id = z.string().regex(idPattern, 'must be an id');

/** The query of `GET /v1/events`: texts. */
export const eventQuery = z.strictObject({
  status: z.enum(deliveryStatuses).optional().meta({
    description: 'Only webhooks whose `delivery` is `pending`, `delivered`, `failed`, `acknowledged` or `kept`.',
    example: 'failed',
  }),
  type: z.enum(eventTypes).optional().meta({ description: 'Only webhooks of this type.', example: 'session.approved' }),
  subject: id.optional().meta({ description: 'Only webhooks about this session or operation.', example: sessionId }),
  format: listFormat.meta({ description: '`csv`: the same as `Accept: text/csv`, for links.', example: 'csv' }),
  ...pageQuery(
    id.meta({
      description: 'Only webhooks older than the one with this id: the `next` of the previous page.',
      example: eventId,
    }),
  ),
});

/** The filter of webhooks, as the client takes it. */
export type EventFilter = Omit<FilterOf<typeof eventQuery>, 'type'> & {
  /** A newer relay has types that this version does not know. */
  type?: EventType | (string & {});
};

/** The maximum number of webhooks that one request can send again. */
export const MAX_REDELIVERED = 100;

/**
 * `POST /v1/events/redeliver`: the webhooks to send again, by their ids, or those that were given up, oldest first.
 * `after` is the `next` of the previous answer.
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
          .enum(['failed', 'acknowledged', 'kept'])
          .describe(
            '`failed`: webhooks that were given up. `acknowledged`: those of them that were acknowledged. `kept`: those that were not sent.',
          ),
        type: z.enum(eventTypes).optional().describe('Only webhooks of this type.'),
        since: moment.optional().describe('Only webhooks that were written at this time or later.'),
        after: id.optional().describe('Only webhooks after the one with this id: the `next` of the previous answer.'),
      }),
    ],
    { error: 'must have ids, or a status with what else is to be found, and not both' },
  )
  .meta({
    name: 'RedeliverEvents',
    description:
      'Which webhooks to send again: by their ids, or those that were given up or not sent, the oldest first.',
  });
export type RedeliverEvents = z.infer<typeof redeliverEvents>;

/**
 * The number of webhooks that are sent again, without those that already wait. `next` is present if the filter finds
 * more.
 */
export const redelivered = z
  .object({
    redelivered: z.int().describe('The number of webhooks that are sent again, without those that already wait.'),
    next: optionalString.describe('Present if there are more: send it as `after` in the next request.'),
  })
  .meta({ name: 'Redelivered', description: 'The number of webhooks that are sent again.' });
export type Redelivered = z.infer<typeof redelivered>;
