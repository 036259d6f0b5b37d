import { z } from 'zod';
import { keptMetadata } from '../checkout/metadata.ts';
import { result } from '../checkout/pay.ts';
import { offeredCard } from '../checkout/view.ts';
import { operationNames } from '../gateway/operations.ts';
import { orderRecord } from '../gateway/query.ts';
import { boolean, optionalString, string } from '../gateway/text.ts';
import { moment } from './fields.ts';
import { itemOutcome, operationAnswer, operationStatuses } from './operation.ts';
import { orderPayment } from './order-payment.ts';
import { sessionAnswer } from './session.ts';

/**
 * `data` of `notification.received`. `fields` are the fields of the notification, without card data. `verified` is
 * whether it was signed under the profile. `records` are the records of its payments in a query.
 */
export const notificationReceived = z
  .object({
    kind: z.literal('payment').describe('The purpose of the `notify_url`.'),
    session_id: optionalString.describe('The session of the payment that the `notify_url` was created for.'),
    verified: boolean.describe('Whether the gateway signed it.'),
    fields: z.record(z.string(), z.unknown()).describe('The fields of the notification, without card data.'),
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
 * `data` of `operation.completed`: the outcome of each item, in the order of the request, with the names of the item
 * there. It is sent once for each operation, and once more if the gateway contradicts a person's decision.
 */
export const operationCompleted = z
  .object({
    id: string.describe('The id of the operation, as in the header `X-Operation-Id`.'),
    name: z.enum(operationNames).describe('The name of the operation.'),
    by: string.describe('The name of the API key that requested it.'),
    status: z.enum(operationStatuses).describe('The status of the operation.'),
    created_at: moment.describe('When it began.'),
    settled_at: moment.optional().describe('When its outcome became known.'),
    metadata: keptMetadata,
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

/** The fields of a payout's notification, and whether the gateway signed it. */
const payoutNotified = z.object({
  verified: boolean.describe('Whether the gateway signed it.'),
  notification: z
    .object({
      sha256: string.describe('Its SHA-256 in hex.'),
      bytes: z.int().describe('Its size in bytes.'),
      request_id: optionalString.describe('The payout that it names.'),
      transaction_id: optionalString.describe('The transaction that it names.'),
      short_reference_id: optionalString.describe('The reference that it names.'),
      status: optionalString.describe('The status that it reports.'),
    })
    .describe('The notification: its SHA-256 in hex, its size in bytes, and what it names, without card data.'),
});

/** `data` of the webhooks about a payment: the payment at the time of the webhook. */
const paymentNews = z
  .object({
    order_no: string.describe('Your number of the order.'),
    payment: orderPayment.describe('The payment, as in `GET /v1/payments/{transaction_id}`.'),
    operation_id: optionalString.describe(
      'The operation that did it. Absent if a record of the gateway or a person reported it.',
    ),
    metadata: keptMetadata,
  })
  .meta({ name: 'PaymentNews', description: 'A payment, and the order that it paid.' });

export type PaymentNews = z.infer<typeof paymentNews>;

const readyPayment = z.object({
  confirmed: boolean.describe('Whether a query showed the payment in the gateway’s records.'),
  restored: z.literal(true).optional().describe('Present if the payment was `reversed` before.'),
});

/** `data` of the webhooks about a later charge of a contract. */
const chargeNews = z.object({
  recurring_id: string.describe('The gateway’s id of the contract.'),
  contract_name: optionalString.describe('The name of the contract, from the gateway or from your order.'),
  order_no: string.describe(
    'The number of the charge’s order, by the gateway’s record: a number of its own, or that of your order whose payment began the contract.',
  ),
  failures: z
    .int()
    .describe(
      'The number of failed charges of the contract since its last successful one, by the dates of their records.',
    ),
});

const chargedNews = chargeNews
  .extend({ payment: orderPayment.describe('The payment, as in `GET /v1/payments/{transaction_id}`.') })
  .meta({ name: 'SubscriptionCharged', description: 'A later charge of a contract: a payment of its own.' });

const chargeFailedNews = chargeNews
  .extend({
    transaction_id: string.describe('The gateway’s id of the charge.'),
    amount: string.describe('The amount of the charge.'),
    currency: string.describe('ISO 4217 code of three capital letters.'),
    date: moment.describe('When it failed, by the gateway’s record.'),
    result: result.describe('The reason, by the gateway’s record: its `payment_status` and `decline_reason`.'),
  })
  .meta({ name: 'SubscriptionChargeFailed', description: 'A later charge of a contract that the gateway declined.' });

const paidLate = z.object({
  late: z.literal(true).optional().describe('Present if the session was `failed` or `expired` before.'),
});

const paidTwice = z.object({
  transaction_ids: z.array(z.string()).describe('The first payment and this one, which must be refunded.'),
});

const removedCard = z.object({ saved_card: offeredCard.describe('The card that the shopper removed.') });

/** The body of a webhook of one type. `timestamp` is ISO 8601 in UTC. */
const webhookOf = <Type extends string, Data extends z.ZodType>(type: Type, data: Data) =>
  z.object({
    type: z.literal(type).describe('The type of the webhook.'),
    timestamp: moment.describe('When it was written.'),
    data,
  });

/**
 * The body of a webhook. `data` is the session or operation at the time of the webhook, or a part of it. Newer relays
 * have further types, which receivers should ignore.
 */
export const webhookEvent = z.discriminatedUnion('type', [
  webhookOf('session.approved', sessionAnswer.and(paidLate)),
  webhookOf('session.declined', sessionAnswer),
  webhookOf('session.redirected', sessionAnswer),
  webhookOf('session.pending', sessionAnswer),
  webhookOf('session.unknown', sessionAnswer),
  webhookOf('session.failed', sessionAnswer),
  webhookOf('session.expired', sessionAnswer),
  webhookOf('session.paid_twice', sessionAnswer.and(paidTwice)),
  webhookOf('saved_card.removed', sessionAnswer.and(removedCard)),
  webhookOf('notification.received', notificationReceived),
  webhookOf('operation.completed', operationCompleted),
  webhookOf('operation.unknown', operationAnswer),
  webhookOf('operation.settled', operationAnswer),
  webhookOf('payment.ready', paymentNews.and(readyPayment)),
  webhookOf('payment.held', paymentNews),
  webhookOf('payment.accepted', paymentNews),
  webhookOf('payment.rejected', paymentNews),
  webhookOf('payment.captured', paymentNews),
  webhookOf('payment.cancelled', paymentNews),
  webhookOf('payment.refunded', paymentNews),
  webhookOf('payment.reversed', paymentNews),
  webhookOf('payment.unconfirmed', paymentNews),
  webhookOf('subscription.charged', chargedNews),
  webhookOf('subscription.charge_failed', chargeFailedNews),
  webhookOf('payout.updated', operationAnswer),
  webhookOf('payout.notified', operationAnswer.and(payoutNotified)),
]);
export type WebhookEvent = z.infer<typeof webhookEvent>;

/** The body of any webhook. */
export type EventType = WebhookEvent['type'];
export type PaymentEventType = Extract<EventType, `payment.${string}`>;
export type SubscriptionEventType = Extract<EventType, `subscription.${string}`>;
export const eventTypes = webhookEvent.options.map((event): EventType => event.shape.type.value);

/** `data` of each webhook. */
export type WebhookData = { [Event in WebhookEvent as Event['type']]: Event['data'] };
