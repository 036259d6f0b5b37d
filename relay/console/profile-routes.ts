import { Router } from 'express';
import type { ProfileAnswer } from '../../shared/api/profile.ts';
import { requireKey } from '../http/api-keys.ts';
import { addRoute } from '../http/routes.ts';
import type { Context } from '../store/context.ts';

/** What the gateway's own records mean, for whoever reads them. */
export function profileRoutes(context: Context): Router {
  const router = Router();
  const { gateway_time_zone, codes } = context.config.gateway.profile;
  const { payment_status, return_status, refund_status } = codes;
  const answer: ProfileAnswer = { gateway_time_zone, codes: { payment_status, return_status, refund_status } };
  addRoute(router, '/v1/profile', {
    get: [requireKey(context, 'query'), (_req, res) => void res.set('Cache-Control', 'no-store').json(answer)],
  });
  return router;
}
