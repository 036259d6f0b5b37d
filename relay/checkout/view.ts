import type { CheckoutView, PublicView } from '../../shared/checkout/view.ts';
import { offersSaving, type Session, sumOf } from '../payments/session.ts';
import { attemptsMade } from '../payments/transitions.ts';
import { accountOf, type Context } from '../store/context.ts';
import { prefill } from './fields/filled.ts';

/** What anybody may see who holds the address of a session: no personal values. */
export async function publicView(context: Context, session: Session): Promise<PublicView> {
  const { terms, state } = session;
  const attempts = await context.store.attemptsOfOrder(session.account, session.order_no);
  const left = context.config.limits.attempts_per_session - attemptsMade(session.id, attempts);
  const told = state.status === 'open' || state.status === 'failed' ? state : undefined;
  return {
    session_id: session.id,
    status: isOver(context, session) ? 'expired' : state.status,
    ...sumOf(session, attempts),
    revision: session.revision,
    merchant_name: accountOf(context, session.account).name,
    methods: terms.methods,
    installment_options: terms.installment_options,
    ...(terms.order.subscription ? { subscription: terms.order.subscription } : {}),
    ...(offersSaving(terms) ? { offers_saving: true } : {}),
    collect: terms.collect,
    attempts_left: Math.max(left, 0),
    ...(told && 'notice' in told && told.notice ? { notice: told.notice } : {}),
    ...(told?.advice ? { advice: told.advice } : {}),
    ...(told && 'last_method' in told && told.last_method ? { last_method: told.last_method } : {}),
    returns: terms.return_url !== undefined,
  };
}

/** What the holder of the client secret sees (`GET /checkout/api/session`). */
export async function checkoutView(context: Context, session: Session): Promise<CheckoutView> {
  const { terms, state } = session;
  return {
    ...(await publicView(context, session)),
    order_no: session.order_no,
    ...(terms.locale ? { locale: terms.locale } : {}),
    prefill: prefill(terms),
    saved_cards: terms.saved_cards,
    ...('result' in state && state.result ? { result: state.result } : {}),
    ...(state.status === 'approved' ? { transaction_id: state.transaction_id } : {}),
    ...(state.status === 'approved' && state.card ? { card: state.card } : {}),
  };
}

function isOver(context: Context, session: Session): boolean {
  return session.state.status === 'open' && Date.parse(session.expires_at) <= context.now().getTime();
}
