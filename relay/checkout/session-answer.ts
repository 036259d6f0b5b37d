import type { SessionAnswer } from '../../shared/api/session.ts';
import type { Attempt, Session } from './session.ts';

/** A session as its shop sees it: what `GET /v1/sessions/:id` answers and what webhooks carry. */
export function sessionAnswer(session: Session, attempts: readonly Attempt[], now: Date): SessionAnswer {
  const { state, terms } = session;
  const isOver = state.status === 'open' && Date.parse(session.expires_at) <= now.getTime();
  return {
    id: session.id,
    status: isOver ? 'expired' : state.status,
    order_no: session.order_no,
    currency: terms.order.currency,
    amount: terms.order.amount,
    revision: session.revision,
    created_at: session.created_at,
    expires_at: session.expires_at,
    attempts: attempts.filter((attempt) => attempt.session_id === session.id).map(attemptAnswer),
    ...('result' in state && state.result ? { result: state.result } : {}),
    ...(state.status === 'approved' ? approvedAnswer(state) : {}),
    ...(state.status === 'unknown' ? { unknown: searchAnswer(state.search) } : {}),
  };
}

function approvedAnswer(state: Extract<Session['state'], { status: 'approved' }>): Partial<SessionAnswer> {
  const { transaction_id, card, recurring_id } = state;
  return { transaction_id, ...(card ? { card } : {}), ...(recurring_id ? { recurring_id } : {}) };
}

function searchAnswer(search: Extract<Session['state'], { status: 'unknown' }>['search']): SessionAnswer['unknown'] {
  const { reason, since, next_look_at, looks, needs_attention } = search;
  return { reason, since, next_look_at, looks, needs_attention };
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
  };
}
