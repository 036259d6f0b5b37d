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
  [result, { id: 'Result' }],
  [fieldError, { id: 'FieldError' }],
  [problem, { id: 'Problem' }],
  [sessionCreated, { id: 'SessionCreated' }],
  [sessionAnswer.shape.attempts.element, { id: 'Attempt' }],
  [sessionAnswer, { id: 'Session' }],
  [orderDetail.shape.payments.element, { id: 'OrderPayment' }],
  [orderSummary, { id: 'OrderSummary' }],
  [orderList, { id: 'OrderList' }],
  [timelineEntry, { id: 'TimelineEntry' }],
  [orderDetail, { id: 'OrderDetail' }],
  [subscriptionAnswer.shape.first_charge, { id: 'SubscriptionCharge' }],
  [subscriptionAnswer, { id: 'SubscriptionAnswer' }],
  [subscriptionList, { id: 'SubscriptionList' }],
  [paymentAnswer, { id: 'PaymentAnswer' }],
  [operationAnswer, { id: 'Operation' }],
  [operationSummary, { id: 'OperationSummary' }],
  [operationList, { id: 'OperationList' }],
  [profileAnswer, { id: 'Profile' }],
  [eventAnswer.shape.delivery, { id: 'Delivery' }],
  [eventAnswer, { id: 'Event' }],
  [eventList, { id: 'EventList' }],
  [redelivered, { id: 'Redelivered' }],
  [notificationReceived, { id: 'NotificationReceived' }],
  [operationCompleted, { id: 'OperationCompleted' }],
  [auditEntry, { id: 'AuditEntry' }],
  [auditList, { id: 'AuditList' }],
  [attentionCase, { id: 'AttentionCase' }],
  [attentionGroup, { id: 'AttentionGroup' }],
  [attention, { id: 'Attention' }],
  [reconciliation, { id: 'Reconciliation' }],
  [stats.shape.total.shape.approved.element, { id: 'Sum' }],
  [stats.shape.total.shape.outcomes, { id: 'Outcomes' }],
  [stats.shape.total, { id: 'Figures' }],
  [stats.shape.periods.element, { id: 'PeriodFigures' }],
  [stats, { id: 'Stats' }],
  [orderRecord, { id: 'OrderRecord' }],
  [refundResult, { id: 'RefundResult' }],
  [refundRecord, { id: 'RefundRecord' }],
  [offeredMethod, { id: 'OfferedMethod' }],
  [checkoutView, { id: 'CheckoutView' }],
  [payAnswer, { id: 'PayAnswer' }],
  [embedding, { id: 'Embedding' }],
  [about, { id: 'About' }],
  [health, { id: 'Health' }],
  [readiness, { id: 'Readiness' }],
];
