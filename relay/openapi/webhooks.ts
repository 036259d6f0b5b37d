import type { EventType } from '../../shared/api/webhook.ts';
import { webhookEvent } from '../../shared/api/webhook.ts';
import { time } from '../../shared/samples/ids.ts';
import { webhookSamples } from '../../shared/samples/webhooks.ts';
import type { OpenApiDocument, ParameterObject } from './document-types.ts';
import { answerSchema } from './schemas/components.ts';
import { isSchema, type JsonSchema } from './schemas/json-schema.ts';

/** The document's texts about one webhook. */
export type WebhookDoc = { type: EventType; summary: string; description: string; body: JsonSchema };

/** The texts about each type of event. */
const texts: { [Type in EventType]: Pick<WebhookDoc, 'summary' | 'description'> } = {
  'session.approved': {
    summary: 'A session is paid',
    description: 'The session is paid; this is final. With `late` if the session was `failed` or `expired` before.',
  },
  'session.declined': {
    summary: 'An attempt was declined',
    description:
      'An attempt was declined, or an unknown or pending one is known not to be paid; the shopper can try again. `reason` is `declined`, `absent`, `abandoned` or `settled`.',
  },
  'session.redirected': {
    summary: 'The shopper is at the issuer’s page',
    description: 'The payment continues at the issuer’s page.',
  },
  'session.pending': {
    summary: 'A payment is pending',
    description:
      'A payment that takes long is in progress, such as a voucher. Sent again with `pending.needs_attention` when the session’s time is over.',
  },
  'session.unknown': {
    summary: 'The outcome of a payment is unknown',
    description:
      'The gateway’s answer is missing or proves nothing, and the relay queries it. Sent again with `unknown.needs_attention` when it needs a person.',
  },
  'session.failed': {
    summary: 'A session ended unpaid',
    description:
      'The session is not paid, and no attempt is left; or, with the `reason` `order_already_paid`, the order was paid through another session. Sent again with `needs_attention` when the gateway shows an undecided payment of an order whose sessions are all over, and once more when that is decided.',
  },
  'session.expired': {
    summary: 'A session’s time is over',
    description:
      'The session is not paid, and its time is over or you withdrew it; with a `reason` if it was unknown or pending before. Sent again as for `session.failed`.',
  },
  'session.paid_twice': {
    summary: 'An order was paid again',
    description:
      '`transaction_ids` contains the first payment and this one, which must be refunded. Sent once for each such payment.',
  },
  'saved_card.removed': {
    summary: 'A shopper removed a saved card',
    description:
      'The shopper removed `saved_card` in the form. This session offers it no more. Remove it from your list, or your next session offers it again.',
  },
  'payment.ready': {
    summary: 'An order can be delivered',
    description:
      'The payment of the order is in the gateway’s records and not held: deliver on this webhook. Sent once for the order, and once for each later charge of a contract. `confirmed` is `false` if the gateway could not be queried in time, if a person settled the session, or if `resolve.confirm_ms` is 0. Sent again with `restored` if a reversal ended.',
  },
  'payment.held': {
    summary: 'A payment waits for a review',
    description:
      'The gateway’s record says that the payment is held. Accept or reject it by `POST /v1/orders/{order_no}/review`.',
  },
  'payment.accepted': {
    summary: 'A held payment was accepted',
    description: 'A review accepted the payment, here or in the gateway’s portal.',
  },
  'payment.rejected': { summary: 'A payment was rejected', description: 'A review rejected the payment.' },
  'payment.captured': { summary: 'A payment was captured', description: 'A capture of the payment succeeded.' },
  'payment.cancelled': {
    summary: 'A payment was cancelled',
    description: 'A cancellation of the payment succeeded, here or in the gateway’s portal.',
  },
  'payment.refunded': {
    summary: 'A payment was refunded',
    description: 'A refund of the payment, or of a part of it, succeeded, here or in the gateway’s portal.',
  },
  'payment.reversed': {
    summary: 'A payment was reversed',
    description:
      'The gateway’s record says that the payment was charged back or declined after its approval, or a person says so.',
  },
  'payment.unconfirmed': {
    summary: 'A payment is not in the gateway’s records',
    description:
      'The gateway approved the payment, but within `resolve.absent_ms` no query shows it, or only with a code that the profile does not list: check the gateway’s portal. `payment.ready` follows if a query shows it later.',
  },
  'subscription.charged': {
    summary: 'A contract was charged again',
    description:
      'A later charge of a contract succeeded: a payment of its own, with `origin` `renewal`. Sent once for each charge, with its `payment.ready`.',
  },
  'subscription.charge_failed': {
    summary: 'A later charge of a contract failed',
    description:
      'The gateway declined a later charge of a contract. Sent once for each `transaction_id`; `failures` counts those since the last charge that succeeded.',
  },
  'notification.received': {
    summary: 'The gateway sent another notification',
    description:
      'The gateway sent a notification to a payment’s `notify_url` about an event that no other webhook reports, such as a processed refund.',
  },
  'operation.completed': {
    summary: 'The outcome of an operation is known',
    description:
      'The outcome of each item of a refund, capture, cancellation, review, end of a subscription or payout, by any requester. Sent once, as soon as all outcomes are known, and once more only if the gateway contradicts the decision of a person.',
  },
  'operation.unknown': {
    summary: 'The outcome of an operation is unknown',
    description:
      'The outcome of the operation, or of an item, is unknown. For a refund, sent again with `unknown.needs_attention` when the relay no longer searches for it.',
  },
  'operation.settled': {
    summary: 'An unknown operation is settled',
    description: 'Settled by a person, by a refund search, or by a late answer of the gateway.',
  },
  'payout.updated': {
    summary: 'The status of a payout changed',
    description: 'A signed notification of the gateway reported the new status of a payout.',
  },
  'payout.notified': {
    summary: 'A notification about a payout arrived',
    description: 'A notification to the payout’s `notify_url` changed nothing.',
  },
};

/** Every webhook, in the order in which the page shows them. */
export function webhookDocs(): WebhookDoc[] {
  return webhookEvent.options.map((event) => {
    const type = event.shape.type.value;
    return { type, ...texts[type], body: answerSchema(event) };
  });
}

/** The data of a webhook: its named schema, and the fields beside those of the schema. */
export function dataOf({ body }: WebhookDoc): { of: JsonSchema; beside?: JsonSchema } {
  const data = body.properties?.data;
  const [of, beside] = isSchema(data) ? (data.allOf ?? [data]) : [];
  return { of: of ?? {}, ...(beside ? { beside } : {}) };
}

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

/** The webhooks that the relay sends to the shop’s receiver. */
export function webhooksOf(): OpenApiDocument['webhooks'] {
  return Object.fromEntries(
    webhookDocs().map(({ type, summary, description, body }) => [
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
                schema: body,
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
