import type { z } from 'zod';
import { attention, attentionCase, attentionGroup } from '../../../shared/api/attention.ts';
import { auditEntry, auditList } from '../../../shared/api/audit.ts';
import {
  delivery,
  eventAnswer,
  eventList,
  notificationReceived,
  operationCompleted,
  redelivered,
} from '../../../shared/api/event.ts';
import { operationAnswer, operationList, operationSummary } from '../../../shared/api/operation.ts';
import { orderDetail, orderList, orderSummary } from '../../../shared/api/order.ts';
import { paymentAnswer, result } from '../../../shared/api/payment.ts';
import { profileAnswer } from '../../../shared/api/profile.ts';
import { reconciliation } from '../../../shared/api/reconciliation.ts';
import { attemptAnswer, sessionAnswer, sessionCreated } from '../../../shared/api/session.ts';
import { figures, outcomes, periodFigures, stats, sum } from '../../../shared/api/stats.ts';
import { charge, subscriptionAnswer, subscriptionList } from '../../../shared/api/subscription.ts';
import { timelineEntry } from '../../../shared/api/timeline.ts';
import { orderRecord } from '../../../shared/gateway/query.ts';
import { refundRecord, refundResult } from '../../../shared/gateway/refund.ts';
import { checkoutView, embedding, offeredMethod, payAnswer } from './checkout-answers.ts';
import { about, fieldError, health, problem, readiness } from './own-answers.ts';
import type { Entry } from './requests.ts';

/** Every named schema of an answer. */
export const answers: readonly (readonly [z.ZodType, Entry])[] = [
  [result, { id: 'Result', description: 'A code and words of the gateway.' }],
  [fieldError, { id: 'FieldError', description: 'One field that is wrong.' }],
  [problem, { id: 'Problem', description: 'An error (RFC 9457).' }],
  [sessionCreated, { id: 'SessionCreated', description: 'A new session.' }],
  [attemptAnswer, { id: 'Attempt', description: 'One attempt to pay.' }],
  [sessionAnswer, { id: 'Session', description: 'A session with its status.' }],
  [orderDetail.shape.payments.element, { id: 'OrderPayment', description: 'A transaction that paid the order.' }],
  [orderSummary, { id: 'OrderSummary', description: 'An order in one line.' }],
  [orderList, { id: 'OrderList', description: 'One page of orders.' }],
  [timelineEntry, { id: 'TimelineEntry', description: 'An event in the history of an order.' }],
  [orderDetail, { id: 'OrderDetail', description: 'An order with its payments, refunds, captures and history.' }],
  [charge, { id: 'SubscriptionCharge', description: 'A charge of a contract.' }],
  [
    subscriptionAnswer,
    { id: 'SubscriptionAnswer', description: 'A contract with its charges, and the next one expected.' },
  ],
  [subscriptionList, { id: 'SubscriptionList', description: 'One page of contracts.' }],
  [paymentAnswer, { id: 'PaymentAnswer', description: 'The outcome of a payment.' }],
  [operationAnswer, { id: 'Operation', description: 'An operation with its outcome.' }],
  [operationSummary, { id: 'OperationSummary', description: 'An operation without the gateway’s answer.' }],
  [operationList, { id: 'OperationList', description: 'One page of operations.' }],
  [profileAnswer, { id: 'Profile', description: 'What you need to read the gateway’s records.' }],
  [delivery, { id: 'Delivery', description: 'The status of a webhook’s delivery.' }],
  [eventAnswer, { id: 'Event', description: 'A webhook and its delivery.' }],
  [eventList, { id: 'EventList', description: 'One page of webhooks.' }],
  [redelivered, { id: 'Redelivered', description: 'The number of webhooks that are sent again.' }],
  [
    notificationReceived,
    {
      id: 'NotificationReceived',
      description: 'A notification to a payment’s `notify_url`, and the records of a query about it.',
    },
  ],
  [operationCompleted, { id: 'OperationCompleted', description: 'The outcome of each item of an operation.' }],
  [auditEntry, { id: 'AuditEntry', description: 'An entry of the audit log.' }],
  [auditList, { id: 'AuditList', description: 'One page of the audit log.' }],
  [attentionCase, { id: 'AttentionCase', description: 'A case.' }],
  [attentionGroup, { id: 'AttentionGroup', description: 'The cases of one kind.' }],
  [attention, { id: 'Attention', description: 'The cases that wait for a person, or for the gateway.' }],
  [
    reconciliation,
    { id: 'Reconciliation', description: 'The last report of a comparison with the gateway’s records.' },
  ],
  [sum, { id: 'Sum', description: 'The number and the sum of payments or refunds in one currency.' }],
  [outcomes, { id: 'Outcomes', description: 'The numbers of payments by outcome.' }],
  [figures, { id: 'Figures', description: 'Counts and sums of payments and refunds.' }],
  [periodFigures, { id: 'PeriodFigures', description: 'The counts and sums of one period.' }],
  [stats, { id: 'Stats', description: 'Counts and sums of each hour or day, and of all together.' }],
  [orderRecord, { id: 'OrderRecord', description: 'The gateway’s record of a payment.' }],
  [refundResult, { id: 'RefundResult', description: 'The outcome of one refund.' }],
  [refundRecord, { id: 'RefundRecord', description: 'The gateway’s record of a refund.' }],
  [offeredMethod, { id: 'OfferedMethod', description: 'One way to pay.' }],
  [checkoutView, { id: 'CheckoutView', description: 'The data that the form shows.' }],
  [payAnswer, { id: 'PayAnswer', description: 'The outcome of the shopper’s attempt.' }],
  [embedding, { id: 'Embedding', description: 'What a page needs for the form.' }],
  [about, { id: 'About', description: 'The relay’s name, version and paths.' }],
  [health, { id: 'Health', description: 'The relay runs.' }],
  [readiness, { id: 'Readiness', description: 'Whether the relay accepts payments.' }],
];
