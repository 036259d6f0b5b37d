import type { Attempt } from './attempt.ts';
import type { Order } from './order.ts';
import type { Session } from './session.ts';
import { type Decision, holdOf, moveSession } from './transitions.ts';

/**
 * Begins an attempt: it is in flight, and its session is processing. The session may be new to the order, or carry what the
 * shopper filled in.
 */
export function startAttempt(order: Order, session: Session, attempt: Attempt): Decision {
  const isKnown = order.sessions.some(({ id }) => id === session.id);
  const sessions = isKnown
    ? order.sessions.map((one) => (one.id === session.id ? session : one))
    : [...order.sessions, session];
  // Nothing is asked while a payment is being sent.
  const { next_query_at: _, ...rest } = order;
  const begun = { ...rest, sessions, attempts: [...order.attempts, attempt] };
  const decision = { order: { ...begun, hold: holdOf(begun) }, events: [] };
  return moveSession(decision, session.id, { status: 'processing', attempt_id: attempt.id }, 'pay');
}
