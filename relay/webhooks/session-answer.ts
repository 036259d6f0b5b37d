import type { SessionAnswer } from '../../shared/api/session.ts';
import { paymentsOf } from '../payments/paid-twice.ts';
import { type Attempt, type Session, sumOf } from '../payments/session.ts';

/** A session as its shop sees it: what `GET /v1/sessions/:id` answers and what webhooks carry. */
export function sessionAnswer(session: Session, attempts: readonly Attempt[], now: Date): SessionAnswer {
  const { state } = session;
  const isOver = state.status === 'open' && Date.parse(session.expires_at) <= now.getTime();
  return {
    id: session.id,
    status: isOver ? 'expired' : state.status,
    order_no: session.order_no,
    ...sumOf(session, attempts),
    revision: session.revision,
    created_at: session.created_at,
    expires_at: session.expires_at,
    attempts: attempts.filter((attempt) => attempt.session_id === session.id).map(attemptAnswer),
    ...('result' in state && state.result ? { result: state.result } : {}),
    ...(state.status === 'approved' ? approvedAnswer(state, attempts) : {}),
    ...(state.status === 'unknown' ? { unknown: searchAnswer(state.search) } : {}),
  };
}

type Approved = Extract<Session['state'], { status: 'approved' }>;

function approvedAnswer(state: Approved, attempts: readonly Attempt[]): Partial<SessionAnswer> {
  const { transaction_id, card, recurring_id } = state;
  const payments = paymentsOf(attempts).flatMap((attempt) => attempt.transaction_id ?? []);
  const all = [...new Set([...payments, transaction_id, ...(state.paid_twice ?? [])])];
  return {
    transaction_id,
    ...(card ? { card } : {}),
    ...(recurring_id ? { recurring_id } : {}),
    ...(all.length > 1 ? { paid_twice: all } : {}),
  };
}

function searchAnswer(search: Extract<Session['state'], { status: 'unknown' }>['search']): SessionAnswer['unknown'] {
  const { reason, since, next_look_at, looks, needs_attention, last_look } = search;
  return { reason, since, next_look_at, looks, needs_attention, ...(last_look ? { last_look } : {}) };
}

function attemptAnswer(attempt: Attempt): SessionAnswer['attempts'][number] {
  const { id, method, card, amount, currency, started_at, settled_at, transaction_id, state } = attempt;
  return {
    id,
    status: state.status,
    method,
    ...(card ? { card } : {}),
    amount,
    currency,
    started_at,
    ...(settled_at ? { settled_at } : {}),
    ...(transaction_id ? { transaction_id } : {}),
    ...('result' in state && state.result ? { result: state.result } : {}),
    ...('reason' in state ? { reason: state.reason } : {}),
    ...('evidence' in state && Object.keys(state.evidence).length > 0 ? { evidence: state.evidence } : {}),
  };
}
