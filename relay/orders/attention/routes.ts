import { Router } from 'express';
import { accountIn, requireKey } from '../../http/api-keys.ts';
import { addRoute } from '../../http/routes.ts';
import type { Context } from '../../store/context.ts';
import { attentionOf } from './attention.ts';

/** What waits for a person in an account. */
export function attentionRoutes(context: Context): Router {
  const router = Router();
  addRoute(router, '/v1/attention', {
    get: [
      requireKey(context, 'console'),
      async (_req, res) => {
        res.set('Cache-Control', 'no-store').json(await attentionOf(context, accountIn(res).id));
      },
    ],
  });
  return router;
}
