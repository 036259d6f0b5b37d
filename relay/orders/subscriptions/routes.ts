import { Router } from 'express';
import { subscriptionQuery } from '../../../shared/api/subscription.ts';
import { accountIn, requireKey } from '../../http/api-keys.ts';
import { addRoute, parseBody } from '../../http/routes.ts';
import type { Context } from '../../store/context.ts';
import { subscriptionSearchOf } from '../terms.ts';
import { findSubscriptions } from './find.ts';

/** What the relay knows of an account's contracts. */
export function subscriptionRoutes(context: Context): Router {
  const router = Router();
  addRoute(router, '/v1/subscriptions', {
    get: [
      requireKey(context, 'console'),
      async (req, res) => {
        const search = subscriptionSearchOf(parseBody(subscriptionQuery, { ...req.query }), accountIn(res));
        res.set('Cache-Control', 'no-store').json(await findSubscriptions(context, search));
      },
    ],
  });
  return router;
}
