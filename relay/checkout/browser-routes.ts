import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Router } from 'express';
import { payByApm, payByCard, payByToken } from '../../shared/checkout/pay.ts';
import type { Context } from '../context/context.ts';
import { sendJson } from '../http/answer.ts';
import { idempotencyKey } from '../http/idempotency/idempotency-key.ts';
import { parseBody } from '../http/parse.ts';
import { serve } from '../http/serve.ts';
import { browserRoutes } from '../routes/browser.ts';
import { deviceCookie, deviceIdIn, headerText, type RequestFacts } from './fields/device.ts';
import { pay } from './pay.ts';
import { abandon, confirmReturnInForm, sessionForShopper } from './return.ts';
import { removeSavedCard } from './saved-cards.ts';
import { checkoutView } from './view.ts';

/** The routes that the form's script calls. */
export function serveForm(context: Context): Router {
  return serve(context, browserRoutes, {
    getCheckout: async ({ payer: { session, order } }) =>
      checkoutView(context, await sessionForShopper(context, session, order), session.id),
    pay: {
      read: (body) => parseBody(payBodySchema(body), body),
      answer: async ({ req, res, body, payer }) => {
        const facts = requestFacts(req, req.ip ?? '');
        const deviceId = facts.device_cookie ?? context.newId('dv');
        // Also for a refused payment, so that the next try has the same device id.
        res.setHeader('Set-Cookie', deviceCookie(deviceId));
        const request = { ...payer, body, facts, deviceId, ...idempotencyKey(req, payer.account) };
        sendJson(res, await pay(context, { ...request, hasHungUp: () => req.socket.destroyed }));
      },
    },
    returned: async ({ payer: { session } }) =>
      checkoutView(context, await confirmReturnInForm(context, session), session.id),
    removeCard: async ({ body, payer: { session } }) =>
      checkoutView(context, await removeSavedCard(context, session, body.token_id), session.id),
    abandon: async ({ payer: { session } }) => checkoutView(context, await abandon(context, session), session.id),
  });
}

/** The schema that a body seems to follow, so that its mistakes are reported against the right schema. */
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

/** The shopper's address, IPv4 in its own form; undefined if a proxy wrote another text. */
function addressText(address: string): string {
  const text = address.replace(/^::ffff:(?=\d+\.)/, '');
  return isIP(text) === 0 ? '' : text;
}
