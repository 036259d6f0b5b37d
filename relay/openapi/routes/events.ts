import { deliveryStatuses, eventTypes } from '../../../shared/api/event.ts';
import { eventId, sessionId } from '../../../shared/samples/ids.ts';
import {
  acknowledgedExamples,
  countExamples,
  emptyExamples,
  eventExamples,
  eventListExamples,
  redeliverExamples,
  redeliveredExamples,
} from '../examples/events.ts';
import type { Access, Parameter, RouteDoc } from '../route.ts';

const access: Access = { kind: 'api_key', scopes: ['events'] };

const id: Parameter = {
  name: 'id',
  in: 'path',
  description: 'The webhook’s id: its `webhook-id`.',
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
      'What was delivered to your receiver, what waits, and what was given up, the newest first. A webhook is given up after three days, or when your receiver answers 410, and kept until the relay’s `retention_days` are over.',
    access,
    parameters: [
      {
        name: 'status',
        in: 'query',
        description: 'Only webhooks whose delivery is `pending`, `delivered`, `failed` or `acknowledged`.',
        example: 'failed',
        schema: { type: 'string', enum: [...deliveryStatuses] },
      },
      {
        name: 'type',
        in: 'query',
        description: 'Only webhooks of this type.',
        example: 'session.approved',
        schema: { type: 'string', enum: [...eventTypes] },
      },
      {
        name: 'subject',
        in: 'query',
        description: 'Only webhooks about this session or operation.',
        example: sessionId,
        schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,200}$' },
      },
      {
        name: 'before',
        in: 'query',
        description: 'Only webhooks older than the one with this id: the `next` of the page before.',
        example: eventId,
        schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,200}$' },
      },
      {
        name: 'limit',
        in: 'query',
        description: 'How many at once, 1 to 100. 20, where it is left out.',
        example: '100',
        schema: { type: 'string', pattern: '^([1-9][0-9]?|100)$' },
      },
    ],
    answers: [
      {
        status: 200,
        description: 'One page of webhooks.',
        content: { kind: 'json', schema: 'EventList', examples: eventListExamples },
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
    description: 'One webhook: what it tells, and how far its delivery is.',
    access,
    parameters: [id],
    answers: [
      {
        status: 200,
        description: 'The webhook.',
        content: { kind: 'json', schema: 'Event', examples: eventExamples },
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
    description: `Starts the delivery of a webhook anew that was delivered or given up: the same body under the same \`webhook-id\`, with a signature of its own, and again for three days. Webhooks of its session or operation that wait already go first.

A receiver that remembers ids takes what it has for a repetition. \`data\` tells what was true when the webhook was written; read the session or operation for what is true now.`,
    access,
    repeatable: 'kept_answer',
    parameters: [id],
    body: { kind: 'json', schema: 'EmptyBody', examples: emptyExamples, isOptional: true },
    answers: [
      {
        status: 202,
        description: 'It waits to be sent: the webhook as it is now, `pending`.',
        content: { kind: 'json', schema: 'Event', examples: redeliveredExamples },
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
      'The same for up to 100 webhooks: those that are named, or those that were given up, the oldest first. Those that wait already are left alone. Where there are more, the answer has `next`: ask again with it as `after`.',
    access,
    repeatable: 'kept_answer',
    body: { kind: 'json', schema: 'RedeliverEvents', examples: redeliverExamples },
    rules: ['each of `ids` must be a webhook of this account, or nothing is sent again'],
    answers: [
      {
        status: 202,
        description: 'They wait to be sent.',
        content: { kind: 'json', schema: 'Redelivered', examples: countExamples },
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
      'For a person who dealt with a webhook that was given up: it counts as failed no more, in lists and in the relay’s figures. It can still be sent again. Doing it again changes nothing.',
    access,
    repeatable: 'kept_answer',
    parameters: [id],
    body: { kind: 'json', schema: 'EmptyBody', examples: emptyExamples, isOptional: true },
    answers: [
      {
        status: 200,
        description: 'The webhook as it is now, `acknowledged`.',
        content: { kind: 'json', schema: 'Event', examples: acknowledgedExamples },
      },
    ],
    problems: ['not_found', 'event_not_failed', 'store_unavailable'],
  },
];
