import type { Attempt } from '../payments/attempt.ts';
import type { Order } from '../payments/order.ts';
import { needsPerson, type Session, type Terms } from '../payments/session.ts';

/** What a write of an order changes: rows to add, and rows to replace with the version that they must still have. */
export type OrderChanges = {
  newSessions: readonly Session[];
  changedSessions: readonly Session[];
  newAttempts: readonly Attempt[];
  changedAttempts: readonly Attempt[];
};

/** Compares an order as it was read with what it is to be. A changed session carries its next version. */
export function changesOf(before: Order, after: Order): OrderChanges {
  const sessions = new Map(before.sessions.map((session) => [session.id, session]));
  const attempts = new Map(before.attempts.map((attempt) => [attempt.id, attempt]));
  return {
    newSessions: after.sessions.filter(({ id }) => !sessions.has(id)),
    changedSessions: after.sessions
      .filter((session) => sessions.has(session.id) && sessions.get(session.id) !== session)
      .map((session) => ({ ...session, version: (sessions.get(session.id)?.version ?? 0) + 1 })),
    newAttempts: after.attempts.filter(({ id }) => !attempts.has(id)),
    changedAttempts: after.attempts.filter((one) => attempts.has(one.id) && attempts.get(one.id) !== one),
  };
}

/** What of an order stands in one JSON column. */
export type OrderData = Pick<Order, 'payments' | 'wasPaid' | 'undecided' | 'decided' | 'queries' | 'noticed'>;

/** The JSON column of an order. */
export function orderData({ payments, wasPaid, undecided, decided, queries, noticed }: Order): string {
  const data: OrderData = {
    payments,
    ...(wasPaid ? { wasPaid } : {}),
    ...(undecided ? { undecided } : {}),
    ...{ decided, queries, noticed },
  };
  return JSON.stringify(data);
}

/** The columns of a session that the store itself searches. Times are ISO 8601 in UTC. */
export function sessionFigures(session: Session): { unknown_since: string | null; needs_attention: boolean } {
  const { state } = session;
  return {
    unknown_since: state.status === 'unknown' ? state.search.since : null,
    needs_attention: needsPerson(session),
  };
}

/** No refund can name a longer transaction_id, and no index can hold one that is much longer. */
const MAX_REFUNDABLE_ID = 255;

/** The payments that the write adds or changes, by whose transaction_id refunds find what was paid. */
export function transactionsOf(before: Order, after: Order): Order['payments'] {
  const known = new Set(before.payments);
  return after.payments.filter((payment) => !known.has(payment) && isRefundable(payment));
}

/** The transaction_ids that the write takes from the order: a person told them, and the gateway proved others. */
export function droppedTransactions(before: Order, after: Order): string[] {
  const kept = new Set(after.payments.map(({ transaction_id }) => transaction_id));
  return before.payments
    .filter((payment) => !kept.has(payment.transaction_id) && isRefundable(payment))
    .map(({ transaction_id }) => transaction_id);
}

function isRefundable({ transaction_id }: Order['payments'][number]): boolean {
  return transaction_id.length <= MAX_REFUNDABLE_ID && !transaction_id.includes('\0');
}

/** The order as it stands in the store once a change of it is written. */
export function writtenOrder(before: Order, after: Order): Order {
  const changed = new Map(changesOf(before, after).changedSessions.map((session) => [session.id, session]));
  return {
    ...after,
    version: before.version + 1,
    sessions: after.sessions.map((session) => changed.get(session.id) ?? session),
  };
}

/** True for terms of which nothing changed but what the shopper filled in. */
export function isSameTerms({ filled: _, ...terms }: Terms, before: Terms | undefined): boolean {
  if (!before) return false;
  const { filled: __, ...fixed } = before;
  const then = new Map(Object.entries(fixed));
  const now = Object.entries(terms);
  return now.length === then.size && now.every(([name, value]) => then.get(name) === value);
}
