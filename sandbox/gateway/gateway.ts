import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { OperationName } from '../../shared/gateway/operations.ts';
import { adminApi, ownPagesOnly, settingsApi, unreadable } from './admin/admin-api.ts';
import { adminForms } from './admin/admin-forms.ts';
import { type After, Clock, after as realAfter } from './base/clock.ts';
import type { Merchant, Random } from './base/ids.ts';
import { type Books, openBooks } from './books/books.ts';
import type { Payments } from './books/payments.ts';
import { RegisteredAddresses } from './books/registered-addresses.ts';
import { ArmedFaults } from './faults/faults.ts';
import { AnswerStyles, IssuerManners } from './faults/manners.ts';
import { issuer } from './issuer/issuer.ts';
import { maskText } from './messages/mask.ts';
import { MessageLog } from './messages/messages.ts';
import type { Notify } from './notifications/notices.ts';
import { NotificationLog } from './notifications/notification-log.ts';
import { Notifier, type NotifierOptions } from './notifications/notifier.ts';
import type { Handler } from './operations/handler.ts';
import { apmPayment, directPayment } from './operations/payments.ts';
import { payout } from './operations/payout.ts';
import { query } from './operations/query.ts';
import { refund, refundSearch } from './operations/refund.ts';
import { cancel, capture, review, subscriptionCancel } from './operations/review-capture-cancel.ts';
import { cardsPage } from './pages/cards-page.ts';
import { entriesOf, filterOf, messagesPage } from './pages/messages-page.ts';
import { endpoints, MAX_BODY_BYTES, receive, refuseUnread } from './receive.ts';

export type GatewayOptions = {
  merchants: readonly Merchant[];
  /** Where shoppers and the relay reach this gateway, without a slash at its end; asked for when a payment needs it. */
  publicUrl: () => string;
  now?: () => Date;
  random?: Random;
  /** How late an answer is that shall be late, in milliseconds. */
  lateMs?: number;
  /** How notifications are sent, where not as usual. */
  notifications?: Partial<Pick<NotifierOptions, 'shape' | 'backOffMs' | 'limitMs' | 'lateMs'>>;
  /** The timer of late answers and of notifications. */
  after?: After;
};

const usualNotifications = {
  shape: 'json',
  backOffMs: [1000, 2000, 4000, 8000],
  limitMs: 5000,
  lateMs: 10_000,
} as const;

export type Gateway = {
  app: Express;
  /** What it was sent and what it answered, masked. */
  messages: MessageLog;
  /** What it told to notify_urls, masked. */
  notifications: NotificationLog;
  /** What sends them. */
  notifier: Notifier;
  /** Faults that are waiting for messages. */
  armed: ArmedFaults;
  /** How its issuer treats visitors. */
  issuers: IssuerManners;
  books: Books;
  /** The payments in its books. */
  payments: Payments;
  /** The time that it goes by, which tests move. */
  clock: Clock;
  /** The addresses that queries may come from; loopback at first. */
  registeredAddresses: RegisteredAddresses;
  /** How its answers are written. */
  styles: AnswerStyles;
};

/** A gateway that follows the spec, with its issuer's pages and a page that shows its messages at `/`. */
export function createGateway(options: GatewayOptions): Gateway {
  const { merchants, publicUrl, random = randomBytes, lateMs = 3000, after = realAfter } = options;
  const clock = new Clock(options.now);
  const now = () => clock.now();
  const messages = new MessageLog();
  const notifications = new NotificationLog();
  const armed = new ArmedFaults();
  const issuers = new IssuerManners();
  const notifier = new Notifier({
    ...usualNotifications,
    ...options.notifications,
    merchants,
    armed,
    log: notifications,
    now,
    after,
  });
  const lateness = { lateMs, after };
  const registeredAddresses = new RegisteredAddresses();
  const styles = new AnswerStyles();
  const { notify } = notifier;
  const books = openBooks({ clock, random, notify });
  const { payments } = books;
  const handlers = handlersOf({ books, issuers, registeredAddresses, styles, clock, random, publicUrl, notify });

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  const bytes = express.raw({ type: () => true, limit: MAX_BODY_BYTES });
  const surroundings = { merchants, handlers, books, messages, armed, notifier, styles, now, ...lateness };
  for (const [path, encoding] of endpoints) {
    app.post(path, bytes, receive(path, encoding, surroundings), refuseUnread(surroundings));
    app.all(path, postOnly);
  }
  app.use(pageHeaders);
  app.get('/', (request, response) => {
    const filter = filterOf(request.query);
    const entries = entriesOf(messages.list(), notifications.list(), filter);
    response.send(messagesPage(entries, filter).toString());
  });
  app.get('/cards', (_request, response) => void response.send(cardsPage().toString()));
  app.use('/admin', ownPagesOnly);
  app.use(adminApi({ books, clock, registeredAddresses }));
  app.use(settingsApi({ armed, notifier, issuers, styles }));
  app.use(adminForms({ books, clock, registeredAddresses, armed, notifier, issuers, styles }));
  app.use('/admin', unreadable);
  app.use(issuer(payments));
  app.use(express.static(join(import.meta.dirname, 'pages/public'), { index: false, cacheControl: false }));
  app.use((_request, response) => void response.status(404).type('text/plain').send('There is nothing here.'));
  app.use(plainTrouble);
  return {
    app,
    messages,
    notifications,
    notifier,
    armed,
    issuers,
    books,
    payments,
    clock,
    registeredAddresses,
    styles,
  };
}

type HandlerParts = {
  books: Books;
  issuers: IssuerManners;
  registeredAddresses: RegisteredAddresses;
  styles: AnswerStyles;
  clock: Clock;
  random: Random;
  publicUrl: () => string;
  notify: Notify;
};

/** What the gateway does about a message of each operation. */
function handlersOf(parts: HandlerParts): Record<OperationName, Handler> {
  const { books, issuers, registeredAddresses, styles, clock, random, publicUrl, notify } = parts;
  const { payments, refunds, contracts, payouts } = books;
  const now = () => clock.now();
  return {
    direct_payment: directPayment({ payments, contracts, now, random }),
    apm_payment: apmPayment({ payments, issuers, now, random, publicUrl }),
    query: query({ payments, registeredAddresses, styles }),
    refund: refund({ payments, refunds, now, notify }),
    refund_search: refundSearch({ refunds }),
    review: review({ payments, contracts }),
    capture: capture({ payments }),
    cancel: cancel({ payments, refunds, contracts }),
    subscription_cancel: subscriptionCancel({ contracts }),
    payout: payout({ payouts, clock, random, notify }),
  };
}

/** No form-action: the issuer's form ends, by redirects, wherever return_url leads. */
const pageHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'Content-Security-Policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'",
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  });
  next();
};

/** §4: every operation is an HTTP POST. */
const postOnly: RequestHandler = (_request, response) => {
  response.status(405).set('Allow', 'POST').type('text/plain').send('Every operation is an HTTP POST.');
};

/** What went wrong on the way to a page, without a stack trace: the sender's mistake, or ours, which the terminal tells. */
export const plainTrouble: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (response.headersSent) return next(error);
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  const theirs = typeof status === 'number' && status >= 400 && status < 500;
  if (!theirs) console.error(maskText(error instanceof Error ? (error.stack ?? error.name) : String(error)));
  const text = theirs ? 'This request cannot be read.' : 'The sandbox gateway failed; its terminal says why.';
  response
    .status(theirs ? status : 500)
    .type('text/plain')
    .send(text);
};
