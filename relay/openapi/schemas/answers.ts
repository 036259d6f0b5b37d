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
import { type FieldError, type Problem, type ProblemCode, problems } from '../../../shared/checkout/problem.ts';
import { orderRecord } from '../../../shared/gateway/query.ts';
import { refundResult } from '../../../shared/gateway/refund.ts';
import { refundRecord } from '../../../shared/gateway/refund-search.ts';
import { checkoutView, embedding, offeredMethod, payAnswer } from './browser.ts';
import type { Entry } from './requests.ts';

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
  [health, { id: 'Health' }],
  [readiness, { id: 'Readiness' }],
];
