import { z } from 'zod';
import { type SessionStatus, sessionStatuses } from '../checkout/status.ts';
import { boolean, currencyCode, identifier, optionalString, string } from '../gateway/text.ts';
import { transactionId } from '../samples/ids.ts';
import {
  email,
  type FilterOf,
  instant,
  listFormat,
  moment,
  nextPage,
  onlyTrue,
  orderPlace,
  pageQuery,
} from './fields.ts';
import { orderPayment, payment, refundable } from './order-payment.ts';
import { holdReasons, sessionAnswer } from './session.ts';
import { timelineEntry } from './timeline.ts';

/** The status of an order; the rules are in `relay/payments/ledger/order-status.ts`. */
export const orderStatuses = [
  ...(['open', 'pending', 'unknown', 'failed', 'expired'] as const),
  ...(['paid', 'paid_twice', 'held', 'authorised', 'partially_captured', 'partially_refunded'] as const),
  ...(['refunded', 'cancelled', 'rejected', 'reversed'] as const),
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** The last query about an order: when it began, and, if it does not count, the reason. */
const lastQuery = z.object({
  at: moment.describe('When it began.'),
  counted: boolean.describe('Whether its answer counts as a proof.'),
  fault: optionalString.describe('Why it does not count.'),
});

/** The gateway's records of an undecided order. */
const undecided = z.object({
  reason: z
    .enum(holdReasons)
    .describe(
      'Why the records do not settle it: `pending`, `codes_not_listed` (their status is not in the profile), `amount_differs` (from every attempt), `paid_before` (approved before the attempt was sent).',
    ),
  since: moment.describe('Since when.'),
  records: z
    .array(
      z.object({
        transaction_id: optionalString.describe('The gateway’s id of the payment.'),
        payment_status: string.describe('The gateway’s `payment_status`.'),
        amount: string.describe('The amount in the record.'),
        currency: string.describe('ISO 4217 code of three capital letters.'),
        date: moment.optional().describe('When the payment was made, by the gateway.'),
      }),
    )
    .describe('The records, as the last query that counted showed them.'),
});

/** The payment of an order that counts, and the payments to refund. */
const paidTwice = z.object({
  counts: string.describe('The `transaction_id` of the payment that counts for the order: the first one that is left.'),
  surplus: z
    .array(z.string())
    .describe(
      'The `transaction_id`s of the payments to give back: refund them, or cancel those that are not captured.',
    ),
});

/** The fields of an order and its payments in every answer. */
const order_no = string.describe('Your number of the order.');
const status = z
  .enum(orderStatuses)
  .describe(
    'How the order stands: `paid_twice` while more than one payment of it is left; else the status of its payment (`paid`, `held`, `authorised`, `partially_captured`, `partially_refunded`, `refunded`, `cancelled`, `rejected`, `reversed`); without a payment `pending` while one is in progress, `unknown`, `open`, `failed` or `expired`.',
  );
const created_at = moment.describe(
  'When its first session was created; of a later charge of a contract, when that was charged.',
);
const amount = string.describe('The amount that was paid, or that of the last session.');
const currency = string.describe('ISO 4217 code of three capital letters.');
const needs_attention = boolean.describe('Whether a person must check the gateway’s records.');
const refunded = string.describe('The sum of its refunds, including those in progress or with an unknown outcome.');
const refund_undecided = string.describe('The part of `refunded` that is in progress or has an unknown outcome.');
const captured = string.describe('The sum of `captured` of its payments.');
/** An order as the relay knows it: its payments and its sessions. */
const orderAnswer = z.object({
  order_no,
  status,
  payments: z.array(payment),
  last_query: lastQuery.optional().describe('The last query about the order. Absent if there was none.'),
  next_query_at: moment.optional().describe('When the relay queries the gateway next. Absent if everything is known.'),
  undecided: undecided
    .optional()
    .describe('The gateway’s records that keep the outcome open. A person can settle the session by one of them.'),
  sessions: z.array(sessionAnswer).describe('The sessions of the order, as in `GET /v1/sessions/{id}`.'),
});
export type OrderAnswer = z.infer<typeof orderAnswer>;

/** One entry of the list of orders. `amount` is the paid amount, or the last requested one. */
export const orderSummary = z
  .object({
    order_no,
    status,
    created_at,
    amount,
    currency,
    payment_method: optionalString.describe(
      'The method of the attempt that paid, or of the last one: `card`, `token`, or the method’s name.',
    ),
    card: optionalString.describe('The card of the attempt that paid, or of the last one, masked.'),
    transaction_id: optionalString.describe('The gateway’s id of that attempt.'),
    session_id: optionalString.describe(
      'The session that was paid, or the last one. Absent for a later charge of a contract, and once its sessions are deleted.',
    ),
    session_status: z.enum(sessionStatuses).optional().describe('The status of that session.'),
    needs_attention,
    refunded,
    refund_undecided,
    captured,
    refundable,
    decline_code: optionalString.describe('The gateway’s code of the last attempt that it declined.'),
    shopper_email: optionalString.describe('The shopper’s e-mail address, masked, if the order has it.'),
  })
  .meta({ name: 'OrderSummary', description: 'An order in one line.' });
export type OrderSummary = z.infer<typeof orderSummary>;

/** The answer of `GET /v1/orders`. `next` is the `before` of the next page, `previous` the `after` of the page before it. */
export const orderList = z
  .object({
    orders: z.array(orderSummary).describe('The orders, the newest first unless `sort` says otherwise.'),
    previous: optionalString.describe(
      'Send it as `after` to get the previous page, with the same `sort`. Absent on the first page.',
    ),
    next: nextPage,
  })
  .meta({ name: 'OrderList', description: 'One page of orders.' });
export type OrderList = z.infer<typeof orderList>;

/** The statuses of an order's session by which orders are found. */
export const unsettledStatuses = [
  'processing',
  'redirected',
  'pending',
  'unknown',
] as const satisfies readonly SessionStatus[];

/** The sort orders of the list. */
export const orderSorts = ['newest', 'oldest'] as const;

/** The query of `GET /v1/orders`: texts. */
export const orderQuery = z
  .strictObject({
    status: z.enum(orderStatuses).optional().meta({ description: 'Only orders with this status.', example: 'paid' }),
    capturable: onlyTrue.meta({
      description: '`true`: only orders with a capturable payment.',
      example: 'true',
    }),
    session_status: z.enum(unsettledStatuses).optional().meta({
      description:
        'Only orders whose paid session, or last one, has the status `processing`, `redirected`, `pending` or `unknown`.',
      example: 'pending',
    }),
    decline_code: identifier.optional().meta({
      description: 'The gateway’s code of a declined attempt, as in `decline_codes` of `GET /v1/stats`.',
      example: '2001',
    }),
    created_from: instant.optional().meta({
      description: 'Only orders that were created at this time or later.',
      example: '2027-03-01T00:00:00Z',
    }),
    created_to: instant.optional().meta({
      description: 'Only orders that were created before this time.',
      example: '2027-04-01T00:00:00Z',
    }),
    amount: z
      .string()
      .regex(/^\d{1,15}(\.\d{1,10})?$/, 'must be a decimal such as 129.90')
      .optional()
      .meta({
        description: 'The amount that was paid, or is to be paid, in `currency`, or else in any currency.',
        example: '129.90',
      }),
    currency: currencyCode.optional().meta({ description: 'The currency of the order.', example: 'BRL' }),
    payment_method: identifier.optional().meta({
      description: 'The method of the attempt that paid, or of the last one: `card`, `token`, or the method’s name.',
      example: 'PIX',
    }),
    last4: z
      .string()
      .regex(/^\d{4}$/, 'must be four digits')
      .optional()
      .meta({ description: 'The last four digits of a card of an attempt.', example: '1111' }),
    needs_attention: onlyTrue.meta({
      description: '`true`: only orders that need a person.',
      example: 'true',
    }),
    email: email.describe(
      'The shopper’s whole e-mail address, from the order or the form. Upper and lower case are equal.',
    ),
    order_no: identifier.optional().meta({ description: 'Your number of the order.', example: 'A-1001' }),
    order_no_prefix: identifier
      .optional()
      .meta({ description: 'The beginning of your number of the order.', example: 'A-10' }),
    transaction_id: identifier
      .optional()
      .meta({ description: 'The gateway’s id of an attempt to pay the order.', example: transactionId }),
    transaction_id_prefix: identifier.optional().meta({
      description: 'The beginning of that id. Not allowed together with `order_no_prefix`.',
      example: '202703',
    }),
    format: listFormat.meta({ description: '`csv`: the same as `Accept: text/csv`, for links.', example: 'csv' }),
    sort: z.enum(orderSorts).optional().meta({
      description: '`oldest`: the oldest orders first, by `created_at`. Default: `newest`.',
      example: 'oldest',
    }),
    after: orderPlace.optional().meta({
      description: 'The `previous` of a page: the page before it. Not allowed together with `before`.',
      example: '1806487920000-41',
    }),
    ...pageQuery(orderPlace),
  })
  .refine((query) => query.before === undefined || query.after === undefined, {
    path: ['after'],
    error: 'must not be given with before',
  })
  .refine((query) => query.order_no_prefix === undefined || query.transaction_id_prefix === undefined, {
    path: ['transaction_id_prefix'],
    error: 'must not be given with order_no_prefix',
  });

/** The filter of orders, as the client takes it. */
export type OrderFilter = FilterOf<typeof orderQuery>;

/**
 * The answer of `GET /v1/orders/:order_no` and, after the query, of `POST /v1/orders/:order_no/reconcile`: the order,
 * its sums and, for keys with the scope `console`, its timeline.
 */
export const orderDetail = orderAnswer
  .extend({
    created_at,
    amount,
    currency,
    needs_attention,
    payments: z
      .array(orderPayment)
      .describe('Every transaction that paid the order, the first one first. `paid_twice` says which to refund.'),
    paid_twice: paidTwice
      .optional()
      .describe(
        'Present with the status `paid_twice`, unless one of its payments is `held`, or has a refund, cancellation or review without a known outcome: decide that first.',
      ),
    captured,
    refunded,
    refund_undecided,
    refundable,
    timeline: z
      .array(timelineEntry)
      .optional()
      .describe(
        'The history of the order, the oldest entry first. `POST /v1/orders/{order_no}/reconcile` returns it only for keys with the scope `console`.',
      ),
    truncated: z
      .literal(true)
      .optional()
      .describe('Present if the timeline is incomplete: it contains at most 200 entries of a kind.'),
  })
  .meta({ name: 'OrderDetail', description: 'An order with its payments, refunds, captures and history.' });
export type OrderDetail = z.infer<typeof orderDetail>;

/** The same with its timeline, which the answer of `GET /v1/orders/:order_no` always has. */
export const orderWithTimeline = orderDetail.required({ timeline: true });
export type OrderWithTimeline = z.infer<typeof orderWithTimeline>;
