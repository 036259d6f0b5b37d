import { Router } from 'express';
import { createSession as createSessionBody } from '../../shared/checkout/session.ts';
import { accountIn, requireKey } from '../api-keys.ts';
import type { Context } from '../context.ts';
import { ProblemError } from '../errors.ts';
import { addRoute, jsonBody, parseBody } from '../http.ts';
import { createSession } from './create.ts';
import { clientSecret } from './secrets.ts';
import type { Attempt, Session } from './session.ts';

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

function sessionAnswer(session: Session, attempts: readonly Attempt[], now: Date): object {
  const { state, terms } = session;
  const isOver = state.status === 'open' && Date.parse(session.expires_at) <= now.getTime();
  return {
    id: session.id,
    status: isOver ? 'expired' : state.status,
    order_no: session.order_no,
    currency: terms.order.currency,
    amount: terms.order.amount,
    revision: session.revision,
    created_at: session.created_at,
    expires_at: session.expires_at,
    attempts: attempts.filter((attempt) => attempt.session_id === session.id).map(attemptAnswer),
    ...('result' in state && state.result ? { result: state.result } : {}),
    ...(state.status === 'approved' ? approvedAnswer(state) : {}),
    ...(state.status === 'unknown' ? { unknown: searchAnswer(state.search) } : {}),
  };
}

function approvedAnswer(state: Extract<Session['state'], { status: 'approved' }>): object {
  const { transaction_id, card, recurring_id } = state;
  return { transaction_id, ...(card ? { card } : {}), ...(recurring_id ? { recurring_id } : {}) };
}

function searchAnswer(search: Extract<Session['state'], { status: 'unknown' }>['search']): object {
  const { reason, since, next_look_at, looks, needs_attention } = search;
  return { reason, since, next_look_at, looks, needs_attention };
}

function attemptAnswer(attempt: Attempt): object {
  const { id, method, card, amount, currency, started_at, settled_at, transaction_id, state } = attempt;
  return {
    id,
    status: state.status,
    method,
    ...(card ? { card } : {}),
    amount,
    currency,
    started_at,
    ...(settled_at ? { settled_at } : {}),
    ...(transaction_id ? { transaction_id } : {}),
    ...('result' in state && state.result ? { result: state.result } : {}),
    ...('reason' in state ? { reason: state.reason } : {}),
  };
}
