import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import {
  createClient,
  RelayAnswerUnusable,
  RelayRefused,
  RelayUnreachable,
  type SessionAnswer,
} from '../../client/index.ts';
import { type Checkout, COOKIE, cookieOptions, readCookie, writeCookie } from './current-order.ts';
import { createHeard } from './heard.ts';
import { type Options, readOptions } from './options.ts';
import { productPage } from './product-page.ts';
import { sessionFor } from './tea.ts';
import { noOrderPage, thanksPage } from './thanks-page.ts';
import { troublePage } from './trouble-page.ts';
import { webhooksRoute } from './webhooks.ts';

/** Who comes back from an issuer's page is often quicker than the webhook that tells of it. */
const WEBHOOK_WAIT_MS = 800;

export type ShopOptions = {
  /** Where the relay and this shop are reached, without a slash at the end; asked for at each request. */
  relayUrl: () => string;
  shopUrl: () => string;
  apiKey: string;
  /** The secret (`whsec_…`) of the relay's webhooks to `/webhooks`; without it the shop hears none. */
  webhookSecret?: string;
  /** A page of all test cards, to lead visitors to. */
  testCardsUrl?: () => string;
};

/** The example shop: a page that sells tea through Turnpike, and the page that shoppers come back to. */
export function createShop({ relayUrl, shopUrl, apiKey, webhookSecret, testCardsUrl }: ShopOptions): { app: Express } {
  // A visitor waits for the page: better a word of trouble soon than a page late.
  const relay = () => createClient({ url: relayUrl(), apiKey, timeoutMs: 10_000, tries: 2 });
  const heard = createHeard();
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(pageHeaders(relayUrl));

  app.get('/', async (request, response) => {
    const options = readOptions(request.query, request.acceptsLanguages());
    const current = readCookie(request.headers.cookie, options, relayUrl());
    // A page that is loaded again shows the order that it showed: a new one for each load could be paid beside it.
    const before = current && (await look(current.id));
    const session = current && before && isUnsettled(before.status) ? current : await order(options);
    response.cookie(COOKIE, writeCookie(options, session), cookieOptions);
    // It may have been paid while nobody looked: whoever sees an empty form must know it.
    const paid = current && before?.status === 'approved' ? { id: current.id, order_no: before.order_no } : undefined;
    response.send(productPage({ options, session, relayUrl: relayUrl(), paid, testCardsUrl: testCardsUrl?.() }));
  });

  const order = (options: Options): Promise<Checkout> =>
    relay().sessions.create(sessionFor(options, newOrderNo(), `${shopUrl()}/thanks`));

  const look = async (id: string): Promise<SessionAnswer | undefined> => {
    try {
      return await relay().sessions.get(id);
    } catch (error) {
      if (error instanceof RelayRefused && error.status === 404) return undefined;
      throw error;
    }
  };

  app.get('/thanks', async (request, response) => {
    const { session: id } = request.query;
    if (typeof id !== 'string' || !/^[\w-]{1,200}$/.test(id)) return void response.status(404).send(noOrderPage());
    const { locale } = readOptions({}, request.acceptsLanguages());
    const session = await relay().sessions.get(id);
    if (webhookSecret !== undefined && session.status === 'approved') {
      await heard.soon(id, 'session.approved', WEBHOOK_WAIT_MS);
    }
    response.send(thanksPage(session, { locale, heard: heard.of(id, session.transaction_id) }));
  });

  if (webhookSecret !== undefined) app.post('/webhooks', webhooksRoute(webhookSecret, heard));

  app.use(express.static(join(import.meta.dirname, 'public'), { index: false, cacheControl: false }));
  app.use((_request, response) => void response.status(404).send(noOrderPage()));
  app.use(tellTrouble(relayUrl));
  return { app };
}

function isUnsettled(status: SessionAnswer['status']): boolean {
  return status !== 'approved' && status !== 'failed' && status !== 'expired';
}

function newOrderNo(): string {
  return `TEA-${randomBytes(5).toString('hex').toUpperCase()}`;
}

function tellTrouble(relayUrl: () => string): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (error instanceof RelayRefused && error.status === 404 && request.path === '/thanks') {
      response.status(404).send(noOrderPage());
    } else if (
      error instanceof RelayUnreachable ||
      error instanceof RelayRefused ||
      error instanceof RelayAnswerUnusable
    ) {
      response.status(502).send(troublePage(error, relayUrl()));
    } else {
      next(error);
    }
  };
}

function pageHeaders(relayUrl: () => string): RequestHandler {
  return (_request, response, next) => {
    response.set({
      'Content-Security-Policy': [
        "default-src 'none'",
        `script-src 'self' ${relayUrl()}`,
        `frame-src ${relayUrl()}`,
        "style-src 'self'",
        'img-src data:',
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'strict-origin-when-cross-origin',
      'X-Content-Type-Options': 'nosniff',
    });
    next();
  };
}
