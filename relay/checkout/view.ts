import type { CheckoutView, PublicView } from '../../shared/checkout/view.ts';
import { accountOf, type Context } from '../context/context.ts';
import { amountDue } from '../payments/amount-due.ts';
import { attemptsMade, isApm, isUnsettled, isWatchedAt } from '../payments/attempt.ts';
import { provedPayments, type StoredOrder, sessionOf } from '../payments/order.ts';
import { offersSaving, type Session } from '../payments/session.ts';
import { canAbandon, isConfirming, payableAtIssuer } from '../payments/session-steps.ts';
import { prefill } from './fields/filled.ts';
import { continueAddress } from './return-url.ts';

/** The view for all clients with the address of a session, without personal values. */
export function publicView(context: Context, order: StoredOrder, sessionId: string): PublicView {
  const session = sessionOf(order, sessionId);
  const { terms, state } = session;
  const left = context.config.limits.attempts_per_session - attemptsMade(session.id, order.attempts);
  const unpaid = state.status === 'open' || state.status === 'failed' ? state : undefined;
  const { amount, currency } = amountDue(session, order.attempts);
  return {
    session_id: session.id,
    status: isOver(context, session) ? 'expired' : state.status,
    amount,
    currency,
    revision: session.revision,
    merchant_name: accountOf(context, session.account).name,
    methods: terms.methods,
    installment_options: terms.installment_options,
    ...(terms.order.subscription ? { subscription: terms.order.subscription } : {}),
    ...(offersSaving(terms) ? { offers_saving: true } : {}),
    collect: terms.collect,
    attempts_left: Math.max(left, 0),
    ...(unpaid && 'notice' in unpaid && unpaid.notice ? { notice: unpaid.notice } : {}),
    ...(unpaid?.advice ? { advice: unpaid.advice } : {}),
    ...(unpaid && 'last_method' in unpaid && unpaid.last_method ? { last_method: unpaid.last_method } : {}),
    ...(state.status === 'open' ? watchedView(context, order) : {}),
    ...(state.status === 'approved' ? { ...chargeableView(context, order), ...paidTwiceView(order) } : {}),
    ...(state.status === 'redirected' ? { redirected: redirectedView(order, session.id, state.attempt_id) } : {}),
    ...(state.status === 'pending' ? { pending: awaitedView(order, state.attempt_id) } : {}),
    ...('reason' in state && state.reason === 'order_already_paid' ? { reason: state.reason } : {}),
    returns: terms.return_url !== undefined,
  };
}

function awaitedView(order: StoredOrder, attemptId: string): NonNullable<PublicView['pending']> {
  const method = order.attempts.find(({ id }) => id === attemptId)?.method;
  return { payment_method: shownMethod(method), can_abandon: canAbandon(order) };
}

function shownMethod(method = 'card'): string {
  return method === 'token' ? 'card' : method;
}

function redirectedView(
  order: StoredOrder,
  sessionId: string,
  attemptId: string,
): NonNullable<PublicView['redirected']> {
  return { ...awaitedView(order, attemptId), returned: isConfirming(order, sessionId) };
}

/** The last attempt by an alternative method that ended without the gateway's own answer. */
function watchedView({ now }: Context, { attempts }: StoredOrder): Pick<PublicView, 'watched'> {
  const watched = attempts.findLast((attempt) => isApm(attempt) && isWatchedAt(attempt, now()));
  return watched ? { watched: { payment_method: watched.method } } : {};
}

/** An attempt that the gateway may still charge although the order is paid. */
function chargeableView({ now }: Context, { attempts }: StoredOrder): Pick<PublicView, 'watched'> {
  const other = attempts.findLast((attempt) => isUnsettled(attempt) || isWatchedAt(attempt, now()));
  return other ? { watched: { payment_method: shownMethod(other.method) } } : {};
}

/** The payment that counts, of an order that was provably paid twice. */
function paidTwiceView(order: StoredOrder): Pick<PublicView, 'paid_twice'> {
  const [first, ...others] = provedPayments(order);
  if (!first || others.every(({ transaction_id }) => transaction_id === first.transaction_id)) return {};
  const method = first.method ?? order.attempts.find(({ id }) => id === first.attempt_id)?.method;
  return { paid_twice: { payment_method: shownMethod(method) } };
}

/** The view for the holder of the client secret (`GET /checkout/api/session`). */
export function checkoutView(context: Context, order: StoredOrder, sessionId: string): CheckoutView {
  const { terms, state, order_no, account } = sessionOf(order, sessionId);
  const shown = publicView(context, order, sessionId);
  const payable = payableAtIssuer(order, sessionId);
  const wayToIssuer = payable ? { continue_url: continueAddress(context, account, sessionId, payable.id) } : {};
  const paidBy = state.status === 'approved' && order.attempts.find(({ id }) => id === state.attempt_id);
  return {
    ...shown,
    ...(shown.redirected ? { redirected: { ...shown.redirected, ...wayToIssuer } } : {}),
    ...(shown.pending ? { pending: { ...shown.pending, ...wayToIssuer } } : {}),
    order_no,
    ...(terms.locale ? { locale: terms.locale } : {}),
    prefill: prefill(terms),
    saved_cards: terms.saved_cards,
    ...('result' in state && state.result ? { result: state.result } : {}),
    ...(state.status === 'approved' ? { transaction_id: state.transaction_id } : {}),
    ...(paidBy ? { paid_at: paidBy.settled_at ?? paidBy.started_at } : {}),
    ...(state.status === 'approved' && state.card ? { card: state.card } : {}),
  };
}

function isOver(context: Context, session: Session): boolean {
  return session.state.status === 'open' && Date.parse(session.expires_at) <= context.now().getTime();
}
