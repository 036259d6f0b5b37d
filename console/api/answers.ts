import type { AuditEntry, AuditList } from '../../shared/api/audit.ts';
import type { Change, Changes } from '../../shared/api/console.ts';
import type { EventAnswer, EventList, Redelivered } from '../../shared/api/event.ts';
import type { OperationName } from '../../shared/gateway/operations.ts';
import {
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
import type { Me, OperationAnswer, OperationList, OperationSummary, Settlement } from './read.ts';

export const isMe: Guard<Me> = object<Me>({
  name: text,
  scopes: list(text),
  accounts: list(object<Me['accounts'][number]>({ id: text, name: text, live: flag })),
  confirm_above: optional(record(text)),
  csrf: text,
});

export const isChange: Guard<Change> = object<Change>({ type: text, subject: text, order_no: optional(text) });
export const isChanges: Guard<Changes> = object<Changes>({ changes: list(isChange), next: text });

export const isOperationName = oneOf<OperationName>({
  direct_payment: true,
  apm_payment: true,
  refund: true,
  review: true,
  capture: true,
  cancel: true,
  query: true,
  refund_search: true,
  subscription_cancel: true,
  payout: true,
});

const itemOutcome = oneOf<'succeeded' | 'failed' | 'unknown'>({ succeeded: true, failed: true, unknown: true });

type Unknown = NonNullable<OperationAnswer['unknown']>;
const isOperationUnknown: Guard<Unknown> = object<Unknown>({
  reason: text,
  since: text,
  looks: optional(number),
  next_look_at: optional(text),
  last_look: optional(
    object<NonNullable<Unknown['last_look']>>({
      at: text,
      found: oneOf({ absent: true, ambiguous: true, undecided: true, search_unanswered: true, search_refused: true }),
    }),
  ),
  needs_attention: flag,
});

const isSettlement: Guard<Settlement> = object<Settlement>({
  by: oneOf({ person: true, refund_search: true }),
  who: optional(text),
  items: list(itemOutcome),
  note: optional(text),
});

export const isOperationStatus = oneOf<OperationAnswer['status']>({
  in_flight: true,
  answered: true,
  refused: true,
  not_sent: true,
  unknown: true,
  settled: true,
});

export const isItemOutcome = itemOutcome;

type Evidence = { http_status?: number; body?: string };
export const isEvidence: Guard<Evidence> = object<Evidence>({ http_status: optional(number), body: optional(text) });

const summary: { readonly [Key in keyof Required<OperationSummary>]: Guard<OperationSummary[Key]> } = {
  id: text,
  operation: isOperationName,
  status: isOperationStatus,
  created_at: text,
  by: text,
  settled_at: optional(text),
  request: record(anything),
  items: optional(list(itemOutcome)),
  references: optional(list(text)),
  unknown: optional(isOperationUnknown),
  payout: optional(
    object<NonNullable<OperationAnswer['payout']>>({
      payout_status: optional(text),
      notifications: number,
      notified_at: optional(text),
    }),
  ),
  settlement: optional(isSettlement),
};

export const isOperation: Guard<OperationAnswer> = object<OperationAnswer>({
  ...summary,
  answer: optional(record(anything)),
  evidence: optional(isEvidence),
});
export const isOperationList: Guard<OperationList> = object<OperationList>({
  operations: list(object<OperationSummary>(summary)),
  next: optional(text),
});

type Delivery = EventAnswer['delivery'];
export const isDelivery: Guard<Delivery> = either<Delivery>(
  object<Extract<Delivery, { status: 'pending' }>>({
    status: exactly('pending'),
    tries: number,
    next_try_at: text,
    first_try_at: optional(text),
    fault: optional(text),
  }),
  object<Extract<Delivery, { status: 'delivered' }>>({
    status: exactly('delivered'),
    tries: number,
    delivered_at: text,
  }),
  object<Extract<Delivery, { status: 'failed' }>>({
    status: exactly('failed'),
    tries: number,
    failed_at: text,
    reason: text,
  }),
  object<Extract<Delivery, { status: 'acknowledged' }>>({
    status: exactly('acknowledged'),
    tries: number,
    failed_at: text,
    reason: text,
    acknowledged_at: text,
    by: text,
  }),
);

export const isEvent: Guard<EventAnswer> = object<EventAnswer>({
  id: text,
  type: text,
  subject: text,
  created_at: text,
  delivery: isDelivery,
  data: record(anything),
});
export const isEventList: Guard<EventList> = object<EventList>({ events: list(isEvent), next: optional(text) });
export const isRedelivered: Guard<Redelivered> = object<Redelivered>({ redelivered: number, next: optional(text) });

const auditEntry: Guard<AuditEntry> = object<AuditEntry>({
  id: text,
  at: text,
  by: text,
  action: text,
  subject: optional(text),
  orders: optional(list(text)),
  ip: optional(text),
  request_id: text,
  problem: optional(text),
});
export const isAuditList: Guard<AuditList> = object<AuditList>({ entries: list(auditEntry), next: optional(text) });
