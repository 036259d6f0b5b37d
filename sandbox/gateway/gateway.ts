import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import type { OperationName } from '../../shared/gateway/operations.ts';
import { apmPayment } from './apm-payment.ts';
import { directPayment } from './direct-payment.ts';
import type { Handler } from './handler.ts';
import type { Random } from './ids.ts';
import { issuer } from './issuer.ts';
import { MessageLog } from './messages.ts';
import { messagesPage } from './messages-page.ts';
import { Payments } from './payments.ts';
import { query } from './query.ts';
import { endpoints, type Merchant, receive, unread } from './receive.ts';
import { InvalidInput } from './refusals.ts';
import { reply } from './reply.ts';

export type GatewayOptions = {
  merchants: readonly Merchant[];
  /** Where shoppers and the relay reach this gateway, without a slash at its end; asked for when a payment needs it. */
  publicUrl: () => string;
  now?: () => Date;
  random?: Random;
  /** How late the late test card is answered, in milliseconds. */
  lateMs?: number;
};

export type Gateway = {
  app: Express;
  /** What it was sent and what it answered, masked. */
  messages: MessageLog;
  /** Its books. */
  payments: Payments;
};

const LARGEST_BODY = 2 * 1024 * 1024;

/** A gateway that speaks the spec, with its issuer's pages and a page that shows its messages at `/`. */
export function createGateway(options: GatewayOptions): Gateway {
  const { merchants, publicUrl, now = () => new Date(), random = randomBytes, lateMs = 3000 } = options;
  const messages = new MessageLog();
  const payments = new Payments();
  const handlers: Record<OperationName, Handler> = {
    direct_payment: directPayment({ payments, now, random, lateMs }),
    apm_payment: apmPayment({ payments, now, random, publicUrl }),
    query: query({ payments }),
  };

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  const bytes = express.raw({ type: () => true, limit: LARGEST_BODY });
  for (const [path, encoding] of endpoints) {
    app.post(path, bytes, receive(path, encoding, { merchants, handlers, messages, now }), refuseUnread(messages, now));
  }
  app.use(pageHeaders);
  app.get('/', (_request, response) => void response.send(messagesPage(messages.list()).toString()));
  app.use(issuer(payments));
  app.use(express.static(join(import.meta.dirname, 'public'), { index: false, cacheControl: false }));
  app.use((_request, response) => void response.status(404).type('text/plain').send('There is nothing here.'));
  return { app, messages, payments };
}

/** A body that could not be taken off the wire (too long, broken off, in an unknown coding) is invalid input too. */
function refuseUnread(messages: MessageLog, now: () => Date): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const tooLong = error instanceof Error && 'type' in error && error.type === 'entity.too.large';
    const readable = !(error instanceof Error && 'status' in error && typeof error.status === 'number');
    if (readable) return next(error);
    const reason = tooLong ? `the body is over ${LARGEST_BODY} bytes` : 'the body cannot be read';
    const verdict = { kind: 'refused', status: 400, reason: new InvalidInput(reason).message } as const;
    reply(response, verdict, messages.add({ at: now(), ...unread(request.path) }));
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
