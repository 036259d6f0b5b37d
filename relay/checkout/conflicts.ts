import { ProblemError } from '../base/errors.ts';
import { type Attempt, isUnsettled, type Session } from '../payments/session.ts';
import type { Context } from '../store/context.ts';
import type { Limited, OrderTaken } from '../store/store.ts';
import { limitProblem } from './quotas.ts';

/** The 409 of an order that another payment holds, or that is paid. `session_id` says whose, to the shop's server alone. */
export function orderProblem(code: OrderTaken['kind'], session_id?: string): ProblemError {
  return new ProblemError(
    code,
    code === 'order_already_paid'
      ? 'This order_no is paid. Look at its session; a new order needs a new order_no.'
      : 'A payment of this order_no is under way or its outcome is not known yet. Look at its session.',
    { session_id },
  );
}

/** The same, with the session that holds the order or paid it, as far as it is still known. */
export async function takenProblem(
  context: Context,
  code: OrderTaken['kind'],
  { account, order_no }: Session,
): Promise<ProblemError> {
  const attempts = await context.store.attemptsOfOrder(account, order_no);
  const isIt = (attempt: Attempt): boolean =>
    code === 'order_already_paid' ? attempt.state.status === 'approved' : isUnsettled(attempt);
  return orderProblem(code, attempts.find(isIt)?.session_id);
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
