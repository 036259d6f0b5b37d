import type * as attention from '../../shared/api/attention.ts';
import type * as people from '../../shared/api/console.ts';
import type { EventAnswer } from '../../shared/api/event.ts';
import type * as operation from '../../shared/api/operation.ts';
import type * as order from '../../shared/api/order.ts';
import type * as session from '../../shared/api/session.ts';
import type * as subscription from '../../shared/api/subscription.ts';
import type * as timeline from '../../shared/api/timeline.ts';

/* What the page reads of the relay's answers: these fields are checked as they arrive, and no others can be used. */

/** A page of a list. */
type Page<List extends { next?: string | undefined }, Lists> = Pick<List, 'next'> & Lists;

/** The person, whose scopes may be some of a newer relay's. */
export type Me = Omit<people.Me, 'scopes'> & { scopes: string[] };

/** How an operation was settled; `who` and `note` are a person's. */
export type Settlement = {
  by: NonNullable<operation.OperationAnswer['settlement']>['by'];
  who?: string;
  items: ('succeeded' | 'failed' | 'unknown')[];
  note?: string;
};
export type OperationSummary = Omit<operation.OperationSummary, 'settlement'> & { settlement?: Settlement };
export type OperationAnswer = OperationSummary & Pick<operation.OperationAnswer, 'answer' | 'evidence'>;
export type OperationList = Page<operation.OperationList, { operations: OperationSummary[] }>;

export type OrderSummary = Omit<order.OrderSummary, 'session_id' | 'transaction_id'>;
export type OrderList = Page<order.OrderList, { orders: OrderSummary[] }>;

export type AttemptAnswer = Omit<session.AttemptAnswer, 'id' | 'started_at' | 'settled_at' | 'reason'>;
export type SessionAnswer = Pick<session.SessionAnswer, 'id' | 'status' | 'currency' | 'amount' | 'created_at'> & {
  attempts: AttemptAnswer[];
};
type Entry<Type extends timeline.TimelineEntry['type'], Key extends PropertyKey = never> = Omit<
  Extract<timeline.TimelineEntry, { type: Type }>,
  Key
>;
type OperationEntry = Entry<'operation', 'items' | 'settled_at' | 'unknown' | 'settlement'> & {
  items: Omit<Entry<'operation'>['items'][number], 'reference'>[];
};
export type TimelineEntry =
  | Entry<'session', 'session_id'>
  | (Entry<'attempt', 'session_id' | 'attempt'> & { attempt: AttemptAnswer })
  | Entry<'settled', 'session_id'>
  | Entry<'query', 'counted'>
  | Entry<'next_query'>
  | Entry<'notification', 'session_id' | 'last_at' | 'told_at'>
  | (Entry<'webhook', 'subject' | 'delivery'> & Pick<EventAnswer, 'delivery'>)
  | OperationEntry;
export type Payment = Pick<
  order.OrderWithTimeline['payments'][number],
  'transaction_id' | 'amount' | 'currency' | 'refunded' | 'refundable'
>;
export type OrderWithTimeline = Omit<order.OrderWithTimeline, 'payments' | 'last_query' | 'sessions' | 'timeline'> & {
  payments: Payment[];
  sessions: SessionAnswer[];
  timeline: TimelineEntry[];
};

type Terms = Pick<
  NonNullable<subscription.SubscriptionAnswer['terms']>,
  'contract_amount' | 'interval' | 'interval_count' | 'contract_end'
>;
type Read = 'recurring_id' | 'contract_name' | 'status' | 'order_no' | 'started_at' | 'shopper_email' | 'card';
export type SubscriptionAnswer = Pick<
  subscription.SubscriptionAnswer,
  Read | 'currency' | 'recurring_deduction_period' | 'later_charges' | 'next_charge' | 'notifications'
> & {
  terms?: Terms;
  first_charge: Pick<subscription.SubscriptionAnswer['first_charge'], 'at' | 'amount'>;
  last_charge?: Pick<subscription.SubscriptionAnswer['first_charge'], 'at' | 'amount'>;
  end?: Pick<NonNullable<subscription.SubscriptionAnswer['end']>, 'operation_id' | 'outcome'>;
};
export type SubscriptionList = Page<subscription.SubscriptionList, { subscriptions: SubscriptionAnswer[] }>;

export type AttentionCase = Omit<attention.AttentionCase, 'session_id'>;
export type AttentionGroup = Omit<attention.AttentionGroup, 'oldest' | 'cases'> & { cases: AttentionCase[] };
export type Attention = Pick<attention.Attention, 'at'> & {
  groups: AttentionGroup[];
  reconciliation?: Pick<NonNullable<attention.Attention['reconciliation']>, 'reported_at' | 'orders' | 'total'>;
};
