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
  [attemptAnswer, { id: 'Attempt', description: 'One try to pay.' }],
  [sessionAnswer, { id: 'Session', description: 'A session and all that is known of it.' }],
  [orderDetail.shape.payments.element, { id: 'OrderPayment', description: 'A transaction that paid the order.' }],
  [orderSummary, { id: 'OrderSummary', description: 'An order in one line.' }],
  [orderList, { id: 'OrderList', description: 'One page of orders.' }],
  [timelineEntry, { id: 'TimelineEntry', description: 'Something that happened to an order.' }],
  [
    orderDetail,
    { id: 'OrderDetail', description: 'An order, what was moved of its money, and all that happened to it.' },
  ],
  [charge, { id: 'SubscriptionCharge', description: 'A charge of a contract.' }],
  [subscriptionAnswer, { id: 'SubscriptionAnswer', description: 'A contract, its charges, and what to expect of it.' }],
  [subscriptionList, { id: 'SubscriptionList', description: 'One page of contracts.' }],
  [paymentAnswer, { id: 'PaymentAnswer', description: 'What became of a payment.' }],
  [operationAnswer, { id: 'Operation', description: 'What became of an operation.' }],
  [operationSummary, { id: 'OperationSummary', description: 'An operation without what the gateway sent.' }],
  [operationList, { id: 'OperationList', description: 'One page of operations.' }],
  [profileAnswer, { id: 'Profile', description: 'What it takes to read the gateway’s own records.' }],
  [delivery, { id: 'Delivery', description: 'How far a webhook’s delivery is.' }],
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
  [sum, { id: 'Sum', description: 'Payments or refunds in one currency: how many, and what they come to.' }],
  [outcomes, { id: 'Outcomes', description: 'Payments by what became of them.' }],
  [figures, { id: 'Figures', description: 'Counts and sums of payments and refunds.' }],
  [periodFigures, { id: 'PeriodFigures', description: 'The same of one period.' }],
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
