import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { OperationName } from '../../shared/gateway/operations.ts';
import { adminApi, ownPagesOnly, unreadable } from './admin/admin-api.ts';
import { adminForms } from './admin/admin-forms.ts';
import { Clock, MAX_MOVE_MS, after as realAfter } from './base/clock.ts';
import { openBooks } from './books/books.ts';
import { BooksFile, readBooks } from './books/books-file.ts';
import type { Payments } from './books/payments.ts';
import { RegisteredAddresses } from './books/registered-addresses.ts';
import { restore, snapshotOf } from './books/snapshot.ts';
import { type AnswerStyle, AnswerStyles } from './faults/answer-style.ts';
import { ArmedFaults } from './faults/faults.ts';
import { IssuerBehaviours } from './faults/issuer-behaviours.ts';
import { issuer } from './issuer/issuer.ts';
import { maskText } from './messages/mask.ts';
import { MessageLog } from './messages/messages.ts';
import { NotificationLog } from './notifications/notification-log.ts';
import { Notifier, type NotifierOptions } from './notifications/notifier.ts';
import type { Handler, Parts } from './operations/handler.ts';
import { apmPayment, directPayment } from './operations/payments.ts';
import { endLater, payout } from './operations/payout.ts';
import { query } from './operations/query.ts';
import { refund, refundSearch } from './operations/refund.ts';
import { cancel, capture, review, subscriptionCancel } from './operations/review-capture-cancel.ts';
import { cardsPage } from './pages/cards-page.ts';
import { entriesOf, filterOf, messagesPage } from './pages/messages-page.ts';
import { endpoints, MAX_BODY_BYTES, receive, refuseUnread } from './receive.ts';

export type GatewayOptions = Pick<Parts, 'merchants' | 'publicUrl'> &
  Partial<Pick<Parts, 'random' | 'lateMs' | 'after'>> & {
    now?: () => Date;
    /** The style of its answers until a person chooses another one. */
    answers?: Partial<AnswerStyle>;
    /** The file with its records between two starts; without it the records begin empty. */
    booksFile?: string;
    /** How notifications are sent. Default: `usualNotifications`. */
    notifications?: Partial<Pick<NotifierOptions, 'shape' | 'backOffMs' | 'limitMs' | 'lateMs'>>;
  };

const usualNotifications = {
  shape: 'json',
  backOffMs: [1000, 2000, 4000, 8000],
  limitMs: 5000,
  lateMs: 10_000,
} as const;

/** `payments` are those in its records. `closeBooks` writes the records to their file for the last time. */
export type Gateway = Parts & {
  app: Express;
  payments: Payments;
  closeBooks: () => void;
  /** Writes the records to their file at once. */
  saveBooks: () => void;
  /** Adds the records of another gateway's file to its own, and writes them. Existing records stay. */
  addBooks: (file: string) => void;
};

/** A gateway that follows the spec, with its issuer's pages and a page with its messages at `/`. */
export function createGateway(options: GatewayOptions): Gateway {
  const { merchants, publicUrl, random = randomBytes, lateMs = 3000, after = realAfter } = options;
  const file = options.booksFile === undefined ? undefined : new BooksFile(options.booksFile);
  const saveSoon = () => file?.saveSoon();
  const clock = new Clock(options.now, saveSoon);
  const [messages, notifications, armed] = [new MessageLog(), new NotificationLog(), new ArmedFaults()];
  const notifier = new Notifier({
    ...usualNotifications,
    ...options.notifications,
    merchants,
    armed,
    log: notifications,
    now: () => clock.now(),
    after,
  });
  const styles = new AnswerStyles(options.answers);
  const books = openBooks({ clock, random, notify: notifier.notify, styles });
  const parts: Parts = {
    ...{ merchants, publicUrl, random, lateMs, after, clock, messages, notifications, notifier, armed, books, styles },
    issuers: new IssuerBehaviours(),
    registeredAddresses: new RegisteredAddresses(),
  };
  if (file) reopen(parts, file);
  const handlers: Record<OperationName, Handler> = {
    direct_payment: directPayment(parts),
    apm_payment: apmPayment(parts),
    query: query(parts),
    refund: refund(parts),
    refund_search: refundSearch(parts),
    review: review(parts),
    capture: capture(parts),
    cancel: cancel(parts),
    subscription_cancel: subscriptionCancel(parts),
    payout: payout(parts),
  };

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use((request, response, next) => {
    if (request.method === 'POST') {
      saveSoon();
      response.once('close', saveSoon);
    }
    next();
  });
  const bytes = express.raw({ type: () => true, limit: MAX_BODY_BYTES });
  for (const [path, encoding] of endpoints) {
    app.post(path, bytes, receive(path, encoding, handlers, parts), refuseUnread(parts));
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
  app.use(adminApi(parts));
  app.use(adminForms(parts));
  app.use('/admin', unreadable);
  app.use(issuer(books.payments));
  app.use(express.static(join(import.meta.dirname, 'pages/public'), { index: false, cacheControl: false }));
  app.use((_request, response) => void response.status(404).type('text/plain').send('There is nothing here.'));
  app.use(plainTrouble);
  const addBooks = (path: string): void => {
    const kept = readBooks(path);
    if (kept) restore(kept, books);
    file?.save();
  };
  const [closeBooks, saveBooks] = [() => file?.close(), () => file?.save()];
  return { ...parts, app, payments: books.payments, closeBooks, saveBooks, addBooks };
}

/** Restores the records and the clock of the last run, and stores changes from then on. */
function reopen(parts: Parts, file: BooksFile): void {
  const { books, clock } = parts;
  const kept = file.read();
  if (kept) {
    const behind = Date.now() + kept.ahead_ms - clock.now().getTime();
    clock.advance(Math.min(Math.max(behind, 0), MAX_MOVE_MS));
    restore(kept, books);
    for (const payout of books.payouts.list()) if (payout.state.status === 'PROCESSING') endLater(payout, parts);
  }
  file.keep(() => snapshotOf(books, clock));
}

/** Without form-action, because the issuer's form ends, by redirects, at any return_url. */
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

/**
 * The error of a page, without a stack trace: a bad request, or a fault of the gateway, which is printed on the
 * terminal.
 */
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
