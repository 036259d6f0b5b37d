import type { OrderList, OrderSummary, OrderWithTimeline, TimelineEntry } from '../../shared/api/order.ts';
import type { AttemptAnswer, SessionAnswer } from '../../shared/api/session.ts';
import type { SessionStatus } from '../../shared/checkout/status.ts';
import {
  isDelivery,
  isEvidence,
  isItemOutcome,
  isOperationName,
  isOperationStatus,
  isOperationUnknown,
  isSettlement,
} from './answers.ts';
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
  transaction_id: optional(text),
  session_id: text,
  session_status: sessionStatus,
  needs_attention: flag,
  refunded: text,
});
export const isOrderList: Guard<OrderList> = object<OrderList>({ orders: list(orderSummary), next: optional(text) });

const attempt = object<AttemptAnswer>({
  id: text,
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
  started_at: text,
  settled_at: optional(text),
  transaction_id: optional(text),
  result: optional(object<{ code: string; message: string }>({ code: text, message: text })),
  reason: optional(text),
  evidence: optional(isEvidence),
});

type Unknown = NonNullable<SessionAnswer['unknown']>;
type Pending = NonNullable<SessionAnswer['pending']>;
type Settled = NonNullable<SessionAnswer['settled']>;

const settledOutcome = oneOf<'approved' | 'not_paid'>({ approved: true, not_paid: true });

const session = object<SessionAnswer>({
  id: text,
  client_secret: optional(text),
  checkout_url: optional(text),
  status: sessionStatus,
  order_no: text,
  currency: text,
  amount: text,
  refunded: optional(text),
  revision: number,
  created_at: text,
  expires_at: text,
  attempts: list(attempt),
  transaction_id: optional(text),
  card: optional(text),
  recurring_id: optional(text),
  connector: optional(text),
  note: optional(text),
  contract_name: optional(text),
  recurring_deduction_period: optional(text),
  recurring_deduction_time: optional(text),
  result: optional(object<{ code: string; message: string }>({ code: text, message: text })),
  unknown: optional(
    object<Unknown>({
      reason: text,
      since: text,
      next_look_at: text,
      looks: number,
      needs_attention: flag,
      last_look: optional(
        object<NonNullable<Unknown['last_look']>>({
          at: text,
          found: oneOf({
            absent: true,
            pending: true,
            codes_not_listed: true,
            amount_differs: true,
            paid_before: true,
            query_unanswered: true,
            query_refused: true,
          }),
        }),
      ),
    }),
  ),
  pending: optional(
    object<Pending>({
      since: text,
      next_look_at: text,
      looks: number,
      needs_attention: flag,
      transaction_id: optional(text),
      can_abandon: flag,
    }),
  ),
  paid_twice: optional(list(text)),
  reason: optional(text),
  settled: optional(
    object<Settled>({
      by: text,
      at: text,
      note: text,
      outcome: optional(settledOutcome),
      transaction_id: optional(text),
      amount: optional(text),
      currency: optional(text),
    }),
  ),
  withdrawn_by: optional(text),
  order_changed: optional(always),
  needs_attention: optional(always),
});

type Entry<Type extends TimelineEntry['type']> = Extract<TimelineEntry, { type: Type }>;

const timelineEntry: Guard<TimelineEntry> = either<TimelineEntry>(
  object<Entry<'session'>>({ type: exactly('session'), at: text, session_id: text }),
  object<Entry<'attempt'>>({ type: exactly('attempt'), at: text, session_id: text, attempt }),
  object<Entry<'settled'>>({
    type: exactly('settled'),
    at: text,
    session_id: text,
    by: text,
    note: text,
    outcome: optional(settledOutcome),
  }),
  object<Entry<'query'>>({ type: exactly('query'), at: text, counted: flag, fault: optional(text) }),
  object<Entry<'next_query'>>({ type: exactly('next_query'), at: text }),
  object<Entry<'notification'>>({
    type: exactly('notification'),
    at: text,
    session_id: text,
    times: number,
    last_at: text,
    verified: flag,
    fields: record(text),
    told_at: optional(text),
  }),
  object<Entry<'webhook'>>({
    type: exactly('webhook'),
    at: text,
    id: text,
    event: text,
    subject: text,
    delivery: isDelivery,
  }),
  object<Entry<'operation'>>({
    type: exactly('operation'),
    at: text,
    id: text,
    operation: isOperationName,
    status: isOperationStatus,
    by: optional(text),
    settled_at: optional(text),
    items: list(
      object<Entry<'operation'>['items'][number]>({
        outcome: optional(isItemOutcome),
        request: record(anything),
        reference: optional(text),
      }),
    ),
    unknown: optional(isOperationUnknown),
    settlement: optional(isSettlement),
  }),
);

type Payment = OrderWithTimeline['payments'][number];
type LastQuery = NonNullable<OrderWithTimeline['last_query']>;

export const isOrder: Guard<OrderWithTimeline> = object<OrderWithTimeline>({
  order_no: text,
  status: orderStatus,
  payments: list(
    object<Payment>({
      transaction_id: text,
      amount: text,
      currency: text,
      session_id: optional(text),
      attempt_id: optional(text),
      proof: oneOf({ answer: true, record: true, person: true }),
      refunded: text,
      refundable: text,
    }),
  ),
  last_query: optional(object<LastQuery>({ at: text, counted: flag, fault: optional(text) })),
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

export const isSession = session;
