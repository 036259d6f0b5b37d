import type { PayAnswer } from '../../shared/checkout/pay.ts';
import { ProblemError } from '../base/errors.ts';
import { issueTicket } from '../base/keys.ts';
import type { Account } from '../config/load.ts';
import { type Attempt, attemptsMade } from '../payments/attempt.ts';
import type { Order } from '../payments/order.ts';
import type { Session } from '../payments/session.ts';
import type { Context } from '../store/context.ts';

/**
 * What the payer hears: what became of this very attempt, or that its session is paid all the same. Throws ProblemError
 * `gateway_unreachable` when nothing was sent.
 */
export function payAnswer(
  context: Context,
  account: Account,
  { order, session, attempt }: { order: Order; session: Session; attempt: Attempt },
): PayAnswer {
  const { state } = session;
  switch (attempt.state.status) {
    case 'not_sent':
      throw new ProblemError('gateway_unreachable', 'The gateway cannot be reached, so nothing was sent. Try again.');
    case 'declined':
    case 'refused': {
      if (state.status === 'approved') return approvedAnswer(session, state);
      const left = context.config.limits.attempts_per_session - attemptsMade(session.id, order.attempts);
      const advice = 'advice' in state && state.advice ? state.advice : 'try_another_card';
      return { status: 'declined', result: attempt.state.result, advice, attempts_left: Math.max(left, 0) };
    }
    case 'redirected': {
      const ticket = issueTicket(account, attempt.id, context.now());
      const path = `/checkout/${session.id}/issuer?ticket=${encodeURIComponent(ticket)}`;
      return { status: 'redirect', redirect_url: `${context.config.public_url}${path}` };
    }
    case 'approved':
      return state.status === 'approved' ? approvedAnswer(session, state) : { status: 'unknown' };
    case 'pending':
      return { status: 'pending' };
    case 'in_flight':
    case 'unknown':
    case 'not_paid':
      return state.status === 'approved' ? approvedAnswer(session, state) : { status: 'unknown' };
  }
}

function approvedAnswer(
  { order_no }: Session,
  { transaction_id, card, result }: Extract<Session['state'], { status: 'approved' }>,
): PayAnswer {
  return {
    status: 'approved',
    order_no,
    transaction_id,
    card: card ?? '',
    result: result ?? { code: '', message: '' },
  };
}
