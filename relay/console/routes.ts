import compression from 'compression';
import { type RequestHandler, Router } from 'express';
import type { Context } from '../context/context.ts';
import { notFound } from '../http/answer.ts';
import { wantsCsv } from '../http/csv.ts';
import { liveRoutes } from './live.ts';
import { type ConsolePage, consoleHeaders, consolePageRoutes } from './page.ts';
import { createCredentialCheck } from './sign-in/check-credentials.ts';
import { asPerson, requireCsrf, requirePerson } from './sign-in/guard.ts';
import { ownRoutes } from './sign-in/own-routes.ts';
import { createPasswords } from './sign-in/passwords.ts';
import { removeReset } from './sign-in/reset.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { createSignIns } from './sign-in/sign-ins.ts';

/** The other parts of the console: the HTTP API's routes, and the built page if there is one. */
type ConsoleParts = { api: readonly RequestHandler[]; page: ConsolePage | undefined; isDraining: () => boolean };

/** The operations console: its page, the sign-in, and the HTTP API for signed-in people. */
export function consoleRoutes(context: Context, { api, page, isDraining }: ConsoleParts): Router {
  const router = Router();
  const signIns = createSignIns(context);
  const checkCredentials = createCredentialCheck(context, createPasswords(context.config.console.people));
  const person = asPerson(context);
  void removeReset(context);
  router.use('/console', consoleHeaders);
  router.use(signInRoutes(context, signIns, checkCredentials));
  router.use(ownRoutes(context, signIns, checkCredentials));
  // Background requests of a page do not prolong the sign-in.
  router.use(liveRoutes(context, { signIns, guards: [requirePerson(signIns, { isSeen: false }), person], isDraining }));
  // Requests of other sites have no cookies: no attacker can compare the sizes of compressed answers.
  const compress = compression();
  router.use('/console/api/:account/v1', (req, res, next) => {
    // A CSV file is sent while it is read, and would wait in the compressor.
    const format = req.query.format === 'csv' ? 'csv' : undefined;
    if (wantsCsv(req, format)) next();
    else compress(req, res, next);
  });
  router.use('/console/api/:account', requirePerson(signIns), person, requireCsrf, ...api, notFound);
  router.use('/console/api', notFound);
  router.use(consolePageRoutes(page));
  return router;
}
