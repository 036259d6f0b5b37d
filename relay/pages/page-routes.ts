import { gzipSync } from 'node:zlib';
import type { Request, Response, Router } from 'express';
import type { Order } from '../../shared/checkout/session.ts';
import { type Boot, type Notice, type OrderParts, type PublicView, sumNames } from '../../shared/checkout/view.ts';
import { fromMinor, isZero, toMinor } from '../../shared/gateway/amounts.ts';
import { ProblemError } from '../base/errors.ts';
import { isValidTicket } from '../base/keys.ts';
import { qrCode } from '../base/qr-code.ts';
import { headerText } from '../checkout/fields/device.ts';
import { returnFromIssuer } from '../checkout/return.ts';
import { returnAddress, ticketAddress } from '../checkout/return-url.ts';
import { publicView } from '../checkout/view.ts';
import { accountOf, type Context } from '../context/context.ts';
import type { Browser } from '../gateway/issuer/issuer.ts';
import { serve } from '../http/serve.ts';
import { sessionOf } from '../payments/order.ts';
import type { Session } from '../payments/session.ts';
import { pageRoutes } from '../routes/pages.ts';
import { accountRules, appearanceOf, hiddenParts, variablesRule } from './appearance.ts';
import { type Assets, type Ending, gzipWith } from './assets.ts';
import { fontsOf } from './fonts.ts';
import { createIssuerPages } from './issuer-page.ts';
import { logoOf, messageSender } from './message-pages.ts';
import { checkoutPage, type Page, requestedLocales } from './page.ts';

/** Serves the pages that a shopper opens: the form, the redirect to the issuer, and the return. */
export function servePages(context: Context, assets: Assets): Router {
  const issuerPage = createIssuerPages(context);
  const sendMessage = messageSender(context, assets);

  const shopperReturns = async ({ req, res, params }: Shopper): Promise<void> => {
    const found = await context.store.sessions.get(params.session_id);
    if (!found) return sendMessage(req, res.status(404), 'not_found');
    const order = await returnFromIssuer(context, found);
    const session = sessionOf(order, found.id);
    const { status } = session.state;
    const { return_url } = session.terms;
    if (return_url === undefined) {
      const view = publicView(context, order, found.id);
      return sendMessage(req, res, messageOf(view), session, view);
    }
    const { id, order_no } = session;
    res.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    res.redirect(303, returnAddress(return_url, { session: id, order_no, status }));
  };
  return serve(context, pageRoutes, {
    checkoutPage: async ({ req, res, params }) => {
      const session = await context.store.sessions.get(params.session_id);
      if (!session) return sendMessage(req, res.status(404), 'not_found');
      const account = accountOf(context, session.account);
      const { allowed_origins, appearance } = account;
      const order = await context.store.orders.get(session.account, session.order_no);
      const view = publicView(context, order, session.id);
      const locales = requestedLocales(req.query.locale, session.terms.locale, req.get('accept-language'));
      // The request tells a frame from the hosted page, so a frame is rendered at once without the parts around the form.
      const framed = req.get('sec-fetch-dest') === 'iframe';
      const rendered = assets.render.renderCheckout({
        ...{ view, locales, allowed_origins },
        ...(framed ? {} : { hosted: { order: orderParts(session.terms.order, view.amount), logo: logoOf(account) } }),
      });
      const look = appearanceOf(req.query.theme, framed ? undefined : appearance.theme);
      // Anyone can write a link, so it must not hide the amount on the hosted page. Only the shop can frame the form.
      const variables = framed ? variablesRule(req.query) : accountRules(appearance.variables, appearance.theme);
      const accept = headerText(req.get('accept'));
      const boot = { ...rendered.boot, ...(accept && { accept }) };
      if (req.accepts('html', 'json') === 'json') return sendBoot(req, res, boot);
      const ofFrame = { hide: hiddenParts(req.query.theme), fonts: fontsOf(req.query.fonts) };
      const options = { ...look, framed, variables, ...(framed && ofFrame) };
      const page = checkoutPage(assets, { ...rendered, boot }, options, allowed_origins);
      sendCheckoutPage(req, res, page, assets.ending);
    },
    issuerPage: async ({ req, res, params }) => {
      const session = await context.store.sessions.get(params.session_id);
      if (!session) return sendMessage(req, res.status(404), 'not_found');
      const attemptId = awaitedAttempt(session);
      if (attemptId === undefined) return res.redirect(303, `/return/${session.id}`);
      if (!isValidTicket(accountOf(context, session.account), attemptId, ticketOf(req), context.now())) {
        return sendMessage(req, res.status(403), 'link_expired', session);
      }
      const page = await issuerPage(session, attemptId, browserOf(req));
      switch (page.kind) {
        case 'over':
          return res.redirect(303, `/return/${session.id}`);
        case 'unreachable':
          return sendMessage(req, res.status(502), 'issuer_unreachable', session);
        case 'page':
          res.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }).redirect(303, page.address);
      }
    },
    issuerCode: async ({ req, res, params }) => {
      const session = await context.store.sessions.get(params.session_id);
      const attemptId = session && awaitedAttempt(session);
      const ticket = ticketOf(req);
      if (!attemptId || !isValidTicket(accountOf(context, session.account), attemptId, ticket, context.now())) {
        throw new ProblemError('not_found', 'There is no such payment, or no longer.');
      }
      res.set({
        'Content-Type': 'image/svg+xml',
        'Cache-Control': 'private, no-store',
        // Opened directly, an SVG is a document of this origin, so it may run no script.
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cross-Origin-Resource-Policy': 'same-origin',
      });
      res.send(qrCode(ticketAddress(context, session.id, ticket)));
    },
    comeBack: shopperReturns,
    comeBackByForm: shopperReturns,
  });
}

/** A request for a page of a session. */
type Shopper = { req: Request; res: Response; params: { session_id: string } };

/** The attempt that the shopper of a session completes outside the form. */
function awaitedAttempt({ state }: Session): string | undefined {
  return state.status === 'redirected' || state.status === 'pending' ? state.attempt_id : undefined;
}

function ticketOf({ query: { ticket } }: Request): string {
  return typeof ticket === 'string' ? ticket : '';
}

/** The headers of the shopper's browser that the request to the issuer repeats. */
function browserOf(req: Request): Browser {
  const names = ['user-agent', 'accept', 'accept-language'] as const;
  return Object.fromEntries(names.flatMap((name) => (req.get(name) ? [[name, req.get(name)]] : [])));
}

/** The message that a session's state calls for. */
function messageOf({ status, redirected, reason }: PublicView): Notice {
  return reason ?? (redirected?.returned ? 'confirming' : status);
}

/** A longer list would push the form out of sight and enlarge each page. */
const MAX_ITEMS = 30;

/**
 * The contents of an order for the summary on the hosted page. Empty if the session's `amount` differs, because the shop has changed
 * the order since.
 */
export function orderParts(order: Order, amount: string): OrderParts {
  if (order.amount !== amount) return { items: [], further: 0, sums: [] };
  const { currency, items = [] } = order;
  const shown = items.length > MAX_ITEMS ? items.slice(0, MAX_ITEMS) : items;
  return {
    items: shown.map(({ name, quantity, price }) => {
      const total = fromMinor(toMinor(price, currency) * BigInt(quantity), currency);
      return { name, quantity, price, total };
    }),
    further: items.length - shown.length,
    sums: sumNames.flatMap((name) => {
      const amount = order[name];
      return amount === undefined || isZero(amount) ? [] : [{ name, amount }];
    }),
  };
}

/**
 * Sends the page of a form. It is compressed synchronously, because passing it to another thread takes longer. Only gzip can join parts
 * that are compressed separately: the document, and the script, which is compressed once for all pages. The page has no secrets and no
 * personal values, so its size reveals none of them (BREACH). Those come from `/checkout/api/session`, which is never compressed.
 */
function sendCheckoutPage(req: Request, res: Response, { headers, html }: Page, ending: Ending): void {
  res.set(headers).vary('Accept, Accept-Encoding');
  if (takesGzip(req)) res.set('Content-Encoding', 'gzip').send(gzipWith(html, ending));
  else res.send(html + ending.text);
}

/** Sends the values of a page to the form's script, which changes its language or order without a reload. */
function sendBoot(req: Request, res: Response, boot: Boot): void {
  const json = JSON.stringify(boot);
  res.set({ 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' });
  res.vary('Accept, Accept-Encoding');
  if (takesGzip(req)) res.set('Content-Encoding', 'gzip').send(gzipSync(json));
  else res.send(json);
}

function takesGzip(req: Request): boolean {
  return req.acceptsEncodings('gzip') === 'gzip';
}
