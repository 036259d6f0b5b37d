import { type Request, type Response, Router } from 'express';
import type { Notice, Theme } from '../../shared/checkout/view.ts';
import { accountOf, type Context } from '../context.ts';
import { followIssuerUrl, IssuerError } from '../gateway/issuer.ts';
import { addRoute } from '../http.ts';
import type { Assets } from './assets.ts';
import { localeWishes } from './locales.ts';
import { lookOnce } from './look.ts';
import { checkoutPage, noticePage, type Page } from './page.ts';
import { returnAddress } from './return-url.ts';
import { isValidTicket } from './secrets.ts';
import type { Attempt, Session } from './session.ts';
import { unknown, withState } from './transitions.ts';
import { publicView } from './view.ts';

/** The pages that a shopper's browser opens (design 4.2): the form, the way to the issuer, and the way back. */
export function pageRoutes(context: Context, assets: Assets): Router {
  const router = Router();

  addRoute(router, '/checkout/:session_id', {
    get: [
      async (req, res) => {
        const session = await context.store.session(String(req.params.session_id));
        if (!session) return sendNotice(req, res.status(404), 'not_found');
        const { allowed_origins } = accountOf(context, session.account);
        const view = await publicView(context, session);
        const locales = localeWishes(req.query.locale, session.terms.locale, req.get('accept-language'));
        const rendered = assets.render.renderCheckout({ view, locales, allowed_origins });
        send(res, checkoutPage(assets, rendered, themeOf(req.query.theme), allowed_origins));
      },
    ],
  });

  addRoute(router, '/checkout/:session_id/issuer', {
    get: [
      async (req, res) => {
        const session = await context.store.session(String(req.params.session_id));
        if (!session) return sendNotice(req, res.status(404), 'not_found');
        const { state } = session;
        const ticket = typeof req.query.ticket === 'string' ? req.query.ticket : '';
        if (state.status !== 'redirected') return res.redirect(303, `/return/${session.id}`);
        if (!isValidTicket(accountOf(context, session.account), state.attempt_id, ticket, context.now())) {
          return sendNotice(req, res.status(403), 'not_found');
        }
        const address = await issuerPage(context, session, state.attempt_id);
        if (address === undefined) return sendNotice(req, res.status(502), 'issuer_unreachable', session);
        res.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }).redirect(303, address);
      },
    ],
  });

  const comeBack = async (req: Request, res: Response): Promise<void> => {
    const found = await context.store.session(String(req.params.session_id));
    if (!found) return sendNotice(req, res.status(404), 'not_found');
    const waiting = found.state.status === 'redirected' || found.state.status === 'unknown';
    const session = waiting ? await lookOnce(context, found, 'shopper_is_back') : found;
    const { status } = session.state;
    const { return_url } = session.terms;
    if (return_url === undefined) return sendNotice(req, res, status, session);
    const { id, order_no } = session;
    res.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    res.redirect(303, returnAddress(return_url, { session: id, order_no, status }));
  };
  addRoute(router, '/return/:session_id', { get: [comeBack], post: [comeBack] });

  function sendNotice(req: Request, res: Response, notice: Notice, session?: Session): void {
    const locales = localeWishes(undefined, session?.terms.locale, req.get('accept-language'));
    const link = session?.terms.return_url;
    const rendered = assets.render.renderNotice({
      notice,
      locales,
      ...(session ? { merchant_name: accountOf(context, session.account).name } : {}),
      ...(session && link ? { link: `/return/${session.id}` } : {}),
    });
    send(res, noticePage(assets, rendered));
  }

  return router;
}

const following = new Map<string, Promise<string | undefined>>();

/** The issuer's page for an attempt: found once, kept, and shared by callers that ask at the same time. */
function issuerPage(context: Context, session: Session, attemptId: string): Promise<string | undefined> {
  const running =
    following.get(attemptId) ?? findIssuerPage(context, session, attemptId).finally(() => following.delete(attemptId));
  following.set(attemptId, running);
  return running;
}

async function findIssuerPage(context: Context, session: Session, attemptId: string): Promise<string | undefined> {
  const attempts = await context.store.attemptsOfOrder(session.account, session.order_no);
  const attempt = attempts.find(({ id }) => id === attemptId);
  if (attempt?.state.status !== 'redirected') return undefined;
  if (attempt.state.page_url !== undefined) return attempt.state.page_url;
  const { issuer, limits, resolve } = context.config;
  try {
    const page_url = await followIssuerUrl(attempt.state.issuer_url, issuer);
    const found: Attempt = { ...attempt, state: { ...attempt.state, page_url } };
    await context.store.settle(withState(session, session.state), found, 'held');
    return page_url;
  } catch (error) {
    if (!(error instanceof IssuerError)) throw error;
    context.log.warn({ session: session.id, attempt: attempt.id, reason: error.code }, 'issuer_url leads nowhere');
    const change = unknown(
      session,
      attempt,
      { now: context.now(), attempts, limits, resolve },
      'issuer_unreachable',
      {},
    );
    await context.store.settle(change.session, change.attempt, change.hold);
    return undefined;
  }
}

function send(res: Response, page: Page): void {
  res.set(page.headers).send(page.html);
}

function themeOf(value: unknown): Theme {
  return value === 'light' || value === 'dark' ? value : 'auto';
}
