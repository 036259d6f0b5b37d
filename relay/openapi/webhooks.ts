import type { z } from 'zod';
import { type EventType, notificationReceived, operationCompleted } from '../../shared/api/event.ts';
import { operationAnswer } from '../../shared/api/operation.ts';
import { sessionAnswer } from '../../shared/api/session.ts';
import { time } from '../../shared/samples/ids.ts';
import { webhookSamples } from '../../shared/samples/webhooks.ts';
import type { OpenApiDocument, ParameterObject } from './document-types.ts';
import { type JsonSchema, refOf } from './schemas/json-schema.ts';

/** What the document says of one webhook. `of` names the schema of its data, `more` are the fields that it has beside. */
export type WebhookDoc = {
  type: EventType;
  summary: string;
  description: string;
  of: z.ZodType;
  more?: More;
};
type More = { type: 'object'; properties: Record<string, JsonSchema>; required?: string[] };

const late: JsonSchema = {
  type: 'boolean',
  const: true,
  description: 'Present if the session was `failed` or `expired` before.',
};
const transactionIds: JsonSchema = {
  type: 'array',
  items: { type: 'string' },
  description: 'The first payment and this one, which must be refunded.',
};
const verified: JsonSchema = { type: 'boolean', description: 'Whether the gateway signed it.' };
const notification: JsonSchema = {
  type: 'object',
  description: 'The notification: its SHA-256 in hex, its size in bytes, and what it names, without card data.',
  properties: {
    sha256: { type: 'string', description: 'Its SHA-256 in hex.' },
    bytes: { type: 'integer', description: 'Its size in bytes.' },
    request_id: { type: 'string', description: 'The payout that it names.' },
    transaction_id: { type: 'string', description: 'The transaction that it names.' },
    short_reference_id: { type: 'string', description: 'The reference that it names.' },
    status: { type: 'string', description: 'The status that it reports.' },
  },
  required: ['sha256', 'bytes'],
};

/** Every webhook, in the order in which the page shows them. */
const docs: { [Type in EventType]: Omit<WebhookDoc, 'type'> } = {
  'session.approved': {
    summary: 'A session is paid',
    description: 'The session is paid; this is final. With `late` if the session was `failed` or `expired` before.',
    of: sessionAnswer,
    more: { type: 'object', properties: { late } },
  },
  'session.declined': {
    summary: 'An attempt was declined',
    description:
      'An attempt was declined, or an unknown or pending one is known not to be paid; the shopper can try again. `reason` is `declined`, `absent`, `abandoned` or `settled`.',
    of: sessionAnswer,
  },
  'session.redirected': {
    summary: 'The shopper is at the issuer’s page',
    description: 'The payment continues at the issuer’s page.',
    of: sessionAnswer,
  },
  'session.pending': {
    summary: 'A payment is pending',
    description:
      'A payment that takes long is in progress, such as a voucher. Sent again with `pending.needs_attention` when the session’s time is over.',
    of: sessionAnswer,
  },
  'session.unknown': {
    summary: 'The outcome of a payment is unknown',
    description:
      'The gateway’s answer is missing or proves nothing, and the relay queries it. Sent again with `unknown.needs_attention` when it needs a person.',
    of: sessionAnswer,
  },
  'session.failed': {
    summary: 'A session ended unpaid',
    description:
      'The session is not paid, and no attempt is left; or, with the `reason` `order_already_paid`, the order was paid through another session. Sent again with `needs_attention` when the gateway shows an undecided payment of an order whose sessions are all over, and once more when that is decided.',
    of: sessionAnswer,
  },
  'session.expired': {
    summary: 'A session’s time is over',
    description:
      'The session is not paid, and its time is over or you withdrew it; with a `reason` if it was unknown or pending before. Sent again as for `session.failed`.',
    of: sessionAnswer,
  },
  'session.paid_twice': {
    summary: 'An order was paid again',
    description:
      '`transaction_ids` contains the first payment and this one, which must be refunded. Sent once for each such payment.',
    of: sessionAnswer,
    more: { type: 'object', properties: { transaction_ids: transactionIds }, required: ['transaction_ids'] },
  },
  'notification.received': {
    summary: 'The gateway sent other news',
    description:
      'The gateway sent a notification to a payment’s `notify_url` about more than the payment’s outcome, such as a renewal of its subscription, a processed refund or a chargeback.',
    of: notificationReceived,
  },
  'operation.completed': {
    summary: 'The outcome of an operation is known',
    description:
      'The outcome of each item of a refund, capture, cancellation, review, end of a subscription or payout, by any requester. Sent once, as soon as all outcomes are known, and once more only if the gateway contradicts the decision of a person.',
    of: operationCompleted,
  },
  'operation.unknown': {
    summary: 'The outcome of an operation is unknown',
    description:
      'The outcome of the operation, or of an item, is unknown. For a refund, sent again with `unknown.needs_attention` when the relay no longer searches for it.',
    of: operationAnswer,
  },
  'operation.settled': {
    summary: 'An unknown operation is settled',
    description: 'Settled by a person, by a refund search, or by a late answer of the gateway.',
    of: operationAnswer,
  },
  'payout.updated': {
    summary: 'The status of a payout changed',
    description: 'A signed notification of the gateway reported the new status of a payout.',
    of: operationAnswer,
  },
  'payout.notified': {
    summary: 'A notification about a payout arrived',
    description: 'A notification to the payout’s `notify_url` changed nothing.',
    of: operationAnswer,
    more: { type: 'object', properties: { verified, notification }, required: ['verified', 'notification'] },
  },
};

export const webhookDocs: readonly WebhookDoc[] = Object.keys(docs)
  .filter((type): type is EventType => Object.hasOwn(docs, type))
  .map((type) => ({ type, ...docs[type] }));

/** The body that a webhook of this type may have. */
export function webhookExample(type: EventType): object {
  return { type, timestamp: time, data: webhookSamples[type] };
}

const signedHeaders: readonly ParameterObject[] = [
  header('webhook-id', 'The webhook: the same for every try to deliver it.'),
  header('webhook-timestamp', 'When this try was signed, in seconds since 1970.'),
  header('webhook-signature', 'Signatures by Standard Webhooks, one for each of the account’s secrets.'),
];

function header(name: string, description: string): ParameterObject {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } };
}

/** What the relay sends to the shop’s receiver. */
export function webhooksOf(): OpenApiDocument['webhooks'] {
  return Object.fromEntries(
    webhookDocs.map(({ type, summary, description, of, more }) => [
      type,
      {
        post: {
          operationId: `${type.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase())}Webhook`,
          tags: ['Events'],
          summary,
          description,
          security: [],
          parameters: [...signedHeaders],
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: bodySchema(type, more ? { allOf: [refOf(of), more] } : refOf(of)),
                examples: { [type]: { summary, value: webhookExample(type) } },
              },
            },
          },
          responses: {
            '2XX': { description: 'Accepted; the relay does not send it again.' },
            '410': { description: 'Rejected; the relay sends it again for one day, then gives it up.' },
          },
        },
      },
    ]),
  );
}

function bodySchema(type: EventType, data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      type: { type: 'string', const: type, description: 'The type of the webhook.' },
      timestamp: { type: 'string', format: 'date-time', description: 'When it was written.' },
      data,
    },
    required: ['type', 'timestamp', 'data'],
  };
}
