import { z } from 'zod';
import { keptMetadata } from '../checkout/metadata.ts';
import { boolean, identifier, optionalString, string } from '../gateway/text.ts';
import {
  type FilterOf,
  instant,
  listFormat,
  moment,
  nextPage,
  onlyTrue,
  orderPlace,
  pageQuery,
  settledBy,
  settlementNote,
} from './fields.ts';
import { orderNote } from './order-note.ts';

/** The status of a payment; the rules are in `relay/payments/ledger`. */
export const paymentStatuses = [
  'reversed',
  'cancelled',
  'rejected',
  'refunded',
  'held',
  'partially_refunded',
  'authorised',
  'partially_captured',
  'paid',
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** The decisions that a person can make about a payment. */
export const paymentVerdicts = ['confirmed', 'reversed'] as const;

/**
 * `POST /v1/payments/:transaction_id/settle`: a person who looked at the gateway's records decides the status of a
 * payment.
 */
export const settlePayment = z
  .strictObject({
    outcome: z
      .enum(paymentVerdicts)
      .describe(
        '`confirmed`: the gateway has the payment; one that was held for a review is accepted. `reversed`: the money is gone.',
      ),
    note: settlementNote('payment'),
  })
  .meta({
    name: 'SettlePayment',
    description: 'The decision of a person by the gateway’s records: the payment is there, or it was reversed.',
  });
export type SettlePayment = z.infer<typeof settlePayment>;

/** A transaction that paid an order. `proof` is its source: the gateway's answer, a record in a query, or a person. */
export const payment = z.object({
  transaction_id: string.describe('The gateway’s id of the payment.'),
  amount: string.describe('The amount that was paid.'),
  currency: string.describe('ISO 4217 code of three capital letters.'),
  session_id: optionalString.describe('The id of the session that it was paid through, if known.'),
  attempt_id: optionalString.describe('The id of its attempt, if known.'),
  proof: z
    .enum(['answer', 'record', 'person'])
    .describe(
      'The proof of the payment: the gateway’s `answer` to it, a `record` in the answer to a query, or the decision of a `person`.',
    ),
  also_paid: optionalString.describe(
    'Present if the gateway charged another order under the same `transaction_id` before: the number of that order. Check in the gateway’s portal what was charged.',
  ),
});

/** The remaining amounts of payments. */
export const refundable = string.describe(
  'The amount that can still be refunded: once anything of a payment was captured, at most that; nothing of a payment that is cancelled or rejected.',
);

/** The fields of the gateway's record of a payment that show its status. */
export const paymentRecord = z
  .object({
    payment_status: string.describe('The payment’s state, in the gateway’s codes.'),
    decline_reason: optionalString.describe('The reason of the decline.'),
    fraud_check_result: z
      .array(
        z.object({
          check_items: optionalString.describe('The checked items.'),
          status: optionalString.describe('`ACCEPT`, `REJECT` or another word of the gateway.'),
        }),
      )
      .optional()
      .describe('The results of the checks.'),
    antifraud_provider: optionalString.describe('The provider of the fraud check.'),
    is3ds: optionalString.describe('Whether 3-D Secure was used.'),
    reference_no: optionalString.describe('Reference number.'),
    connector: optionalString.describe('The connector that processed it.'),
    as_of: moment.describe('When the query began that showed it.'),
  })
  .meta({ name: 'PaymentRecord', description: 'The gateway’s record of a payment.' });
export type PaymentRecordAnswer = z.infer<typeof paymentRecord>;

/** An operation on a payment. */
const paymentOperation = z
  .object({
    operation_id: string.describe('The id of the operation: `GET /v1/operations/:id`.'),
    operation: z.enum(['refund', 'capture', 'cancel', 'review']).describe('Its name.'),
    amount: string.describe('The requested amount.'),
    outcome: z
      .enum(['succeeded', 'failed', 'unknown'])
      .describe('`unknown` while it is in progress, or if its outcome is not known.'),
  })
  .meta({ name: 'PaymentOperation', description: 'An operation on a payment.' });
export type PaymentOperationAnswer = z.infer<typeof paymentOperation>;

/** A transaction that paid an order, with its status and its sums. */
export const orderPayment = payment
  .extend({
    status: z
      .enum(paymentStatuses)
      .describe('The status of the payment, from the relay’s operations and the gateway’s record.'),
    method: optionalString.describe('`card`, `token`, or the method’s name, if known.'),
    card: optionalString.describe('The card, masked.'),
    recurring_id: optionalString.describe(
      'The gateway’s id of the contract that it began, or that it is a later charge of.',
    ),
    paid_at: moment.describe('When it was paid, by the gateway’s clock where that is known.'),
    credited: boolean.describe('Whether it is the payment of an attempt of this order.'),
    captured: string.describe(
      'The sum of its successful captures; its amount where its method is captured automatically (`gateway.profile.capture`).',
    ),
    capturable: string.describe(
      'The amount that can still be captured. Captures that are in progress or have an unknown outcome count as captured. `0.00` of a payment that is cancelled, rejected or captured automatically.',
    ),
    refunded: string.describe('The sum of its successful refunds.'),
    refund_undecided: string.describe('The sum of its refunds that are in progress or have an unknown outcome.'),
    refundable,
    gateway: paymentRecord
      .optional()
      .describe('What the gateway’s record said in the last query that counted. Absent before the first one.'),
    settled: z
      .object({ ...settledBy, outcome: z.enum(paymentVerdicts).describe('The decision of the person.') })
      .optional()
      .describe(
        'The last decision of a person (`POST /v1/payments/{transaction_id}/settle`). It holds until `payment_status` of the gateway’s record changes.',
      ),
    reversed_at: moment
      .optional()
      .describe('Of a `reversed` payment, when the relay saw that, or when a person decided it.'),
    order_no: string.describe('Your number of the order that it paid.'),
    origin: z
      .enum(['checkout', 'server', 'renewal'])
      .optional()
      .describe(
        '`checkout`: by a session. `server`: by `POST /v1/payments`. `renewal`: a later charge of a contract, which has no session. Left out once its session is deleted.',
      ),
    metadata: keptMetadata.describe('The `metadata` of its session.'),
    operations: z
      .array(paymentOperation)
      .describe(
        'The operations on it that this relay sent, the oldest first. Refunds are listed as long as they are kept.',
      ),
  })
  .meta({ name: 'OrderPayment', description: 'A transaction that paid the order.' });
export type OrderPaymentAnswer = z.infer<typeof orderPayment>;

/** A payment in the list of payments. */
const listedPayment = orderPayment
  .extend({ note: orderNote.optional().describe('The newest note on its order.') })
  .meta({ name: 'ListedPayment', description: 'A payment in a list, with the newest note on its order.' });
export type ListedPayment = z.infer<typeof listedPayment>;

/** The answer of `GET /v1/payments`, those of the newest orders first. `next` is the `before` of the next page; the last page has none. */
export const paymentList = z
  .object({
    payments: z.array(listedPayment).describe('The payments, those of the newest orders first.'),
    next: nextPage,
  })
  .meta({ name: 'PaymentList', description: 'One page of payments.' });
export type PaymentList = z.infer<typeof paymentList>;

/** The query of `GET /v1/payments`: texts. */
export const paymentQuery = z.strictObject({
  status: z
    .enum(paymentStatuses)
    .optional()
    .meta({ description: 'Only payments with this status.', example: 'authorised' }),
  capturable: onlyTrue.meta({
    description: '`true`: only capturable payments.',
    example: 'true',
  }),
  recurring_id: identifier.optional().meta({
    description: 'The gateway’s id of a contract: the payment that began it, and its later charges.',
    example: 'REC-30417',
  }),
  order_no: identifier.optional().meta({ description: 'Your number of the order.', example: 'A-1001' }),
  created_from: instant.optional().meta({
    description: 'Only payments of orders that were created at this time or later.',
    example: '2027-03-01T00:00:00Z',
  }),
  created_to: instant.optional().meta({
    description: 'Only payments of orders that were created before this time.',
    example: '2027-04-01T00:00:00Z',
  }),
  format: listFormat.meta({ description: '`csv`: the same as `Accept: text/csv`, for links.', example: 'csv' }),
  ...pageQuery(orderPlace),
});

/** The filter of payments, as the client takes it. */
export type PaymentFilter = FilterOf<typeof paymentQuery>;
