import { Router } from 'express';
import { emptyBody } from '../../shared/api/fields.ts';
import { bodyIfAny } from '../http/json-body.ts';
import { found } from '../http/locals.ts';
import { addRoute, parseBody } from '../http/routes.ts';
import type { StoredOrder } from '../payments/order.ts';
import type { Session } from '../payments/session.ts';
import type { Context } from '../store/context.ts';
import { answerPayment, authorisedSession } from './answer-payment.ts';
import { abandon, comeBackInForm, sessionForShopper } from './come-back.ts';
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

  addRoute(router, '/checkout/api/pay', { post: [(req, res) => answerPayment(context, req, res)] });

  /** What the shopper tells of the payment that they were sent to make. */
  const addTelling = (path: string, tell: (context: Context, session: Session) => Promise<StoredOrder>): void =>
    addRoute(router, path, {
      post: [
        async (req, res, next) => {
          res.locals.payer = await authorisedSession(context, req.get('authorization'));
          next();
        },
        bodyIfAny,
        async (req, res) => {
          parseBody(emptyBody, req.body);
          const { session } = found(res.locals.payer);
          const order = await tell(context, session);
          res.set('Cache-Control', 'no-store').json(checkoutView(context, order, session.id));
        },
      ],
    });
  addTelling('/checkout/api/returned', comeBackInForm);
  addTelling('/checkout/api/abandon', abandon);

  return router;
}
