import { isIP } from 'node:net';
import { type Request, Router } from 'express';
import { payByApm, payByCard, payByToken } from '../../shared/checkout/pay.ts';
import { MAX_FILE_TEXT } from '../../shared/gateway/apm-payment.ts';
import { sendJson } from '../http/answer.ts';
import { idempotencyKey } from '../http/idempotency.ts';
import { bodyIfAny, readJsonBody } from '../http/json-body.ts';
import { found } from '../http/locals.ts';
import { addRoute, noBody, parseBody } from '../http/routes.ts';
import type { Context } from '../store/context.ts';
import { authorisedSession } from './authorised-session.ts';
import { sessionForShopper } from './come-back.ts';
import type { RequestFacts } from './fields/device.ts';
import { deviceCookie, deviceIdIn } from './fields/device-cookie.ts';
import { pay } from './pay.ts';
import { abandon } from './server/settle.ts';
import { checkoutView } from './view.ts';

/** What the form's script calls. */
export function browserRoutes(context: Context): Router {
  const router = Router();

  addRoute(router, '/checkout/api/session', {
    get: [
      async (req, res) => {
        const { session, order: read } = await authorisedSession(context, req.get('authorization'));
        const order = await sessionForShopper(context, session, read);
        res.set('Cache-Control', 'no-store').json(checkoutView(context, order, session.id));
      },
    ],
  });

  addRoute(router, '/checkout/api/pay', {
    post: [
      async (req, res) => {
        const payer = await authorisedSession(context, req.get('authorization'));
        const given = await readJsonBody(req, res, MAX_FILE_TEXT);
        const body = parseBody(payBodySchema(given), given);
        const facts = requestFacts(req);
        const deviceId = facts.device_cookie ?? context.newId('dv');
        // On a refusal too: the next try is then of the same device.
        res.setHeader('Set-Cookie', deviceCookie(deviceId));
        const request = { ...payer, body, facts, deviceId, key: idempotencyKey(req, payer.account) };
        sendJson(res, await pay(context, { ...request, hasHungUp: () => req.socket.destroyed }));
      },
    ],
  });

  addRoute(router, '/checkout/api/abandon', {
    post: [
      async (req, res, next) => {
        res.locals.payer = await authorisedSession(context, req.get('authorization'));
        next();
      },
      bodyIfAny,
      async (req, res) => {
        parseBody(noBody, req.body);
        const { session } = found(res.locals.payer);
        const order = await abandon(context, session);
        res.set('Cache-Control', 'no-store').json(checkoutView(context, order, session.id));
      },
    ],
  });

  return router;
}

/** The schema that a body means to follow, so that its mistakes are told against the right one. */
function payBodySchema(body: unknown): typeof payByCard | typeof payByToken | typeof payByApm {
  const has = (name: string): boolean => typeof body === 'object' && body !== null && Object.hasOwn(body, name);
  if (has('payment_method')) return payByApm;
  return has('token_id') ? payByToken : payByCard;
}

function requestFacts(req: Request): RequestFacts {
  const cookie = deviceIdIn(req.get('cookie'));
  return {
    user_agent: headerText(req.get('user-agent')),
    accept: headerText(req.get('accept')),
    accept_language: headerText(req.get('accept-language')),
    shopper_ip: addressText(req.ip ?? ''),
    ...(cookie ? { device_cookie: cookie } : {}),
  };
}

/** A header as a field of a message: without control characters, and not endless. */
function headerText(value: string | undefined): string {
  return (value ?? '').replace(/\p{Cc}/gu, ' ').slice(0, 1000);
}

/** An IPv4 address as such; whatever a proxy wrote that is no address is none. */
function addressText(address: string): string {
  const text = address.replace(/^::ffff:(?=\d+\.)/, '');
  return isIP(text) === 0 ? '' : text;
}
