import { Router } from 'express';
import { createSession as createSessionBody } from '../../shared/checkout/session.ts';
import { accountIn, requireKey } from '../api-keys.ts';
import type { Context } from '../context.ts';
import { ProblemError } from '../errors.ts';
import { addRoute, jsonBody, parseBody } from '../http.ts';
import { createSession } from './create.ts';
import { clientSecret } from './secrets.ts';
import { sessionAnswer } from './session-answer.ts';

/** The sessions API for shops' servers (design 4.1). */
export function serverRoutes(context: Context): Router {
  const router = Router();
  const key = requireKey(context, 'sessions');

  addRoute(router, '/v1/sessions', {
    post: [
      key,
      jsonBody,
      async (req, res) => {
        const account = accountIn(res);
        const session = await createSession(context, account, parseBody(createSessionBody, req.body));
        const secret = clientSecret(account, session.id);
        context.log.info({ request_id: res.locals.requestId, session: session.id }, 'session created');
        res.status(201).json({
          id: session.id,
          client_secret: secret,
          checkout_url: `${context.config.public_url}/checkout/${session.id}#${secret}`,
          status: session.state.status,
          expires_at: session.expires_at,
          order_no: session.order_no,
        });
      },
    ],
  });

  addRoute(router, '/v1/sessions/:id', {
    get: [
      key,
      async (req, res) => {
        const session = await context.store.session(String(req.params.id));
        if (!session || session.account !== accountIn(res).id) {
          throw new ProblemError('not_found', 'This account has no session with this id.');
        }
        const attempts = await context.store.attemptsOfOrder(session.account, session.order_no);
        res.set('Cache-Control', 'no-store').json(sessionAnswer(session, attempts, context.now()));
      },
    ],
  });

  return router;
}
