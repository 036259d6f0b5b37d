import type { OrderDetail } from '../../shared/api/order.ts';
import type { TimelineEntry } from '../../shared/api/timeline.ts';
import { fromMinor, minorUnits } from '../../shared/gateway/amounts.ts';
import { itemMessage } from '../../shared/gateway/item-message.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { operationAnswer } from '../commit/operation-answer.ts';
import { paymentsAnswer } from '../commit/payment-answer.ts';
import { attemptAnswer, orderAnswer } from '../commit/session-answer.ts';
import { rulesOf } from '../config/rules.ts';
import { type Context, refundedOf } from '../context/context.ts';
import { historiesOf } from '../context/histories.ts';
import { orderStatusOf, paidTwice, standingsOf } from '../payments/ledger/order-status.ts';
import { type ItemOutcome, itemsOf, outcomeAt, type StoredOperation } from '../payments/operations/operation.ts';
import { type StoredOrder, transactionIdsOf } from '../payments/order.ts';
import type { OrderNote } from '../store/facets/notes.ts';
import type { KeptNotification } from '../store/facets/notifications.ts';
import type { OutboxEvent } from '../store/facets/outbox.ts';
import { refreshNow } from './find.ts';
import { noteAnswer } from './notes.ts';
import { operationTermsOf } from './search-terms.ts';
import { headlineOf } from './summary.ts';

/** An order with its sums and its timeline. Throws StoreError. */
export async function orderDetail(context: Context, order: StoredOrder): Promise<OrderDetail> {
  const [money, timeline] = await Promise.all([orderMoney(context, order), timelineAnswer(context, order)]);
  return { ...money, ...timeline };
}

async function operationsOf(context: Context, order: StoredOrder): Promise<StoredOperation[]> {
  // An operation that began a moment ago must be found by its order.
  await refreshNow(context);
  return context.store.listing.operationsOf(order.account, operationTermsOf(order), MAX_ENTRIES);
}

async function timelineAnswer(
  context: Context,
  order: StoredOrder,
): Promise<Pick<OrderDetail, 'timeline' | 'truncated'>> {
  const { account } = order;
  const operations = await operationsOf(context, order);
  const sessions = order.sessions.map(({ id }) => id);
  // A payment without a session of the relay has its own events.
  const others = order.payments.flatMap((one) => (one.attempt_id === undefined ? [one.transaction_id] : []));
  const subjects = [...sessions, ...others, ...operations.map(({ id }) => id)];
  const [notifications, notes, ...events] = await Promise.all([
    context.store.notifications.list(sessions, MAX_ENTRIES),
    context.store.notes.list(order, MAX_ENTRIES),
    ...subjects
      .slice(0, MAX_ENTRIES)
      .map((subject) => context.store.outbox.list({ account, subject, limit: MAX_ENTRIES })),
  ]);
  const known = { notifications, notes, events: events.flat(), operations };
  const { entries, isTruncated } = timelineOf(order, known);
  return { timeline: entries, ...(isTruncated ? { truncated: true } : {}) };
}

/** An order with its sums only. Throws StoreError. */
export async function orderMoney(context: Context, order: StoredOrder): Promise<OrderDetail> {
  const refunded = await refundedOf(context, order);
  const histories = await historiesOf(context, order.account, transactionIdsOf(order), refunded);
  const rules = rulesOf(context.config);
  const standings = standingsOf(order, histories, rules);
  const payments = paymentsAnswer(order, histories, rules);
  const { created_at, amount, currency, needs_attention } =
    headlineOf(order, { standings, rules, now: context.now() }) ?? withoutSessions(order);
  const own = payments.filter((one) => one.currency === currency);
  const twice = paidTwice(standings, histories);
  const total = (...sums: ('captured' | 'refunded' | 'refund_undecided' | 'refundable')[]): string =>
    fromMinor(
      own.flatMap((one) => sums.map((sum) => minorUnits(one[sum], currency))).reduce((all, one) => all + one, 0n),
      currency,
    );
  return {
    ...orderAnswer(order, orderStatusOf(order, standings), context.now(), refunded),
    created_at,
    amount,
    currency,
    needs_attention,
    payments,
    ...(twice ? { paid_twice: twice } : {}),
    captured: total('captured'),
    refunded: total('refunded', 'refund_undecided'),
    refund_undecided: total('refund_undecided'),
    refundable: total('refundable'),
  };
}

/** The data about an order whose sessions are deleted. */
function withoutSessions({ payments }: StoredOrder) {
  const [payment] = payments;
  return {
    created_at: payment?.date ?? new Date(0).toISOString(),
    amount: payment?.amount ?? '0.00',
    currency: payment?.currency ?? '',
    needs_attention: false,
  };
}

/** The maximum number of entries of a kind in a timeline. */
const MAX_ENTRIES = 200;

/** The data about an order from other facets. */
type Known = {
  notifications: readonly KeptNotification[];
  notes: readonly OrderNote[];
  events: readonly OutboxEvent[];
  operations: readonly StoredOperation[];
};

/** The timeline of an order, oldest first. */
function timelineOf(order: StoredOrder, known: Known): { entries: TimelineEntry[]; isTruncated: boolean } {
  const { notifications, notes, events, operations } = known;
  const entries = [
    ...ofSessions(order),
    ...ofPayments(order),
    ...ofQueries(order),
    ...notes.map((note) => ({ type: 'note' as const, ...noteAnswer(note) })),
    ...notifications.map(ofNotification),
    ...events.slice(0, MAX_ENTRIES).map(ofEvent),
    ...operations.map((operation) => ofOperation(order, operation)),
  ];
  const isTruncated = [notifications, notes, events, operations].some(({ length }) => length >= MAX_ENTRIES);
  return { entries: entries.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)), isTruncated };
}

function ofSessions({ sessions, attempts }: StoredOrder): TimelineEntry[] {
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

/** The last decision of a person about each payment. */
function ofPayments({ payments }: StoredOrder): TimelineEntry[] {
  return payments.flatMap(({ transaction_id, decided }): TimelineEntry[] => {
    if (!decided) return [];
    const { at, by, note, outcome } = decided;
    return [{ type: 'settled', at, transaction_id, by, note, outcome }];
  });
}

function ofQueries({ queries, next_query_at }: StoredOrder): TimelineEntry[] {
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

function ofOperation(order: StoredOrder, operation: StoredOperation): TimelineEntry {
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

/** One requested item of an operation, with its outcome if that is known. */
type Item = { request: Message; outcome?: ItemOutcome; message?: string; reference?: string };

/** The items of an operation on an order. An undecided outcome is `unknown`. */
export function itemsAbout(order: StoredOrder, operation: StoredOperation): Item[] {
  const { references = [], state } = operation;
  const ids = new Set([...order.payments, ...order.attempts].flatMap(({ transaction_id }) => transaction_id ?? []));
  const contracts = new Set(order.payments.flatMap(({ recurring_id }) => recurring_id ?? []));
  return itemsOf(operation).flatMap((item, at): Item[] => {
    const { order_no, transaction_id, recurring_id } = item;
    const isOwn = order_no === order.order_no || ids.has(String(transaction_id)) || contracts.has(String(recurring_id));
    const [outcome, reference] = [outcomeAt(state, at), references[at]];
    if (!isOwn) return [];
    const message = 'answer' in state ? itemMessage(state.answer, item) : undefined;
    return [
      {
        request: { ...item },
        ...(outcome ? { outcome } : {}),
        ...(message === undefined ? {} : { message }),
        ...(reference === undefined ? {} : { reference }),
      },
    ];
  });
}
