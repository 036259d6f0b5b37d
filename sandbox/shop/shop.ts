import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import {
  createClient,
  RelayAnswerUnusable,
  RelayRefused,
  RelayUnreachable,
  type SessionAnswer,
} from '../../client/index.ts';
import { type Html, html } from '../../shared/pages/html.ts';
import { layout } from './layout.ts';
import { productPage } from './product-page.ts';
import {
  type Checkout,
  COOKIE,
  cookieOptions,
  createReceivedWebhooks,
  type ReceivedWebhooks,
  readCookie,
  webhookBody,
  writeCookie,
} from './received-webhooks.ts';
import { type Options, readOptions, sessionFor } from './tea.ts';
import { noOrderPage, thanksPage } from './thanks-page.ts';

/** How long the page waits for the webhook: a shopper often returns from an issuer's page before it arrives. */
const WEBHOOK_WAIT_MS = 800;

export type ShopOptions = {
  /** The addresses of the relay and of this shop, without a slash at the end. They are read at each request. */
  relayUrl: () => string;
  shopUrl: () => string;
  apiKey: string;
  /** The secret (`whsec_…`) of the relay's webhooks to `/webhooks`. Without it the shop receives none. */
  webhookSecret?: string;
  /** The address of a page with all test cards, for a link. */
  testCardsUrl?: () => string;
};

/** The example shop: a page that sells tea through Turnpike, and the page to which shoppers return. */
export function createShop({ relayUrl, shopUrl, apiKey, webhookSecret, testCardsUrl }: ShopOptions): { app: Express } {
  // A visitor waits for the page, so an early error is better than a late page.
  const relay = () => createClient({ url: relayUrl(), apiKey, timeoutMs: 10_000, tries: 2 });
  const received = createReceivedWebhooks();
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(pageHeaders(relayUrl));

  app.get('/', async (request, response) => {
    const options = readOptions(request.query, request.acceptsLanguages());
    const current = readCookie(request.headers.cookie, options, relayUrl());
    // A page that is loaded again shows its order: a new order for each load could be paid in addition.
    const before = current && (await look(current.id));
    const session = current && before && isUnsettled(before.status) ? current : await order(options);
    response.cookie(COOKIE, writeCookie(options, session), cookieOptions);
    // The order may have been paid meanwhile. A shopper with an empty form must see that.
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
      await received.soon(id, 'session.approved', WEBHOOK_WAIT_MS);
    }
    response.send(thanksPage(session, { locale, received: received.of(id, session.transaction_id) }));
  });

  if (webhookSecret !== undefined) app.post('/webhooks', webhooksRoute(webhookSecret, received));

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

/** The fault of the relay, and the advice for the developer. */
function troublePage(trouble: RelayUnreachable | RelayRefused | RelayAnswerUnusable, relayUrl: string): string {
  const content = trouble instanceof RelayUnreachable ? unreachable(relayUrl) : answered(trouble, relayUrl);
  return layout({ title: 'No checkout', content: html`<div class="notice bad">${content}</div>` });
}

function unreachable(relayUrl: string): Html {
  return html`<h1>The relay does not answer</h1>
<p>The shop asked <code>${relayUrl}</code> for a checkout and got no answer.</p>
<ol>
<li>See whether it runs: <a href="${relayUrl}/healthz">${relayUrl}/healthz</a></li>
<li>Start everything again with <code>npm start</code></li>
<li>Its log is in <code>data/relay.log</code></li>
</ol>`;
}

function answered(trouble: RelayRefused | RelayAnswerUnusable, relayUrl: string): Html {
  if (!(trouble instanceof RelayRefused)) {
    return html`<h1>This is not the relay</h1>
<p>Something else than Turnpike’s relay answers at <code>${relayUrl}</code>. Stop it, or give the relay another port with <code>PORT_RELAY</code>.</p>`;
  }
  const { status, code, title, detail, errors } = trouble;
  return html`<h1>The relay refused the order</h1>
<p>${title}. ${detail}</p>
<p><code>${status} ${code}</code></p>
<ul>${errors.map(({ path, message }) => html`<li><code>${path}</code> ${message}</li>`)}</ul>
<p>${hint(status)}</p>`;
}

function hint(status: number): string {
  if (status === 401 || status === 403)
    return 'The shop’s API key is made anew at each start: start everything again with npm start.';
  if (status >= 500) return 'Its log in data/relay.log says more. Load this page again in a moment.';
  return 'Change the order in sandbox/shop/tea.ts, or the options in this page’s address.';
}

/**
 * Stores the relay's webhooks in `received`: answers 204 if `secret` (`whsec_…`) signed it, new or not, and otherwise
 * 400. Throws for an invalid secret.
 */
function webhooksRoute(secret: string, received: ReceivedWebhooks): RequestHandler[] {
  const verifier = new Webhook(secret);
  return [
    // The signature covers the unchanged bytes.
    express.raw({ type: () => true, limit: '1mb' }),
    (request, response) => {
      const verified = verify(verifier, request);
      if (!verified) return void response.sendStatus(400);
      // The shop accepts types that it does not know, because sending them again would not help.
      const webhook = webhookBody.safeParse(verified.content);
      if (webhook.success) received.add(verified.id, webhook.data);
      response.sendStatus(204);
    },
  ];
}

/** The id and the content of a webhook; undefined if it was not signed with the secret in the last five minutes. */
function verify(verifier: Webhook, request: Request): { id: string; content: unknown } | undefined {
  const body: unknown = request.body;
  const id = request.get('webhook-id') ?? '';
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': request.get('webhook-timestamp') ?? '',
    'webhook-signature': request.get('webhook-signature') ?? '',
  };
  try {
    return Buffer.isBuffer(body) ? { id, content: verifier.verify(body, headers) } : undefined;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return undefined;
    throw error;
  }
}
