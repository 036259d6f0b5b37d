export type { Attention, AttentionCase, AttentionGroup, AttentionKind } from '../shared/api/attention.ts';
export type { AuditEntry, AuditFilter, AuditList } from '../shared/api/audit.ts';
export type { EndpointAnswer, EndpointList } from '../shared/api/endpoint.ts';
export type { EventAnswer, EventFilter, EventList } from '../shared/api/event.ts';
export type { KeyAnswer } from '../shared/api/key.ts';
export type { OperationAnswer, OperationFilter, OperationList, OperationSummary } from '../shared/api/operation.ts';
export type {
  OrderAnswer,
  OrderDetail,
  OrderFilter,
  OrderList,
  OrderSummary,
  OrderWithTimeline,
} from '../shared/api/order.ts';
export type { OrderActionAnswer } from '../shared/api/order-action.ts';
export type { OrderPaymentAnswer, PaymentFilter, PaymentList, SettlePayment } from '../shared/api/order-payment.ts';
export type { PaymentAnswer } from '../shared/api/payment.ts';
export type { ProfileAnswer } from '../shared/api/profile.ts';
export type { DifferenceClass, Reconciliation, ReconciliationReport } from '../shared/api/reconciliation.ts';
export type { RequestEntry, RequestFilter, RequestList } from '../shared/api/request.ts';
export type {
  OperationHit,
  OrderHit,
  PaymentHit,
  SearchAnswer,
  SearchedText,
  SessionHit,
  SubscriptionHit,
} from '../shared/api/search.ts';
export type { SessionAnswer, SessionCreated, SettleSession } from '../shared/api/session.ts';
export type { PeriodFigures, Stats, StatsFigures, StatsFilter } from '../shared/api/stats.ts';
export type {
  AcknowledgeSubscription,
  SubscriptionAnswer,
  SubscriptionFilter,
  SubscriptionList,
} from '../shared/api/subscription.ts';
export type { TimelineEntry } from '../shared/api/timeline.ts';
export type {
  EventType,
  NotificationReceived,
  OperationCompleted,
  WebhookData,
  WebhookEvent,
} from '../shared/api/webhook.ts';
export type { FieldError } from '../shared/checkout/problem.ts';
export type { ProblemCode } from '../shared/checkout/problem-codes.ts';
export type { OrderChange, UpdateSession } from '../shared/checkout/session.ts';
export { currencyDigits } from '../shared/gateway/amounts.ts';
export type { RoutedName } from '../shared/gateway/operations.ts';
export { type AnswerOf, type BodyOf, type Client, createClient } from './client.ts';
export {
  ClientMisused,
  OperationDeclined,
  OutcomeUnknown,
  RelayAnswerUnusable,
  RelayRefused,
  RelayUnreachable,
  TurnpikeError,
} from './errors.ts';
export type { PostOptions } from './requests.ts';
export type { Answered, Call, Meta } from './send.ts';
export type { ClientOptions } from './settings.ts';
