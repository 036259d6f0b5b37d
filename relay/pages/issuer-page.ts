import { rulesOf } from '../config/rules.ts';
import type { Context } from '../context/context.ts';
import { type Browser, type Destination, followIssuerUrl, IssuerError } from '../gateway/issuer/issuer.ts';
import type { Attempt } from '../payments/attempt.ts';
import type { StoredOrder } from '../payments/order.ts';
import { scheduled } from '../payments/schedule.ts';
import type { Session } from '../payments/session.ts';
import { becomeUnknown } from '../payments/settlement/waiting.ts';
import { undecidedYet, withAttempt } from '../payments/transitions.ts';
import { updateOrder } from '../webhooks/commit.ts';

/** Where issuer_url leads: to a page, nowhere, or the session no longer waits for this attempt. */
type IssuerPage = { kind: 'page'; address: string } | { kind: 'unreachable' } | { kind: 'over' };

type FindPage = (session: Session, attemptId: string, browser: Browser) => Promise<IssuerPage>;

/** Finds the issuer's pages: each once, shared by callers that ask at the same time. */
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
  const waiting = waitingAttempt(
    await context.store.orders.get(session.account, session.order_no),
    session.id,
    attemptId,
  );
  if (!waiting) return { kind: 'over' };
  const { issuer_url, page_url: known, returned_at } = waiting.state;
  if (known !== undefined && returned_at === undefined) return { kind: 'page', address: known };
  const about = { session: session.id, attempt: attemptId };
  const shopper = { browser, card: waiting.card };
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
  // Much can have happened meanwhile: no shopper is sent to pay an attempt that was given up.
  let page: IssuerPage = { kind: 'over' };
  await updateOrder(context, session, (order) => {
    const attempt = waitingAttempt(order, session.id, attemptId);
    page = { kind: 'over' };
    if (!attempt) return undefined;
    if (found instanceof IssuerError) {
      page = { kind: 'unreachable' };
      const reason = found.code === 'card_in_address' ? 'card_in_issuer_url' : 'issuer_unreachable';
      const by = { reason, cause: 'issuer_unreachable' } as const;
      const now = context.now();
      return scheduled(becomeUnknown(undecidedYet(order), attempt, by, now), now, rulesOf(context.config));
    }
    const { address: page_url } = found;
    page = { kind: 'page', address: page_url };
    // A shopper who was back goes there again: their absence of a record counts no more.
    const { returned_at: _, ...state } = attempt.state;
    const away = withAttempt(undecidedYet(order), { ...attempt, state: { ...state, page_url } });
    return scheduled(away, context.now(), rulesOf(context.config));
  });
  return page;
}

type Waiting = Attempt & { state: Extract<Attempt['state'], { status: 'redirected' }> };

/** The attempt, if its session still waits for it at the issuer's page. No shopper is sent to pay an order that is paid. */
function waitingAttempt(order: StoredOrder, sessionId: string, attemptId: string): Waiting | undefined {
  const state = order.sessions.find(({ id }) => id === sessionId)?.state;
  if (order.hold === 'paid' || state?.status !== 'redirected' || state.attempt_id !== attemptId) return undefined;
  const attempt = order.attempts.find(({ id }) => id === attemptId);
  return attempt?.state.status === 'redirected' ? { ...attempt, state: attempt.state } : undefined;
}
