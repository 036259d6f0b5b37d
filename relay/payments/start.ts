import type { Attempt } from './attempt.ts';
import type { Order, Rules } from './order.ts';
import { scheduled } from './schedule.ts';
import type { Session } from './session.ts';
import { type Decision, holdOf, moveSession } from './transitions.ts';

/**
 * Begins an attempt: it is in flight, and its session is processing. The session may be new to the order, or carry what the
 * shopper filled in.
 */
export function startAttempt(order: Order, session: Session, attempt: Attempt, rules: Rules): Decision {
  const isKnown = order.sessions.some(({ id }) => id === session.id);
  const sessions = isKnown
    ? order.sessions.map((one) => (one.id === session.id ? session : one))
    : [...order.sessions, session];
  const begun = { ...order, sessions, attempts: [...order.attempts, attempt] };
  const decision = { order: { ...begun, hold: holdOf(begun) }, events: [] };
  const paying = moveSession(decision, session.id, { status: 'processing', attempt_id: attempt.id }, 'pay');
  return scheduled(paying, new Date(attempt.started_at), rules);
}
