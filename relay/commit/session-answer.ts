import type { OrderAnswer, OrderStatus } from '../../shared/api/order.ts';
import type { AttemptAnswer, SessionAnswer } from '../../shared/api/session.ts';
import type { Order } from '../../shared/checkout/session.ts';
import { fromMinor } from '../../shared/gateway/amounts.ts';
import type { Refunded } from '../context/context.ts';
import type { UnknownReason } from '../gateway/outcome.ts';
import { amountDue, isOrderChanged } from '../payments/amount-due.ts';
import type { Attempt, NotPaidReason } from '../payments/attempt.ts';
import { type OrderPayment, provedPayments, type SeenRecord, type StoredOrder } from '../payments/order.ts';
import type { Search, Session, SessionState } from '../payments/session.ts';
import { canAbandon } from '../payments/session-steps.ts';

/**
 * A session for its shop: the answer of `GET /v1/sessions/:id` and, without the sums that were `refunded` since, the
 * data of webhooks.
 */
export function sessionAnswer(order: StoredOrder, session: Session, now: Date, refunded?: Refunded): SessionAnswer {
  const { state, settled } = session;
  const sum = amountDue(session, order.attempts);
  const isOver = state.status === 'open' && Date.parse(session.expires_at) <= now.getTime();
  return {
    id: session.id,
    status: isOver ? 'expired' : state.status,
    order_no: session.order_no,
    ...sum,
    ...(isOrderChanged(session, order.attempts) ? { order_changed: true } : {}),
    ...refundedAnswer(state, sum.currency, refunded),
    created_at: session.created_at,
    expires_at: session.expires_at,
    ...givenAnswer(session),
    attempts: order.attempts.filter((attempt) => attempt.session_id === session.id).map(attemptAnswer),
    ...('result' in state && state.result ? { result: state.result } : {}),
    ...('reason' in state && state.reason ? { reason: state.reason } : {}),
    ...('needs_attention' in state && state.needs_attention ? { needs_attention: true } : {}),
    ...('withdrawn_by' in state && state.withdrawn_by ? { withdrawn_by: state.withdrawn_by } : {}),
    ...(settled ? { settled } : {}),
    ...stateAnswer(order, state, now),
  };
}

/** The shop's values of a session, in the form of answers. */
export function givenAnswer(session: Session): Pick<SessionAnswer, 'order' | 'metadata'> {
  return { order: shownOrder(session.terms.order), ...metadataOf(session) };
}

/** The shop's metadata of a session. */
export function metadataOf({ terms: { metadata } }: Session): Pick<SessionAnswer, 'metadata'> {
  return metadata === undefined ? {} : { metadata: { ...metadata } };
}

/** The content of a document's file is left out: it is long, and the shop has it. */
function shownOrder(order: Order): Order {
  if (order.person?.documents?.file_data === undefined) return order;
  const { file_data: _, ...documents } = order.person.documents;
  return { ...order, person: { ...order.person, documents } };
}

function refundedAnswer(state: SessionState, currency: string, refunded: Refunded | undefined): Partial<SessionAnswer> {
  const sum = state.status === 'approved' ? refunded?.get(state.transaction_id) : undefined;
  return sum === undefined ? {} : { refunded: fromMinor(sum, currency) };
}

function stateAnswer(order: StoredOrder, state: SessionState, now: Date): Partial<SessionAnswer> {
  switch (state.status) {
    case 'approved':
      return approvedAnswer(order, state);
    case 'pending': {
      const { transaction_id } = state;
      const named = transaction_id === undefined ? {} : { transaction_id };
      return { pending: { ...searchAnswer(order, state.search, now), ...named, can_abandon: canAbandon(order) } };
    }
    case 'unknown': {
      const { reason, last_look } = state.search;
      const last = last_look ? { last_query: last_look } : {};
      return { unknown: { reason, ...searchAnswer(order, state.search, now), ...last } };
    }
    default:
      return {};
  }
}

function approvedAnswer(
  order: StoredOrder,
  state: Extract<SessionState, { status: 'approved' }>,
): Partial<SessionAnswer> {
  const { transaction_id, card, recurring_id, details } = state;
  const all = [...new Set(provedPayments(order).map((payment) => payment.transaction_id))];
  return {
    transaction_id,
    ...(card ? { card } : {}),
    ...(recurring_id ? { recurring_id } : {}),
    ...details,
    ...(all.length > 1 ? { paid_twice: all } : {}),
  };
}

function searchAnswer({ next_query_at }: StoredOrder, search: Search, now: Date) {
  const { since, looks, needs_attention } = search;
  return { since, next_query_at: next_query_at ?? now.toISOString(), queries: looks, needs_attention };
}

/** For shops, an attempt that was abandoned and one whose shopper returned without a record are the same. */
function shownReason(reason: UnknownReason | NotPaidReason): string {
  return reason === 'not_found' ? 'abandoned' : reason;
}

/** An attempt for its shop. */
export function attemptAnswer(attempt: Attempt): AttemptAnswer {
  const { id, method, card, amount, currency, device_fingerprint, started_at, settled_at, transaction_id, state } =
    attempt;
  return {
    id,
    status: state.status,
    method,
    ...(card ? { card } : {}),
    amount,
    currency,
    ...(device_fingerprint ? { device_fingerprint } : {}),
    started_at,
    ...(settled_at ? { settled_at } : {}),
    ...(transaction_id ? { transaction_id } : {}),
    ...('result' in state && state.result ? { result: state.result } : {}),
    ...('reason' in state && state.reason ? { reason: shownReason(state.reason) } : {}),
    ...('evidence' in state && Object.keys(state.evidence).length > 0 ? { evidence: state.evidence } : {}),
  };
}

/** An order for its shop. */
export function orderAnswer(order: StoredOrder, status: OrderStatus, now: Date, refunded: Refunded): OrderAnswer {
  const { order_no, payments, queries, next_query_at, undecided, sessions } = order;
  return {
    order_no,
    status,
    payments: payments.map((payment) => provedAnswer(order, payment)),
    ...(queries.last ? { last_query: queries.last } : {}),
    ...(next_query_at === undefined ? {} : { next_query_at }),
    ...(undecided ? { undecided: { ...undecided, records: undecided.records.map(recordAnswer) } } : {}),
    sessions: sessions.map((session) => sessionAnswer(order, session, now, refunded)),
  };
}

function recordAnswer({ transaction_id, attempt_id: _, ...record }: SeenRecord) {
  return { ...(transaction_id === '' ? {} : { transaction_id }), ...record };
}

/** A payment of an order, and its proof. */
export function provedAnswer(
  { attempts }: StoredOrder,
  { transaction_id, amount, currency, attempt_id, proof, also_paid }: OrderPayment,
): OrderAnswer['payments'][number] {
  const session_id = attempts.find(({ id }) => id === attempt_id)?.session_id;
  return {
    transaction_id,
    amount,
    currency,
    ...(session_id === undefined ? {} : { session_id }),
    ...(attempt_id === undefined ? {} : { attempt_id }),
    proof,
    ...(also_paid === undefined ? {} : { also_paid }),
  };
}
