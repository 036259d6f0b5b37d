import type { Context } from '../context.ts';
import { ProblemError } from '../errors.ts';
import type { Limited, OrderTaken } from '../store/store.ts';
import { limitProblem } from './quotas.ts';
import type { Session } from './session.ts';

/** The 409 of an order that another payment holds, or that is paid. */
export function orderProblem(code: 'order_in_progress' | 'order_already_paid'): ProblemError {
  return new ProblemError(
    code,
    code === 'order_already_paid'
      ? 'This order_no is paid. Look at its session; a new order needs a new order_no.'
      : 'A payment of this order_no is under way or its outcome is not known yet. Look at its session.',
  );
}

/** Throws the 409 of a session that cannot be paid now. */
export function checkOpen(session: Session, now: Date): void {
  switch (session.state.status) {
    case 'open':
      if (Date.parse(session.expires_at) > now.getTime()) return;
      throw new ProblemError('session_final', 'This session has expired. The shop must make a new one.');
    case 'processing':
    case 'redirected':
    case 'unknown':
      throw new ProblemError('attempt_in_flight', 'A payment is under way. Look at the session until it is known.');
    case 'approved':
      throw new ProblemError('session_final', 'This session is paid.');
    case 'failed':
    case 'expired':
      throw new ProblemError('session_final', 'This session takes no more payments. The shop must make a new one.');
  }
}

/** Why a payment was not started, as its payer is told. */
export function notStarted(context: Context, refused: OrderTaken | Limited): ProblemError {
  return refused.kind === 'limited' ? limitProblem(context, refused) : orderProblem(refused.kind);
}
