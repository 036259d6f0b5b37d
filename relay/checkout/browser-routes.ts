import { Router } from 'express';
import { MAX_FILE_TEXT } from '../../shared/gateway/apm-payment.ts';
import { bodyIfAny, readJsonBody } from '../http/json-body.ts';
import { found } from '../http/locals.ts';
import { addRoute, noBody, parseBody } from '../http/routes.ts';
import type { Context } from '../store/context.ts';
import { abandon } from './abandon.ts';
import { answerPayment, authorisedSession, PAY_PATH } from './answer-payment.ts';
import { sessionForShopper } from './come-back.ts';
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

  addRoute(router, PAY_PATH, {
    post: [
      async (req, res) => {
        const body = () => readJsonBody(req, res, MAX_FILE_TEXT);
        await answerPayment(context, req, res, { body, address: req.ip ?? '' });
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
