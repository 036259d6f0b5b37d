import { z } from 'zod';
import { attention, attentionCase, attentionGroup } from '../../../shared/api/attention.ts';
import { auditEntry, auditList } from '../../../shared/api/audit.ts';
import {
  eventAnswer,
  eventList,
  notificationReceived,
  operationCompleted,
  redelivered,
} from '../../../shared/api/event.ts';
import { operationAnswer, operationList, operationSummary } from '../../../shared/api/operation.ts';
import { orderDetail, orderList, orderSummary, timelineEntry } from '../../../shared/api/order.ts';
import { paymentAnswer, result } from '../../../shared/api/payment.ts';
import { profileAnswer } from '../../../shared/api/profile.ts';
import { reconciliation } from '../../../shared/api/reconciliation.ts';
import { sessionAnswer, sessionCreated } from '../../../shared/api/session.ts';
import { stats } from '../../../shared/api/stats.ts';
import { subscriptionAnswer, subscriptionList } from '../../../shared/api/subscription.ts';
import type { PayAnswer } from '../../../shared/checkout/pay.ts';
import { type FieldError, type Problem, type ProblemCode, problems } from '../../../shared/checkout/problem.ts';
import { collectGroups } from '../../../shared/checkout/session.ts';
import { advices, sessionStatuses } from '../../../shared/checkout/status.ts';
import type { CheckoutView } from '../../../shared/checkout/view.ts';
import { orderRecord } from '../../../shared/gateway/query.ts';
import { refundRecord, refundResult } from '../../../shared/gateway/refund.ts';
import type { Entry } from './requests.ts';

const amount = z.string();

/** One way to pay, as the form is told of it. */
const offeredMethod = z.discriminatedUnion('type', [
  z.object({ type: z.literal('card') }),
  z.object({
    type: z.literal('apm'),
    payment_method: z.string(),
    label: z.string(),
    banks: z.array(z.object({ code: z.string(), name: z.string() })).optional(),
    fields: z.array(z.string()).optional(),
  }),
]);

const terms = z.object({
  contract: z.string().optional(),
  contract_name: z.string().optional(),
  contract_amount: amount.optional(),
  interval: z.string().optional(),
  interval_count: z.string().optional(),
  billing_cycle: z.int().optional(),
  promotion_cycle: z.int().optional(),
  contract_start: z.string().optional(),
  contract_end: z.string().optional(),
  price_id: z.string().optional(),
});

/** `GET /checkout/api/session`. */
const checkoutView: z.ZodType<CheckoutView> = z.object({
  session_id: z.string(),
  status: z.enum(sessionStatuses),
  order_no: z.string(),
  currency: z.string(),
  amount,
  revision: z.int(),
  merchant_name: z.string(),
  methods: z.array(offeredMethod),
  installment_options: z.array(
    z.object({
      installments: z.string(),
      installments_id: z.string().optional(),
      each: amount.optional(),
      total: amount.optional(),
    }),
  ),
  subscription: terms.optional(),
  offers_saving: z.literal(true).optional(),
  collect: z.array(z.enum(Object.keys(collectGroups))),
  attempts_left: z.int(),
  notice: z.enum(['not_paid', 'declined']).optional(),
  advice: z.enum(advices).optional(),
  last_method: z.string().optional(),
  confirming: z.literal(true).optional(),
  pending: z.object({ payment_method: z.string(), can_abandon: z.boolean() }).optional(),
  reason: z.literal('order_already_paid').optional(),
  returns: z.boolean(),
  locale: z.string().optional(),
  prefill: z.record(z.string(), z.string()),
  saved_cards: z.array(
    z.object({
      token_id: z.string(),
      brand: z.string(),
      last4: z.string(),
      expiration_month: z.string(),
      expiration_year: z.string(),
    }),
  ),
  transaction_id: z.string().optional(),
  paid_at: z.string().optional(),
  card: z.string().optional(),
  result: result.optional(),
});

/** `POST /checkout/api/pay`. */
const payAnswer: z.ZodType<PayAnswer> = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('approved'),
    order_no: z.string(),
    transaction_id: z.string(),
    card: z.string(),
    result,
  }),
  z.object({ status: z.literal('declined'), result, advice: z.enum(advices), attempts_left: z.int().min(0) }),
  z.object({ status: z.literal('redirect'), redirect_url: z.string() }),
  z.object({ status: z.literal('pending') }),
  z.object({ status: z.literal('unknown') }),
]);

/** `GET /embed.json`. */
export const embedding = z.object({
  script: z.string(),
  csp: z.array(z.string()),
  scripts: z.array(
    z.object({
      url: z.string().optional(),
      integrity: z.string(),
      runs_in: z.enum(['page', 'frame']),
      purpose: z.string(),
    }),
  ),
});

/** Every error code, in the order of its table. */
export const problemCodes = Object.keys(problems).filter((code): code is ProblemCode => Object.hasOwn(problems, code));

const fieldError: z.ZodType<FieldError> = z.object({ path: z.string(), message: z.string() });

/** RFC 9457, as the relay writes it. */
export const problem: z.ZodType<Problem> = z.object({
  type: z.string().regex(/^urn:turnpike:problem:[a-z_]+$/),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string(),
  code: z.enum(problemCodes),
  errors: z.array(fieldError).optional(),
  operation_id: z.string().optional(),
  session_id: z.string().optional(),
});

/** `GET /`. */
export const about = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  links: z.object({ docs: z.string(), openapi: z.string(), health: z.string(), readiness: z.string() }),
});

/** `GET /healthz` and `GET /readyz`. */
export const health = z.object({ status: z.literal('up') });
export const readiness = z.object({ status: z.enum(['ready', 'not_ready']) });

/** Every named schema of an answer. */
export const answers: readonly (readonly [z.ZodType, Entry])[] = [
  [result, { id: 'Result', description: 'A code and words of the gateway.' }],
  [fieldError, { id: 'FieldError', description: 'One field that is wrong.' }],
  [problem, { id: 'Problem', description: 'An error (RFC 9457).' }],
  [sessionCreated, { id: 'SessionCreated', description: 'A new session.' }],
  [sessionAnswer.shape.attempts.element, { id: 'Attempt', description: 'One try to pay.' }],
  [sessionAnswer, { id: 'Session', description: 'A session and all that is known of it.' }],
  [orderDetail.shape.payments.element, { id: 'OrderPayment', description: 'A transaction that paid the order.' }],
  [orderSummary, { id: 'OrderSummary', description: 'An order in one line.' }],
  [orderList, { id: 'OrderList', description: 'One page of orders.' }],
  [timelineEntry, { id: 'TimelineEntry', description: 'Something that happened to an order.' }],
  [
    orderDetail,
    { id: 'OrderDetail', description: 'An order, what was moved of its money, and all that happened to it.' },
  ],
  [subscriptionAnswer.shape.first_charge, { id: 'SubscriptionCharge', description: 'A charge of a contract.' }],
  [subscriptionAnswer, { id: 'SubscriptionAnswer', description: 'A contract, its charges, and what to expect of it.' }],
  [subscriptionList, { id: 'SubscriptionList', description: 'One page of contracts.' }],
  [paymentAnswer, { id: 'PaymentAnswer', description: 'What became of a payment.' }],
  [operationAnswer, { id: 'Operation', description: 'What became of an operation.' }],
  [operationSummary, { id: 'OperationSummary', description: 'An operation without what the gateway sent.' }],
  [operationList, { id: 'OperationList', description: 'One page of operations.' }],
  [profileAnswer, { id: 'Profile', description: 'What it takes to read the gateway’s own records.' }],
  [eventAnswer.shape.delivery, { id: 'Delivery', description: 'How far a webhook’s delivery is.' }],
  [eventAnswer, { id: 'Event', description: 'A webhook and its delivery.' }],
  [eventList, { id: 'EventList', description: 'One page of webhooks.' }],
  [redelivered, { id: 'Redelivered', description: 'How many webhooks are sent again.' }],
  [
    notificationReceived,
    {
      id: 'NotificationReceived',
      description: 'What the gateway wrote to a payment’s notify_url, and what a query says of it.',
    },
  ],
  [operationCompleted, { id: 'OperationCompleted', description: 'What became of each item of an operation.' }],
  [auditEntry, { id: 'AuditEntry', description: 'One thing that somebody asked for.' }],
  [auditList, { id: 'AuditList', description: 'One page of the audit log.' }],
  [attentionCase, { id: 'AttentionCase', description: 'One thing that waits.' }],
  [attentionGroup, { id: 'AttentionGroup', description: 'The cases of one kind.' }],
  [attention, { id: 'Attention', description: 'What waits for a person, or for the gateway.' }],
  [reconciliation, { id: 'Reconciliation', description: 'The last report of a comparison with the gateway’s books.' }],
  [
    stats.shape.total.shape.approved.element,
    { id: 'Sum', description: 'Payments or refunds in one currency: how many, and what they come to.' },
  ],
  [stats.shape.total.shape.outcomes, { id: 'Outcomes', description: 'Payments by what became of them.' }],
  [stats.shape.total, { id: 'Figures', description: 'Counts and sums of payments and refunds.' }],
  [stats.shape.periods.element, { id: 'PeriodFigures', description: 'The same of one period.' }],
  [stats, { id: 'Stats', description: 'Counts and sums of each hour or day, and of all together.' }],
  [orderRecord, { id: 'OrderRecord', description: 'A payment as the gateway knows it.' }],
  [refundResult, { id: 'RefundResult', description: 'What became of one refund.' }],
  [refundRecord, { id: 'RefundRecord', description: 'A refund as the gateway knows it.' }],
  [offeredMethod, { id: 'OfferedMethod', description: 'One way to pay.' }],
  [checkoutView, { id: 'CheckoutView', description: 'What the form shows.' }],
  [payAnswer, { id: 'PayAnswer', description: 'What became of the shopper’s attempt.' }],
  [embedding, { id: 'Embedding', description: 'What a page needs to hold the form.' }],
  [about, { id: 'About', description: 'What the relay is, and where its pages are.' }],
  [health, { id: 'Health', description: 'The relay runs.' }],
  [readiness, { id: 'Readiness', description: 'Whether the relay takes requests.' }],
];
