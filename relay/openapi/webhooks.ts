import type { EventType } from '../../shared/api/event.ts';
import { time } from '../../shared/samples/ids.ts';
import { webhookSamples } from '../../shared/samples/webhooks.ts';
import type { OpenApiDocument, ParameterObject } from './document-types.ts';
import { type JsonSchema, refTo } from './schemas/json-schema.ts';

/** What the document says of one webhook. `of` names the schema of its data, `more` are the fields that it has beside. */
export type WebhookDoc = {
  type: EventType;
  summary: string;
  description: string;
  of: 'Session' | 'Operation' | 'NotificationReceived' | 'OperationCompleted';
  more?: More;
};
type More = { type: 'object'; properties: Record<string, JsonSchema>; required?: string[] };

const late: JsonSchema = {
  type: 'boolean',
  const: true,
  description: 'There where the session had been `failed` or `expired` before.',
};
const transactionIds: JsonSchema = {
  type: 'array',
  items: { type: 'string' },
  description: 'The first payment and this one, which has to be given back.',
};
const verified: JsonSchema = { type: 'boolean', description: 'Whether the gateway signed it.' };
const notification: JsonSchema = {
  type: 'object',
  description: 'What came: its SHA-256 in hex and its size in bytes, and what it names, without card data.',
  properties: {
    sha256: { type: 'string', description: 'Its SHA-256 in hex.' },
    bytes: { type: 'integer', description: 'Its size.' },
    request_id: { type: 'string', description: 'The payout that it names.' },
    transaction_id: { type: 'string', description: 'The transaction that it names.' },
    short_reference_id: { type: 'string', description: 'The reference that it names.' },
    status: { type: 'string', description: 'The status that it claims.' },
  },
  required: ['sha256', 'bytes'],
};

/** Every webhook, in the order in which the page shows them. */
const docs: { [Type in EventType]: Omit<WebhookDoc, 'type'> } = {
  'session.approved': {
    summary: 'A session is paid',
    description: 'It is paid, for good. With `late` where the session had been `failed` or `expired` before.',
    of: 'Session',
    more: { type: 'object', properties: { late } },
  },
  'session.declined': {
    summary: 'A try was declined',
    description:
      'A try was declined, or one that was unknown or pending turned out not to be paid; the shopper may try again. `reason` tells which: `declined`, `absent`, `abandoned` or `settled`.',
    of: 'Session',
  },
  'session.redirected': {
    summary: 'The shopper is at the issuer’s page',
    description: 'The payment goes on at the issuer’s page.',
    of: 'Session',
  },
  'session.pending': {
    summary: 'A payment takes long',
    description:
      'A payment is under way that takes long, such as a voucher. A second time, with `pending.needs_attention`, when the session’s time is over.',
    of: 'Session',
  },
  'session.unknown': {
    summary: 'Nobody knows yet whether it is paid',
    description:
      'The gateway did not say what it did, and the relay asks it. A second time, with `unknown.needs_attention`, when a person should look.',
    of: 'Session',
  },
  'session.failed': {
    summary: 'A session ended unpaid',
    description:
      'It is not paid, and no try is left; or, with the `reason` `order_already_paid`, the order was paid through another session. Once more, with `needs_attention`, when the gateway shows something undecided of an order whose sessions are all over, and again when that is decided.',
    of: 'Session',
  },
  'session.expired': {
    summary: 'A session’s time is over',
    description:
      'It is not paid, and its time is over or you withdrew it; with a `reason` where it was unknown or pending before. Once more as for `session.failed`.',
    of: 'Session',
  },
  'session.paid_twice': {
    summary: 'An order was paid once more',
    description:
      '`transaction_ids` names the first payment and this one, which has to be given back. Once for each such payment.',
    of: 'Session',
    more: { type: 'object', properties: { transaction_ids: transactionIds }, required: ['transaction_ids'] },
  },
  'notification.received': {
    summary: 'The gateway told of something else',
    description:
      'The gateway wrote to a payment’s notify_url about more than the payment’s own outcome: a renewal of its subscription, a processed refund, a chargeback.',
    of: 'NotificationReceived',
  },
  'operation.completed': {
    summary: 'An operation is known',
    description:
      'What a refund, capture, cancellation, review, subscription’s end or payout did, item by item, whoever asked for it. Once, as soon as all of it is known, and once more only if the gateway says otherwise than a person had.',
    of: 'OperationCompleted',
  },
  'operation.unknown': {
    summary: 'Nobody knows what an operation did',
    description:
      'Nobody knows what became of it, or of an item of it; of a refund again when the relay looks for it no more: `unknown.needs_attention` is true then.',
    of: 'Operation',
  },
  'operation.settled': {
    summary: 'An operation that was unknown is known',
    description: 'By a person, by a refund search, or by the gateway’s own late answer.',
    of: 'Operation',
  },
  'payout.updated': {
    summary: 'A payout went on',
    description: 'The gateway told, with its signature, how a payout goes on.',
    of: 'Operation',
  },
  'payout.notified': {
    summary: 'Something was written about a payout',
    description: 'Something was written to the payout’s notification address that changed nothing.',
    of: 'Operation',
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
                schema: bodySchema(type, more ? { allOf: [refTo(of), more] } : refTo(of)),
                examples: { [type]: { summary, value: webhookExample(type) } },
              },
            },
          },
          responses: {
            '2XX': { description: 'It is taken, and not sent again.' },
            '410': { description: 'It is not wanted: it is given up at once.' },
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
      type: { type: 'string', const: type, description: 'What it tells.' },
      timestamp: { type: 'string', format: 'date-time', description: 'When it was written.' },
      data,
    },
    required: ['type', 'timestamp', 'data'],
  };
}
