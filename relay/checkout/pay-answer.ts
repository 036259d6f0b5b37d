import type { PayAnswer } from '../../shared/checkout/pay.ts';
import { ProblemError } from '../base/errors.ts';
import type { Account } from '../config/load.ts';
import type { Context } from '../context/context.ts';
import { type Attempt, attemptsMade } from '../payments/attempt.ts';
import type { StoredOrder } from '../payments/order.ts';
import type { Session } from '../payments/session.ts';
import { checkFree } from './conflicts.ts';
import { issuerAddress } from './return-url.ts';

/**
 * The answer to the payer: the outcome of this attempt, or of the session if it is paid, pending or unknown by another
 * attempt. Throws ProblemError if nothing was sent: `order_already_paid` or `order_in_progress` if that is the reason,
 * otherwise `gateway_unreachable`.
 */
export function payAnswer(
  context: Context,
  account: Account,
  { order, session, attempt }: { order: StoredOrder; session: Session; attempt: Attempt },
): PayAnswer {
  const { state } = session;
  switch (attempt.state.status) {
    case 'not_sent':
      if (state.status === 'approved') return approvedAnswer(session, state);
      checkFree(order);
      throw new ProblemError('gateway_unreachable', 'The gateway cannot be reached, so nothing was sent. Try again.');
    case 'declined':
    case 'refused': {
      if (state.status === 'approved') return approvedAnswer(session, state);
      // If another attempt of the order is undecided, the shopper must not pay again.
      if (state.status === 'pending' || state.status === 'unknown') return { status: state.status };
      const left = context.config.limits.attempts_per_session - attemptsMade(session.id, order.attempts);
      const advice = 'advice' in state && state.advice ? state.advice : 'try_another_card';
      return { status: 'declined', result: attempt.state.result, advice, attempts_left: Math.max(left, 0) };
    }
    case 'redirected':
      return { status: 'redirect', redirect_url: issuerAddress(context, account.id, session.id, attempt.id) };
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
