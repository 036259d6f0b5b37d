import type { PayAnswer } from '../../shared/checkout/pay.ts';
import { ProblemError } from '../base/errors.ts';
import { issueTicket } from '../config/derived-secrets.ts';
import type { Account } from '../config/load.ts';
import type { Attempt } from '../payments/session.ts';
import { attemptsMade, type Change } from '../payments/transitions.ts';
import type { Context } from '../store/context.ts';

/** What the shopper's browser hears of a payment. Throws ProblemError `gateway_unreachable` when nothing was sent. */
export function payAnswer(context: Context, account: Account, change: Change, attempts: readonly Attempt[]): PayAnswer {
  const { session, attempt } = change;
  const left =
    context.config.limits.attempts_per_session -
    attemptsMade(session.id, [...attempts.filter(({ id }) => id !== attempt.id), attempt]);
  const { state } = session;
  switch (state.status) {
    case 'approved':
      return {
        status: 'approved',
        order_no: session.order_no,
        transaction_id: state.transaction_id,
        card: state.card ?? '',
        result: state.result ?? { code: '', message: '' },
      };
    case 'open':
    case 'failed':
      if (attempt.state.status === 'not_sent') {
        throw new ProblemError(
          'gateway_unreachable',
          'The gateway cannot be reached, so this was not sent. Try again.',
        );
      }
      return {
        status: 'declined',
        result: state.result ?? { code: '', message: '' },
        advice: state.advice ?? 'try_another_card',
        attempts_left: Math.max(left, 0),
      };
    case 'redirected': {
      const ticket = issueTicket(account, attempt.id, context.now());
      const path = `/checkout/${session.id}/issuer?ticket=${encodeURIComponent(ticket)}`;
      return { status: 'redirect', redirect_url: `${context.config.public_url}${path}` };
    }
    case 'unknown':
    case 'processing':
    case 'expired':
      return { status: 'unknown' };
  }
}
