import { z } from 'zod';
import { type SessionStatus, sessionStatuses } from '../checkout/status.ts';
import { operationNames } from '../gateway/operations.ts';
import { currencyCode, identifier } from '../gateway/text.ts';
import { eventAnswer } from './event.ts';
import { operationAnswer, operationStatuses } from './operation.ts';
import { attemptAnswer, sessionAnswer } from './session.ts';

const moment = z.iso.datetime();

/** Whether somebody may pay an order, pays it, or has paid it. */
export const orderStatuses = ['open', 'in_progress', 'paid'] as const;

/** A transaction that paid an order. `proof` tells who says so: the gateway's answer, a query's record, or a person. */
const payment = z.object({
  transaction_id: z.string(),
  amount: z.string(),
  currency: z.string(),
  session_id: z.string().optional(),
  attempt_id: z.string().optional(),
  proof: z.enum(['answer', 'record', 'person']),
});

/** The last query about an order that was answered or failed: when it began, and why it does not count where it does not. */
const lastQuery = z.object({ at: moment, counted: z.boolean(), fault: z.string().optional() });

/** An order as the relay knows it: who paid it, and by which sessions. */
export const orderAnswer = z.object({
  order_no: z.string(),
  status: z.enum(orderStatuses),
  payments: z.array(payment),
  last_query: lastQuery.optional(),
  next_query_at: moment.optional(),
  sessions: z.array(sessionAnswer),
});
export type OrderAnswer = z.infer<typeof orderAnswer>;

/** One line of the list of orders. `amount` is what was paid, or what is asked for last. */
export const orderSummary = z.object({
  order_no: z.string(),
  status: z.enum(orderStatuses),
  created_at: moment,
  amount: z.string(),
  currency: z.string(),
  /** Of the attempt that paid, or of the last one: `card`, `token`, or the name of the method. */
  payment_method: z.string().optional(),
  card: z.string().optional(),
  transaction_id: z.string().optional(),
  /** The session that was paid, or the last one, and its status. */
  session_id: z.string(),
  session_status: z.enum(sessionStatuses),
  needs_attention: z.boolean(),
  /** What refunds took of its payments; what is not known yet counts. */
  refunded: z.string(),
});
export type OrderSummary = z.infer<typeof orderSummary>;

/** What `GET /v1/orders` answers, the newest first. `next` is the `before` of the next page; the last page has none. */
export const orderList = z.object({ orders: z.array(orderSummary), next: z.string().optional() });
export type OrderList = z.infer<typeof orderList>;

/** Where the session of an order stands that orders are found by. */
export const unsettledStatuses = [
  'processing',
  'redirected',
  'pending',
  'unknown',
] as const satisfies readonly SessionStatus[];

const instant = z.iso.datetime({ offset: true, error: 'must be a time such as 2027-03-31T10:15:00Z' });

/** What `GET /v1/orders` may be asked for, as it stands in the query: texts. */
export const orderQuery = z
  .strictObject({
    limit: z
      .string()
      .regex(/^([1-9]\d?|100)$/, 'must be a whole number from 1 to 100')
      .transform(Number)
      .default(20),
    before: z
      .string()
      .regex(/^\d{1,16}-\d{1,18}$/, 'must be the next of the page before')
      .optional(),
    format: z.enum(['json', 'csv']).optional(),
    status: z.enum(orderStatuses).optional(),
    session_status: z.enum(unsettledStatuses).optional(),
    decline_code: identifier.optional(),
    created_from: instant.optional(),
    created_to: instant.optional(),
    amount: z
      .string()
      .regex(/^\d{1,15}(\.\d{1,10})?$/, 'must be a decimal such as 129.90')
      .optional(),
    currency: currencyCode.optional(),
    payment_method: identifier.optional(),
    last4: z
      .string()
      .regex(/^\d{4}$/, 'must be four digits')
      .optional(),
    needs_attention: z.literal('true', { error: 'must be true, or left out' }).optional(),
    email: z.string().min(3).max(320).optional(),
    order_no: identifier.optional(),
    order_no_prefix: identifier.optional(),
    transaction_id: identifier.optional(),
    transaction_id_prefix: identifier.optional(),
  })
  .refine(({ amount, currency }) => amount === undefined || currency !== undefined, {
    path: ['currency'],
    error: 'must be given with amount',
  })
  .refine((query) => query.order_no_prefix === undefined || query.transaction_id_prefix === undefined, {
    path: ['transaction_id_prefix'],
    error: 'must not be given with order_no_prefix',
  });

/** Which orders to list, as the client takes it. */
export type OrderFilter = {
  status?: (typeof orderStatuses)[number];
  /** Where the session stands that was paid, or the last one. */
  session_status?: (typeof unsettledStatuses)[number];
  /** The gateway’s code of an attempt that it declined. */
  decline_code?: string;
  /** Only orders that were made at this time (ISO 8601) or later. */
  created_from?: string;
  /** Only orders that were made before this time. */
  created_to?: string;
  /** A decimal string; needs `currency`. */
  amount?: string;
  currency?: string;
  payment_method?: string;
  /** The last four digits of a card that was tried. */
  last4?: string;
  needs_attention?: true;
  /** The shopper’s e-mail, as a whole. */
  email?: string;
  order_no?: string;
  order_no_prefix?: string;
  transaction_id?: string;
  transaction_id_prefix?: string;
  /** Only orders after the page before: its `next`. */
  before?: string;
  /** How many at once: 1 to 100. */
  limit?: number;
};

const outcome = z.enum(['succeeded', 'failed', 'unknown']);

/** Something that happened to an order, and when. */
export const timelineEntry = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session'), at: moment, session_id: z.string() }),
  z.object({
    type: z.literal('attempt'),
    at: moment,
    session_id: z.string(),
    attempt: attemptAnswer,
  }),
  z.object({
    type: z.literal('settled'),
    at: moment,
    session_id: z.string(),
    by: z.string(),
    note: z.string(),
    outcome: z.enum(['approved', 'not_paid']).optional(),
  }),
  z.object({ type: z.literal('query'), at: moment, counted: z.boolean(), fault: z.string().optional() }),
  z.object({ type: z.literal('next_query'), at: moment }),
  z.object({
    type: z.literal('notification'),
    at: moment,
    session_id: z.string(),
    /** The same bytes came so many times, last at `last_at`. */
    times: z.int(),
    last_at: moment,
    verified: z.boolean(),
    fields: z.record(z.string(), z.string()),
    /** When the shop was told of it. */
    told_at: moment.optional(),
  }),
  z.object({
    type: z.literal('webhook'),
    at: moment,
    id: z.string(),
    event: z.string(),
    subject: z.string(),
    delivery: eventAnswer.shape.delivery,
  }),
  z.object({
    type: z.literal('operation'),
    at: moment,
    id: z.string(),
    operation: z.enum(operationNames),
    status: z.enum(operationStatuses),
    by: z.string().optional(),
    settled_at: moment.optional(),
    /** Its items that are about this order, each with what became of it. */
    items: z.array(
      z.object({
        outcome: outcome.optional(),
        request: z.record(z.string(), z.unknown()),
        /** The shop's own name of the item. */
        reference: z.string().optional(),
      }),
    ),
    unknown: operationAnswer.shape.unknown,
    settlement: operationAnswer.shape.settlement,
  }),
]);
export type TimelineEntry = z.infer<typeof timelineEntry>;

/**
 * What `GET /v1/orders/:order_no` answers, and `POST /v1/orders/:order_no/reconcile` once the gateway was asked: the order, what
 * was moved of its money, and, for keys with the scope `console`, all that happened to it.
 */
export const orderDetail = orderAnswer.extend({
  created_at: moment,
  amount: z.string(),
  currency: z.string(),
  needs_attention: z.boolean(),
  payments: z.array(payment.extend({ refunded: z.string(), refundable: z.string() })),
  captured: z.string(),
  refunded: z.string(),
  refundable: z.string(),
  /** Only for API keys with the scope `console`. */
  timeline: z.array(timelineEntry).optional(),
  /** There is more than the timeline shows. */
  truncated: z.literal(true).optional(),
});
export type OrderDetail = z.infer<typeof orderDetail>;

/** The same with its timeline, which `GET /v1/orders/:order_no` always has. */
export const orderWithTimeline = orderDetail.required({ timeline: true });
export type OrderWithTimeline = z.infer<typeof orderWithTimeline>;
