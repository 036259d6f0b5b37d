import { eventAnswer, eventList, eventQuery, redeliverEvents, redelivered } from '../../shared/api/event.ts';
import { emptyBody } from '../../shared/api/fields.ts';
import { eventId } from '../../shared/samples/ids.ts';
import {
  acknowledgedExamples,
  countExamples,
  emptyExamples,
  eventExamples,
  eventListExamples,
  redeliverExamples,
  redeliveredExamples,
} from './examples/events.ts';
import type { Access, Parameter, RouteDoc } from './route.ts';

const access: Access = { kind: 'api_key', scopes: ['events'] };

const id: Parameter = {
  name: 'id',
  in: 'path',
  description: 'The id of the webhook: its `webhook-id`.',
  example: eventId,
};

/** Webhooks, for those who look why one did not arrive. */
export const eventRoutes: readonly RouteDoc[] = [
  {
    method: 'get',
    path: '/v1/events',
    id: 'listEvents',
    tag: 'Events',
    summary: 'List webhooks',
    description:
      'Lists webhooks that were delivered, that wait, and that were given up, the newest first. The relay gives up a webhook after three days, or after one day while your receiver answers 410, and stores it for its `retention_days`.',
    access,
    query: eventQuery,
    answers: [
      {
        status: 200,
        description: 'One page of webhooks.',
        content: { kind: 'json', schema: eventList, examples: eventListExamples },
      },
    ],
    problems: ['invalid_request', 'store_unavailable'],
  },
  {
    method: 'get',
    path: '/v1/events/{id}',
    id: 'getEvent',
    tag: 'Events',
    summary: 'Read a webhook',
    description: 'Returns one webhook with its data and the status of its delivery.',
    access,
    parameters: [id],
    answers: [
      {
        status: 200,
        description: 'The webhook.',
        content: { kind: 'json', schema: eventAnswer, examples: eventExamples },
      },
    ],
    problems: ['not_found', 'store_unavailable'],
  },
  {
    method: 'post',
    path: '/v1/events/{id}/redeliver',
    id: 'redeliverEvent',
    tag: 'Events',
    summary: 'Send a webhook again',
    description: `Restarts the delivery of a webhook that was delivered or given up: the same body with the same \`webhook-id\` and a new signature, again for three days. Webhooks of its session or operation that already wait are sent first.

A receiver that stores ids recognises a repetition. \`data\` is the state when the webhook was written; read the session or operation for the current one.`,
    access,
    repeatable: 'kept_answer',
    parameters: [id],
    body: { kind: 'json', schema: emptyBody, examples: emptyExamples, isOptional: true },
    answers: [
      {
        status: 202,
        description: 'The webhook waits to be sent: `pending`.',
        content: { kind: 'json', schema: eventAnswer, examples: redeliveredExamples },
      },
    ],
    problems: ['not_found', 'event_pending', 'store_unavailable'],
  },
  {
    method: 'post',
    path: '/v1/events/redeliver',
    id: 'redeliverEvents',
    tag: 'Events',
    summary: 'Send webhooks again',
    description:
      'Does the same for up to 100 webhooks: those that you name, or those that were given up, the oldest first. Webhooks that already wait are not changed. If there are more, the answer has `next`: repeat the request with it as `after`.',
    access,
    repeatable: 'kept_answer',
    body: { kind: 'json', schema: redeliverEvents, examples: redeliverExamples },
    rules: ['each of `ids` must be a webhook of this account; otherwise nothing is sent again'],
    answers: [
      {
        status: 202,
        description: 'The webhooks wait to be sent.',
        content: { kind: 'json', schema: redelivered, examples: countExamples },
      },
    ],
    problems: ['store_unavailable'],
  },
  {
    method: 'post',
    path: '/v1/events/{id}/acknowledge',
    id: 'acknowledgeEvent',
    tag: 'Events',
    summary: 'Acknowledge a failed webhook',
    description:
      'For a person who dealt with a webhook that was given up: lists and metrics no longer count it as failed. It can still be sent again. Repeating the request changes nothing.',
    access,
    repeatable: 'kept_answer',
    parameters: [id],
    body: { kind: 'json', schema: emptyBody, examples: emptyExamples, isOptional: true },
    answers: [
      {
        status: 200,
        description: 'The webhook, `acknowledged`.',
        content: { kind: 'json', schema: eventAnswer, examples: acknowledgedExamples },
      },
    ],
    problems: ['not_found', 'event_not_failed', 'store_unavailable'],
  },
];
