import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Request, Response } from 'express';
import { payByApm, payByCard, payByToken } from '../../shared/checkout/pay.ts';
import { MAX_FILE_TEXT } from '../../shared/gateway/apm-payment.ts';
import { ProblemError } from '../base/errors.ts';
import { isClientSecret } from '../base/keys.ts';
import type { Account } from '../config/load.ts';
import { sendJson } from '../http/answer.ts';
import { headerText } from '../http/header-text.ts';
import { idempotencyKey } from '../http/idempotency/idempotency-key.ts';
import { readJsonBody } from '../http/json-body.ts';
import { parseBody } from '../http/routes.ts';
import { type StoredOrder, sessionOf } from '../payments/order.ts';
import type { Session } from '../payments/session.ts';
import { accountOf, type Context } from '../store/context.ts';
import { deviceCookie, deviceIdIn, type RequestFacts } from './fields/device.ts';
import { pay } from './pay.ts';

/** Answers a browser's payment. Throws ProblemError where nothing was sent. */
export async function answerPayment(context: Context, req: Request, res: Response): Promise<void> {
  const payer = await authorisedSession(context, req.headers.authorization);
  const given = await readJsonBody(req, res, MAX_FILE_TEXT);
  const body = parseBody(payBodySchema(given), given);
  const facts = requestFacts(req, req.ip ?? '');
  const deviceId = facts.device_cookie ?? context.newId('dv');
  // On a refusal too: the next try is then of the same device.
  res.setHeader('Set-Cookie', deviceCookie(deviceId));
  const request = { ...payer, body, facts, deviceId, ...idempotencyKey(req, payer.account) };
  sendJson(res, await pay(context, { ...request, hasHungUp: () => req.socket.destroyed }));
}

/** The schema that a body means to follow, so that its mistakes are reported against the right one. */
export function payBodySchema(body: unknown): typeof payByCard | typeof payByToken | typeof payByApm {
  const has = (name: string): boolean => typeof body === 'object' && body !== null && Object.hasOwn(body, name);
  if (has('payment_method')) return payByApm;
  return has('token_id') ? payByToken : payByCard;
}

function requestFacts({ headers }: IncomingMessage, address: string): RequestFacts {
  const cookie = deviceIdIn(headers.cookie);
  return {
    user_agent: headerText(headers['user-agent']),
    accept: headerText(headers.accept),
    accept_language: headerText(headers['accept-language']),
    shopper_ip: addressText(address),
    ...(cookie ? { device_cookie: cookie } : {}),
  };
}

/** An IPv4 address as such; whatever a proxy wrote that is no address is none. */
function addressText(address: string): string {
  const text = address.replace(/^::ffff:(?=\d+\.)/, '');
  return isIP(text) === 0 ? '' : text;
}

/** A session with its account, and its order as it was read. */
type Authorised = { session: Session; account: Account; order: StoredOrder };

/** The session of `Authorization: Bearer <client_secret>`. Throws ProblemError `unauthorized`. */
export async function authorisedSession(context: Context, authorization: string | undefined): Promise<Authorised> {
  const secret = /^Bearer ([\w-]{1,200}\.[\w-]{1,200})$/i.exec(authorization ?? '')?.[1] ?? '';
  const [id = ''] = secret.split('.');
  const order = secret ? await context.store.orders.ofSession(id) : undefined;
  if (order) {
    const account = accountOf(context, order.account);
    if (isClientSecret(account, id, secret)) return { session: sessionOf(order, id), account, order };
  }
  throw new ProblemError('unauthorized', 'Send the session’s client_secret: Authorization: Bearer <client_secret>.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
