import { type EndpointList, endpointList } from '../../shared/api/endpoint.ts';
import {
  type EventAnswer,
  type EventList,
  eventAnswer,
  eventList,
  eventQuery,
  type RedeliverEvents,
  type Redelivered,
  redeliverEvents,
  redelivered,
} from '../../shared/api/event.ts';
import { eventId, operationId, sessionId, time } from '../../shared/samples/ids.ts';
import { type Example, json, key, noBody, type Parameter, type Routes } from './route.ts';

/** The delivery to the one endpoint of an account. */
const at = (delivery: EventAnswer['delivery']) => ({ delivery, deliveries: [{ endpoint: 'default', delivery }] });

const givenUpAt: EventAnswer['delivery'] = {
  status: 'failed',
  tries: 38,
  failed_at: '2027-04-03T10:15:04.000Z',
  reason: 'http_503',
};

const failed: EventAnswer = {
  id: eventId,
  type: 'session.approved',
  subject: sessionId,
  created_at: time,
  ...at(givenUpAt),
  data: { id: sessionId, status: 'approved', order_no: 'A-1001', currency: 'BRL', amount: '129.90' },
};

const waiting: EventAnswer = {
  id: 'msg_B4nXs7Kd1QzVr8TyWm2LcGpJf6Hu9EaR',
  type: 'operation.unknown',
  subject: operationId,
  created_at: '2027-03-31T10:16:12.000Z',
  ...at({
    status: 'pending',
    tries: 3,
    next_try_at: '2027-03-31T10:16:19.214Z',
    first_try_at: '2027-03-31T10:16:12.000Z',
    fault: 'timeout',
  }),
  data: { id: operationId, operation: 'capture', status: 'unknown' },
};

const delivered: EventAnswer = {
  ...failed,
  ...at({ status: 'delivered', tries: 1, delivered_at: '2027-03-31T10:15:00.120Z' }),
};

const page: EventList = { events: [waiting, failed], next: failed.id };

const endpoints: EndpointList = {
  webhooks: [
    {
      ...{ id: 'shop', url: 'https://shop.example/webhooks', waiting: 0, failed: 0 },
      delivered_at: '2027-03-31T10:15:00.120Z',
    },
    {
      ...{ id: 'books', url: 'https://books.example/hooks', events: ['operation.*'], waiting: 2, failed: 1 },
      failing: { since: '2027-03-31T10:16:12.000Z', fault: 'timeout', next_try_at: '2027-03-31T10:16:19.214Z' },
    },
  ],
};

const endpointExamples: Example[] = [{ name: 'two', summary: 'Two endpoints, one of which fails', value: endpoints }];

const eventListExamples: Example[] = [{ name: 'page', summary: 'A page with a next page', value: page }];

const eventExamples: Example[] = [
  { name: 'delivered', summary: 'Delivered', value: delivered },
  { name: 'pending', summary: 'Waits for the next try', value: waiting },
  { name: 'failed', summary: 'Given up', value: failed },
];

const redeliveredExamples: Example[] = [
  {
    name: 'pending',
    summary: 'Is sent again',
    value: {
      ...failed,
      ...at({ status: 'pending', tries: 0, next_try_at: '2027-04-05T08:00:00.000Z' }),
    } satisfies EventAnswer,
  },
];

const givenUp: RedeliverEvents = { status: 'failed', since: time };
const named: RedeliverEvents = { ids: [eventId] };

const redeliverExamples: Example[] = [
  { name: 'failed', summary: 'All that were given up since a time', value: givenUp },
  { name: 'ids', summary: 'These', value: named },
];

const countExamples: Example[] = [
  { name: 'all', summary: 'All of them', value: { redelivered: 12 } satisfies Redelivered },
  { name: 'more', summary: 'There are more', value: { redelivered: 100, next: eventId } satisfies Redelivered },
];

const acknowledgedExamples: Example[] = [
  {
    name: 'acknowledged',
    summary: 'Resolved',
    value: {
      ...failed,
      ...at({
        status: 'acknowledged',
        tries: 38,
        failed_at: '2027-04-03T10:15:04.000Z',
        reason: 'http_503',
        acknowledged_at: '2027-04-05T08:00:00.000Z',
        by: 'support',
      }),
    } satisfies EventAnswer,
  },
];

const access = key('events');

const id: Parameter = {
  name: 'id',
  in: 'path',
  description: 'The id of the webhook: its `webhook-id`.',
  example: eventId,
};

/** Webhooks, to find out why one did not arrive. */
export const eventRoutes = {
  listWebhooks: {
    method: 'get',
    path: '/v1/webhooks',
    summary: 'List endpoints',
    description:
      'Lists the endpoints of your account, which its operator configures: where webhooks are sent, which types, how many wait, and why an endpoint fails.',
    access,
    answers: [json(200, 'The endpoints.', endpointList, endpointExamples)],
    problems: ['store_unavailable'],
  },
  listEvents: {
    method: 'get',
    path: '/v1/events',
    summary: 'List webhooks',
    description:
      'Lists webhooks that were delivered, that wait, that were given up, and that are kept because no endpoint wants them, the newest first. The relay gives up a webhook after three days, or after one day while your receiver answers 410, and stores it for its `retention_days`.\n\nWith `Accept: text/csv` or `format=csv`, the answer is one CSV file of all webhooks that match, without their data, as for `GET /v1/orders`.',
    access,
    query: eventQuery,
    answers: [
      json(200, 'One page of webhooks; or all that match, as CSV.', eventList, eventListExamples, { or: 'text/csv' }),
    ],
    problems: ['invalid_request', 'too_many_attempts', 'store_unavailable'],
  },
  getEvent: {
    method: 'get',
    path: '/v1/events/{id}',
    summary: 'Read a webhook',
    description: 'Returns one webhook with its data and the status of its delivery.',
    access,
    parameters: [id],
    answers: [json(200, 'The webhook.', eventAnswer, eventExamples)],
    problems: ['not_found', 'store_unavailable'],
  },
  redeliverEvent: {
    method: 'post',
    path: '/v1/events/{id}/redeliver',
    summary: 'Send a webhook again',
    description: `Restarts the delivery of a webhook that was delivered, given up or kept: the same body with the same \`webhook-id\` and a new signature, again for three days. Webhooks of its session or operation that already wait are sent first. With several endpoints it goes to those that did not get it, or to all that want its type if each did.

A receiver that stores ids recognises a repetition. \`data\` is the state when the webhook was written; read the session or operation for the current one.`,
    access,
    repeatable: 'kept_answer',
    audit: 'event.redeliver',
    parameters: [id],
    body: noBody,
    answers: [json(202, 'The webhook waits to be sent: `pending`.', eventAnswer, redeliveredExamples)],
    problems: ['not_found', 'event_pending', 'event_unwanted', 'store_unavailable'],
  },
  redeliverEvents: {
    method: 'post',
    path: '/v1/events/redeliver',
    summary: 'Send webhooks again',
    description:
      'Does the same for up to 100 webhooks: those that you name, or those that were given up, the oldest first. Webhooks that already wait are not changed. If there are more, the answer has `next`: repeat the request with it as `after`.',
    access,
    repeatable: 'kept_answer',
    audit: 'events.redeliver',
    body: { kind: 'json', schema: redeliverEvents, examples: redeliverExamples },
    rules: ['each of `ids` must be a webhook of this account; otherwise nothing is sent again'],
    answers: [json(202, 'The webhooks wait to be sent.', redelivered, countExamples)],
    problems: ['store_unavailable'],
  },
  acknowledgeEvent: {
    method: 'post',
    path: '/v1/events/{id}/acknowledge',
    summary: 'Acknowledge a failed webhook',
    description:
      'For a person who dealt with a webhook that was given up: lists and metrics no longer count it as failed. It can still be sent again. Repeating the request changes nothing.',
    access,
    repeatable: 'kept_answer',
    audit: 'event.acknowledge',
    parameters: [id],
    body: noBody,
    answers: [json(200, 'The webhook, `acknowledged`.', eventAnswer, acknowledgedExamples)],
    problems: ['not_found', 'event_not_failed', 'store_unavailable'],
  },
} as const satisfies Routes;
