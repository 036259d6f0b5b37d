import type { TimelineEntry } from '../../shared/api/timeline.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { type ItemOutcome, itemsOf, type Operation } from '../payments/operations/operation.ts';
import type { Order } from '../payments/order.ts';
import type { KeptNotification } from '../store/facets/notifications.ts';
import type { OutboxEvent } from '../store/facets/outbox.ts';
import { operationAnswer } from '../webhooks/operation-answer.ts';
import { attemptAnswer } from '../webhooks/session-answer.ts';

/** The most entries of a kind that a timeline is made of. */
export const MAX_ENTRIES = 200;

/** What is known of an order beside itself. */
type Known = {
  notifications: readonly KeptNotification[];
  events: readonly OutboxEvent[];
  operations: readonly Operation[];
};

/** All that happened to an order, the oldest first. */
export function timelineOf(order: Order, known: Known): { entries: TimelineEntry[]; isTruncated: boolean } {
  const { notifications, events, operations } = known;
  const entries = [
    ...ofSessions(order),
    ...ofQueries(order),
    ...notifications.map(ofNotification),
    ...events.slice(0, MAX_ENTRIES).map(ofEvent),
    ...operations.map((operation) => ofOperation(order, operation)),
  ];
  const isTruncated = [notifications, events, operations].some(({ length }) => length >= MAX_ENTRIES);
  return { entries: entries.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)), isTruncated };
}

function ofSessions({ sessions, attempts }: Order): TimelineEntry[] {
  return [
    ...sessions.flatMap(({ id, created_at, settled }): TimelineEntry[] => [
      { type: 'session', at: created_at, session_id: id },
      ...(settled
        ? [
            {
              type: 'settled' as const,
              ...{ at: settled.at, session_id: id, by: settled.by, note: settled.note },
              ...(settled.outcome ? { outcome: settled.outcome } : {}),
            },
          ]
        : []),
    ]),
    ...attempts.map(
      (one): TimelineEntry => ({
        type: 'attempt',
        at: one.started_at,
        session_id: one.session_id,
        attempt: attemptAnswer(one),
      }),
    ),
  ];
}

function ofQueries({ queries, next_query_at }: Order): TimelineEntry[] {
  return [
    ...(queries.last ? [{ type: 'query' as const, ...queries.last }] : []),
    ...(next_query_at === undefined ? [] : [{ type: 'next_query' as const, at: next_query_at }]),
  ];
}

function ofNotification({
  subject,
  received_at,
  last_at,
  times,
  verified,
  fields,
  told_at,
}: KeptNotification): TimelineEntry {
  return {
    type: 'notification',
    at: received_at,
    session_id: subject,
    times,
    last_at,
    verified,
    fields: { ...fields },
    ...(told_at === undefined ? {} : { told_at }),
  };
}

function ofEvent({ id, type, subject, created_at, delivery }: OutboxEvent): TimelineEntry {
  return { type: 'webhook', at: created_at, id, event: type, subject, delivery };
}

function ofOperation(order: Order, operation: Operation): TimelineEntry {
  const { id, operation: name, status, created_at, by, settled_at, unknown, settlement } = operationAnswer(operation);
  return {
    type: 'operation',
    at: created_at,
    id,
    operation: name,
    status,
    by,
    ...(settled_at === undefined ? {} : { settled_at }),
    items: itemsAbout(order, operation),
    ...(unknown ? { unknown } : {}),
    ...(settlement ? { settlement } : {}),
  };
}

/** One item of an operation, as it was asked for, and what became of it where that is known. */
type Item = { request: Message; outcome?: ItemOutcome; reference?: string };

/** The items of an operation that are about an order. What is not known yet is `unknown`. */
export function itemsAbout(order: Order, operation: Operation): Item[] {
  const { references = [], state } = operation;
  const outcomes = outcomesOf(state);
  const ids = new Set([...order.payments, ...order.attempts].flatMap(({ transaction_id }) => transaction_id ?? []));
  const contracts = new Set(order.payments.flatMap(({ recurring_id }) => recurring_id ?? []));
  return itemsOf(operation).flatMap((item, at): Item[] => {
    const { order_no, transaction_id, recurring_id } = item;
    const isOwn = order_no === order.order_no || ids.has(String(transaction_id)) || contracts.has(String(recurring_id));
    const [outcome, reference] = [outcomes(at), references[at]];
    if (!isOwn) return [];
    return [
      { request: { ...item }, ...(outcome ? { outcome } : {}), ...(reference === undefined ? {} : { reference }) },
    ];
  });
}

function outcomesOf(state: Operation['state']): (at: number) => ItemOutcome | undefined {
  switch (state.status) {
    case 'answered':
      return (at) => state.items[at];
    case 'settled':
      return (at) => state.settlement.items[at];
    case 'not_sent':
      return () => 'failed';
    case 'refused':
      return () => (state.reserved ? 'unknown' : 'failed');
    case 'in_flight':
    case 'unknown':
      return () => 'unknown';
  }
}
