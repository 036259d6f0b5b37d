import type { SessionStatus } from '../../shared/checkout/status.ts';
import { isDelivery, isEvidence, isItemOutcome, isOperationName, isOperationStatus } from './answers.ts';
import {
  always,
  anything,
  either,
  exactly,
  flag,
  type Guard,
  list,
  number,
  object,
  oneOf,
  optional,
  record,
  text,
} from './guards.ts';
import type {
  AttemptAnswer,
  Attention,
  AttentionCase,
  AttentionGroup,
  OrderList,
  OrderSummary,
  OrderWithTimeline,
  Payment,
  SessionAnswer,
  SubscriptionAnswer,
  SubscriptionList,
  TimelineEntry,
} from './read.ts';

const orderStatus = oneOf<OrderSummary['status']>({ open: true, in_progress: true, paid: true });
const sessionStatus = oneOf<SessionStatus>({
  open: true,
  processing: true,
  redirected: true,
  pending: true,
  unknown: true,
  approved: true,
  failed: true,
  expired: true,
});

const orderSummary = object<OrderSummary>({
  order_no: text,
  status: orderStatus,
  created_at: text,
  amount: text,
  currency: text,
  payment_method: optional(text),
  card: optional(text),
  session_status: sessionStatus,
  needs_attention: flag,
  refunded: text,
});
export const isOrderList: Guard<OrderList> = object<OrderList>({ orders: list(orderSummary), next: optional(text) });

const attempt = object<AttemptAnswer>({
  status: oneOf({
    in_flight: true,
    redirected: true,
    pending: true,
    unknown: true,
    approved: true,
    declined: true,
    not_paid: true,
    refused: true,
    not_sent: true,
  }),
  method: text,
  card: optional(text),
  amount: text,
  currency: text,
  transaction_id: optional(text),
  result: optional(object<{ code: string; message: string }>({ code: text, message: text })),
  evidence: optional(isEvidence),
});

const settledOutcome = oneOf<'approved' | 'not_paid'>({ approved: true, not_paid: true });

const session = object<SessionAnswer>({
  id: text,
  status: sessionStatus,
  currency: text,
  amount: text,
  created_at: text,
  attempts: list(attempt),
});

type Entry<Type extends TimelineEntry['type']> = Extract<TimelineEntry, { type: Type }>;

const timelineEntry: Guard<TimelineEntry> = either<TimelineEntry>(
  object<Entry<'session'>>({ type: exactly('session'), at: text }),
  object<Entry<'attempt'>>({ type: exactly('attempt'), at: text, attempt }),
  object<Entry<'settled'>>({
    type: exactly('settled'),
    at: text,
    by: text,
    note: text,
    outcome: optional(settledOutcome),
  }),
  object<Entry<'query'>>({ type: exactly('query'), at: text, fault: optional(text) }),
  object<Entry<'next_query'>>({ type: exactly('next_query'), at: text }),
  object<Entry<'notification'>>({
    type: exactly('notification'),
    at: text,
    times: number,
    verified: flag,
    fields: record(text),
  }),
  object<Entry<'webhook'>>({
    type: exactly('webhook'),
    at: text,
    id: text,
    event: text,
    delivery: isDelivery,
  }),
  object<Entry<'operation'>>({
    type: exactly('operation'),
    at: text,
    id: text,
    operation: isOperationName,
    status: isOperationStatus,
    by: text,
    items: list(
      object<Entry<'operation'>['items'][number]>({
        outcome: optional(isItemOutcome),
        request: record(anything),
      }),
    ),
  }),
);

export const isOrder: Guard<OrderWithTimeline> = object<OrderWithTimeline>({
  order_no: text,
  status: orderStatus,
  payments: list(
    object<Payment>({
      transaction_id: text,
      amount: text,
      currency: text,
      refunded: text,
      refundable: text,
    }),
  ),
  next_query_at: optional(text),
  sessions: list(session),
  created_at: text,
  amount: text,
  currency: text,
  needs_attention: flag,
  captured: text,
  refunded: text,
  refundable: text,
  timeline: list(timelineEntry),
  truncated: optional(always),
});

const isCase: Guard<AttentionCase> = object<AttentionCase>({
  since: text,
  why: text,
  order_no: optional(text),
  transaction_id: optional(text),
  operation_id: optional(text),
  operation: optional(isOperationName),
  items: optional(number),
  event_id: optional(text),
  event: optional(text),
  amount: optional(text),
  currency: optional(text),
  next_query_at: optional(text),
});

type Reconciled = NonNullable<Attention['reconciliation']>;

export const isAttention: Guard<Attention> = object<Attention>({
  at: text,
  groups: list(
    object<AttentionGroup>({
      kind: text,
      count: number,
      more: optional(always),
      cases: list(isCase),
    }),
  ),
  reconciliation: optional(object<Reconciled>({ reported_at: text, orders: number, total: number })),
});

const charge = object<SubscriptionAnswer['first_charge']>({
  at: optional(text),
  amount: optional(text),
});

const subscription = object<SubscriptionAnswer>({
  recurring_id: text,
  contract_name: optional(text),
  status: oneOf({ active: true, ending: true, end_unknown: true, ended: true }),
  order_no: text,
  started_at: text,
  shopper_email: optional(text),
  card: optional(text),
  currency: text,
  terms: optional(
    object<NonNullable<SubscriptionAnswer['terms']>>({
      contract_amount: optional(text),
      interval: optional(text),
      interval_count: optional(text),
      contract_end: optional(text),
    }),
  ),
  recurring_deduction_period: optional(text),
  first_charge: charge,
  later_charges: number,
  last_charge: optional(charge),
  next_charge: optional(
    object<NonNullable<SubscriptionAnswer['next_charge']>>({
      date: text,
      by: oneOf({ gateway: true, terms: true }),
      amount: text,
      currency: text,
    }),
  ),
  end: optional(
    object<NonNullable<SubscriptionAnswer['end']>>({
      operation_id: text,
      outcome: optional(isItemOutcome),
    }),
  ),
  notifications: number,
});

export const isSubscriptionList: Guard<SubscriptionList> = object<SubscriptionList>({
  subscriptions: list(subscription),
  next: optional(text),
});

/** How an order stands, in one word. */
export type OrderState = 'paid' | Exclude<SessionStatus, 'approved'>;

/** An order that was paid is paid, however its last session stands. */
export function orderState({ status, session_status }: Pick<OrderSummary, 'status' | 'session_status'>): OrderState {
  if (status === 'paid' || session_status === 'approved') return 'paid';
  return session_status;
}
