import { updateOrder } from '../commit/commit.ts';
import { rulesOf } from '../config/rules.ts';
import type { Context } from '../context/context.ts';
import { type Browser, type Destination, followIssuerUrl, IssuerError } from '../gateway/issuer/issuer.ts';
import { withNextQuery } from '../payments/schedule.ts';
import type { Session } from '../payments/session.ts';
import { payableAtIssuer } from '../payments/session-steps.ts';
import { becomeUnknown } from '../payments/settlement/waiting.ts';
import { startDecision, withAttempt } from '../payments/transitions.ts';

/** The destination of issuer_url: a page, or none; `over` if the session no longer waits for this attempt. */
type IssuerPage = { kind: 'page'; address: string } | { kind: 'unreachable' } | { kind: 'over' };

type FindPage = (session: Session, attemptId: string, browser: Browser) => Promise<IssuerPage>;

/** Returns a function that finds the issuer's page of an attempt. Concurrent calls for one attempt share one request. */
export function createIssuerPages(context: Context): FindPage {
  const running = new Map<string, Promise<IssuerPage>>();
  return (session, attemptId, browser) => {
    const page =
      running.get(attemptId) ?? findPage(context, session, attemptId, browser).finally(() => running.delete(attemptId));
    running.set(attemptId, page);
    return page;
  };
}

async function findPage(context: Context, session: Session, attemptId: string, browser: Browser): Promise<IssuerPage> {
  const order = await context.store.orders.get(session.account, session.order_no);
  const payable = payableAtIssuer(order, session.id);
  if (payable?.id !== attemptId) return { kind: 'over' };
  const { issuer_url, page_url: known } = payable.state;
  const isBack = payable.state.status === 'redirected' && payable.state.returned_at !== undefined;
  if (known !== undefined && !isBack) return { kind: 'page', address: known };
  const about = { session: session.id, attempt: attemptId };
  const shopper = { browser, card: payable.card };
  const follow = (): Promise<Destination | IssuerError> =>
    followIssuerUrl(issuer_url, context.config.issuer, shopper).catch((error: unknown) => {
      if (!(error instanceof IssuerError)) throw error;
      context.log.warn({ ...about, reason: error.code }, 'issuer_url cannot be followed');
      return error;
    });
  const found: Destination | IssuerError = known === undefined ? await follow() : { address: known };
  if (!(found instanceof IssuerError) && found.fault !== undefined) {
    const { fault: reason, http_status } = found;
    context.log.warn({ ...about, reason, http_status }, 'issuer page failed, the shopper is sent to it');
  }
  // The order may have changed during the request. A shopper must not be sent to pay an attempt that was given up.
  let page: IssuerPage = { kind: 'over' };
  await updateOrder(context, session, (before) => {
    const attempt = payableAtIssuer(before, session.id);
    page = { kind: 'over' };
    if (attempt?.id !== attemptId) return undefined;
    if (found instanceof IssuerError) {
      page = { kind: 'unreachable' };
      if (attempt.state.status === 'pending') return undefined;
      const reason = found.code === 'card_in_address' ? 'card_in_issuer_url' : 'issuer_unreachable';
      const by = { reason, cause: 'issuer_unreachable' } as const;
      const now = context.now();
      return withNextQuery(becomeUnknown(startDecision(before), attempt, by, now), now, rulesOf(context.config));
    }
    const { address: page_url } = found;
    page = { kind: 'page', address: page_url };
    if (attempt.state.status === 'pending') {
      // The attempt stays pending, so the time of its next query does not change.
      return withAttempt(startDecision(before), { ...attempt, state: { ...attempt.state, page_url } });
    }
    // The shopper goes to the issuer again, so an answer of the gateway that has no record proves nothing yet.
    const { returned_at: _, ...state } = attempt.state;
    const away = withAttempt(startDecision(before), { ...attempt, state: { ...state, page_url } });
    return withNextQuery(away, context.now(), rulesOf(context.config));
  });
  return page;
}
