import { type RequestHandler, Router } from 'express';
import type { ProfileAnswer } from '../../shared/api/profile.ts';
import { requireKey } from '../http/api-keys.ts';
import { addRoute, notFound } from '../http/routes.ts';
import type { Context } from '../store/context.ts';
import { liveRoutes } from './live.ts';
import { type ConsolePage, consoleHeaders, consolePageRoutes } from './page.ts';
import { asPerson, requireCsrf, requirePerson } from './sign-in/guard.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { createSignIns } from './sign-in/sign-ins.ts';

/** What the console is made of beside its own: the HTTP API's routes, and the built page where there is one. */
type ConsoleParts = { api: readonly RequestHandler[]; page: ConsolePage | undefined; isDraining: () => boolean };

/** The operations console: its page, the sign-in, and the HTTP API for signed-in people. */
export function consoleRoutes(context: Context, { api, page, isDraining }: ConsoleParts): Router {
  const router = Router();
  const signIns = createSignIns(context);
  const person = asPerson(context);
  router.use('/console', consoleHeaders);
  router.use(signInRoutes(context, signIns));
  // A page that looks by itself keeps nobody signed in.
  router.use(liveRoutes(context, { signIns, guards: [requirePerson(signIns, false), person], isDraining }));
  router.use('/console/api/:account', requirePerson(signIns), person, requireCsrf, ...api, notFound);
  router.use('/console/api', notFound);
  router.use(consolePageRoutes(page));
  return router;
}

/** What the gateway's own records mean, for their readers. */
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
