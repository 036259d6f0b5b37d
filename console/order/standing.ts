import { type OrderState, orderState } from '../api/order-state.ts';
import type { AttemptAnswer, OrderWithTimeline, SessionAnswer } from '../api/read.ts';

/** How an order stands, the session whose outcome a person may settle, and the attempt that paid or came last. */
export type Standing = { state: OrderState; undecided: SessionAnswer | undefined; last: AttemptAnswer | undefined };

/** Reads how an order stands from its sessions. */
export function standing({ status, sessions }: Pick<OrderWithTimeline, 'status' | 'sessions'>): Standing {
  const newest = sessions.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
  const undecided = newest.find((session) => session.status === 'unknown' || session.status === 'pending');
  const attempts = newest.flatMap((session) => session.attempts.toReversed());
  const last = attempts.find((attempt) => attempt.status === 'approved') ?? attempts[0];
  const session_status = (undecided ?? newest[0])?.status ?? 'open';
  return { state: orderState({ status, session_status }), undecided, last };
}
