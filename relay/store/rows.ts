import type { Reconciliation } from '../../shared/api/reconciliation.ts';
import { type KnownPayment, withRemembered } from '../payments/ledger/accounting.ts';
import type { PaymentOperation } from '../payments/ledger/payment-operation.ts';
import type { StoredOperation } from '../payments/operations/operation.ts';
import type { StoredOrder } from '../payments/order.ts';
import type { Session } from '../payments/session.ts';
import type { KeptNotification, ReportedNotifications, WaitingNotification } from './facets/notifications.ts';
import type {
  Delivery,
  EndpointDelivery,
  EventFacts,
  NewEvent,
  OutboxEvent,
  Pending,
  PendingEvent,
} from './facets/outbox.ts';
import type { AuditRecord, StoredAuditEntry } from './facets/people.ts';
import { orderDataFrom } from './order-changes.ts';
import { parsed, type Row } from './row.ts';

/**
 * The columns of a session. Never `*`: a newer relay may add columns while this one runs, and each costs as much to
 * read as one of these.
 */
export const sessionColumns =
  'id, account, order_no, created_at, expires_at, revision, version, terms, filled, state, settled';

/** The session in a row of `sessions`. */
export function sessionFrom(row: Row): Session {
  return {
    id: String(row.id),
    account: String(row.account),
    order_no: String(row.order_no),
    created_at: String(row.created_at),
    expires_at: String(row.expires_at),
    revision: Number(row.revision),
    version: Number(row.version),
    terms: termsFrom(row),
    state: parsed(row.state),
    ...(typeof row.settled === 'string' ? { settled: parsed(row.settled) } : {}),
  };
}

/** The terms of a session; the shopper's values are in a separate column. */
function termsFrom({ terms, filled }: Row): Session['terms'] {
  const fixed = parsed<Session['terms']>(terms);
  return typeof filled === 'string' ? { ...fixed, filled: parsed(filled) } : fixed;
}

/** The order with the columns of its row in `orders`. An order without a row is free. */
export function withRow(order: StoredOrder, row: Row | undefined): StoredOrder {
  if (typeof row?.data !== 'string') return order;
  return {
    ...order,
    ...orderDataFrom(parsed(row.data)),
    version: Number(row.version),
    hold: parsed(`"${row.hold}"`),
    notices: Number(row.notices),
    ...(typeof row.next_query_at === 'string' ? { next_query_at: row.next_query_at } : {}),
    ...(typeof row.planned_at === 'string' ? { planned_at: row.planned_at } : {}),
  };
}

/** The contents of the event in a row of `events`. */
function eventFactsFrom(row: Row): EventFacts {
  return {
    id: String(row.id),
    account: String(row.account),
    subject: String(row.subject),
    type: parsed(`"${row.type}"`),
    created_at: String(row.created_at),
    body: String(row.body),
  };
}

/**
 * The endpoint column without an endpoint: in the row of an event that no endpoint wants, or that has one row for each
 * of several endpoints.
 */
export const NO_ENDPOINT = '';

/**
 * The rows of a new event. An event with one endpoint is one row, which is also its delivery. An event with several
 * endpoints has a row with the combined state of its deliveries (`wholeDelivery`), and one row for each delivery, with
 * the event's id in `event_id`.
 */
export function newEventRows({ endpoints, ...event }: NewEvent) {
  const [endpoint, ...others] = endpoints;
  const row = { ...event, event_id: null, endpoint: NO_ENDPOINT };
  if (endpoint === undefined) return [{ ...row, ...deliveryColumns({ status: 'kept', tries: 0 }) }];
  const pending: Pending = { status: 'pending', tries: 0, next_try_at: event.created_at };
  if (others.length === 0) return [{ ...row, endpoint, ...deliveryColumns(pending) }];
  return [
    { ...row, ...deliveryColumns(wholeDelivery(endpoints.map((one) => ({ endpoint: one, delivery: pending })))) },
    ...endpoints.map((one) => ({
      ...{ ...row, id: deliveryId(event.id, one), event_id: event.id, endpoint: one },
      ...deliveryColumns(pending),
    })),
  ];
}

/** The id of a delivery with a row of its own. Ids of events contain no slash. */
export const deliveryId = (event: string, endpoint: string): string => `${event}/${endpoint}`;

/** The columns of a delivery. */
function deliveryColumns(delivery: Delivery): { status: Delivery['status']; delivery: string } {
  return { status: delivery.status, delivery: JSON.stringify(delivery) };
}

const byAttention = ['failed', 'pending', 'acknowledged', 'delivered', 'kept'] as const;

/** The combined state of an event's deliveries: the one that needs most attention, and all of them. */
export function wholeDelivery(
  deliveries: readonly EndpointDelivery[],
): Delivery & { deliveries: readonly EndpointDelivery[] } {
  const [first] = byAttention.flatMap((status) => deliveries.filter(({ delivery }) => delivery.status === status));
  return { ...(first?.delivery ?? { status: 'kept', tries: 0 }), deliveries };
}

/** The event in its own row of `events`. */
export function eventFrom(row: Row): OutboxEvent {
  const { deliveries, ...delivery } = parsed<Delivery & Partial<Pick<OutboxEvent, 'deliveries'>>>(row.delivery);
  const endpoint = String(row.endpoint);
  const own = endpoint === NO_ENDPOINT ? [] : [{ endpoint, delivery }];
  return { ...eventFactsFrom(row), delivery, deliveries: deliveries ?? own };
}

/** The pending delivery in a row of `events`. */
export function pendingFrom(row: Row): PendingEvent {
  return {
    ...eventFactsFrom(row),
    endpoint: String(row.endpoint),
    ...(typeof row.event_id === 'string' ? { event_id: row.event_id } : {}),
    delivery: parsed(row.delivery),
  };
}

/** The waiting notification in a row of `notifications`. */
export function waitingNotificationFrom(row: Row): WaitingNotification {
  return {
    subject: String(row.subject),
    account: String(row.account),
    received_at: String(row.received_at),
    sha256: String(row.sha256),
    notice: parsed(row.notice),
  };
}

/** The notification in a row of `notifications`, reported or not. */
export function notificationFrom(row: Row): KeptNotification {
  return {
    subject: String(row.subject),
    received_at: String(row.received_at),
    last_at: String(row.last_at),
    times: Number(row.times),
    bytes: Number(row.bytes),
    fields: parsed(row.fields),
    // SQLite's booleans are numbers.
    verified: Number(row.verified) === 1,
    ...(typeof row.told_at === 'string' ? { told_at: row.told_at } : {}),
  };
}

/** The numbers of reported notifications in a row of counts. */
export function reportedFrom({ subject, verified, count }: Row): ReportedNotifications {
  // SQLite's booleans are numbers.
  return { subject: String(subject), verified: Number(verified) === 1, count: Number(count) };
}

/** The entry in a row of `audit`. */
export function auditFrom({ seq, data }: Row): AuditRecord {
  return { id: String(seq), ...parsed<StoredAuditEntry>(data) };
}

/** The operation in a row of `operations`. */
export function operationFrom(row: Row): StoredOperation {
  return parsed(row.data);
}

/** The report in a row of `reconciliations`. */
export function reconciliationFrom(row: Row): Reconciliation {
  return parsed(row.data);
}

/**
 * The data about a payment and its refunds, from a row with amounts as text: its source, the sum of stored refunds, and
 * the sums of deleted ones.
 */
export function refundedPaymentFrom(row: Row): KnownPayment {
  const { paid_amount, paid_currency, sum, original, currency, past_sum, past_original, past_currency } = row;
  const known: KnownPayment = {
    ...(typeof paid_amount === 'string' ? { paid: { amount: paid_amount, currency: String(paid_currency) } } : {}),
    ...(typeof sum === 'string' ? { sum: BigInt(sum) } : {}),
    ...(typeof original === 'string' ? { original: BigInt(original) } : {}),
    ...(typeof currency === 'string' ? { currency } : {}),
  };
  if (typeof past_sum !== 'string') return known;
  const past = { sum: BigInt(past_sum), original: BigInt(String(past_original)), currency: String(past_currency) };
  return withRemembered(known, past);
}

/** The columns of an operation on a payment. */
export const paymentOperationColumns = [
  'transaction_id',
  'operation_id',
  'name',
  'amount',
  'currency',
  'flag',
  'outcome',
  'refused_at',
] as const;

/** The operation on a payment in a row of `payment_operations`. */
export function paymentOperationFrom({ flag, refused_at, ...row }: Row): PaymentOperation {
  const { transaction_id, operation_id, name, amount, currency, outcome } = row;
  return {
    ...{ transaction_id: String(transaction_id), operation_id: String(operation_id), name: parsed(`"${name}"`) },
    ...{ amount: String(amount), currency: String(currency), outcome: parsed(`"${outcome}"`) },
    ...(typeof flag === 'string' ? { flag } : {}),
    ...(typeof refused_at === 'string' ? { refused_at } : {}),
  };
}
