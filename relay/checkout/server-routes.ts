import { Router } from 'express';
import { type CreatePayment, paymentByApm, paymentByCard, paymentByToken } from '../../shared/api/payment.ts';
import type { SessionCreated } from '../../shared/api/session.ts';
import { createSession, updateSession } from '../../shared/checkout/session.ts';
import { ProblemError } from '../base/errors.ts';
import { clientSecret } from '../config/derived-secrets.ts';
import type { Account } from '../config/load.ts';
import { accountIn, checkScope, requireKey } from '../http/api-keys.ts';
import { idempotent, jsonReply, sameContent } from '../http/idempotency.ts';
import { addRoute, jsonBody, parseBody } from '../http/routes.ts';
import type { Session } from '../payments/session.ts';
import type { Context } from '../store/context.ts';
import { sessionAnswer } from '../webhooks/session-answer.ts';
import { changeOrder } from './change-order.ts';
import { takenProblem } from './conflicts.ts';
import { newSession } from './create.ts';
import { isPaymentOf, payFromServer, paymentAgain } from './server-payment.ts';

/** The sessions API for shops' servers (design 4.1). */
export function serverRoutes(context: Context): Router {
  const router = Router();
  const key = requireKey(context, 'sessions');

  addRoute(router, '/v1/sessions', {
    post: [
      key,
      jsonBody,
      idempotent(context, {
        path: () => '/v1/sessions',
        read: (body) => parseBody(createSession, body),
        work: async (body, { account, answered }) => {
          const session = newSession(context, account, body);
          const reply = jsonReply(201, createdAnswer(context, account, session));
          const kept = answered(reply);
          const created = await context.store.createSession(session, kept && { ...kept, subject: session.id });
          if (created.kind !== 'created') throw await takenProblem(context, created.kind, session);
          context.log.info({ session: session.id }, 'session created');
          return reply;
        },
        keepsReplies: true,
        lookUp: async (id, account) => {
          const session = await context.store.session(id);
          return session ? jsonReply(201, createdAnswer(context, account, session)) : 'again';
        },
        madeBy: async (id, body, account) => {
          const session = await context.store.session(id);
          return !session || sameContent(...madeOf(session, newSession(context, account, body)));
        },
      }),
    ],
  });

  addRoute(router, '/v1/payments', {
    post: [
      requireKey(context, 'payments'),
      jsonBody,
      idempotent(context, {
        path: () => '/v1/payments',
        read: readPayment,
        work: (body, use) => payFromServer(context, body, use),
        keepsReplies: true,
        lookUp: (id, account) => paymentAgain(context, account, id),
        madeBy: (id, body) => isPaymentOf(context, id, body),
      }),
    ],
  });

  addRoute(router, '/v1/sessions/:id', {
    get: [
      requireKey(context),
      async (req, res) => {
        const session = await context.store.session(String(req.params.id));
        const isOwn = session?.account === accountIn(res).id;
        // Whoever may make payments may see how they go on.
        checkScope(res, isOwn && session.terms.single ? ['sessions', 'payments'] : ['sessions']);
        if (!isOwn) throw new ProblemError('not_found', 'This account has no session with this id.');
        const attempts = await context.store.attemptsOfOrder(session.account, session.order_no);
        res.set('Cache-Control', 'no-store').json(sessionAnswer(session, attempts, context.now()));
      },
    ],
    patch: [
      key,
      jsonBody,
      async (req, res) => {
        const body = parseBody(updateSession, req.body);
        const session = await changeOrder(context, accountIn(res), String(req.params.id), body);
        const attempts = await context.store.attemptsOfOrder(session.account, session.order_no);
        res.set('Cache-Control', 'no-store').json(sessionAnswer(session, attempts, context.now()));
      },
    ],
  });

  return router;
}

function createdAnswer(context: Context, account: Account, session: Session): SessionCreated {
  const secret = clientSecret(account, session.id);
  return {
    id: session.id,
    client_secret: secret,
    checkout_url: `${context.config.public_url}/checkout/${session.id}#${secret}`,
    status: session.state.status,
    expires_at: session.expires_at,
    order_no: session.order_no,
  };
}

/** What two sessions were made of, as far as that can still be told: the order of one may have been changed since. */
function madeOf(kept: Session, asked: Session): [object, object] {
  const partsOf = ({ order_no, terms }: Session): object => {
    // An earlier version did not write down whether cards are kept.
    const { order, installment_options, filled: _, keeps_cards: __, ...rest } = terms;
    return { order_no, ...rest, ...(kept.revision === 1 ? { order, installment_options } : {}) };
  };
  return [partsOf(kept), partsOf(asked)];
}

/** Reads a payment against the schema that it means to follow, so that its mistakes are told against the right one. */
function readPayment(body: unknown): CreatePayment {
  const has = (name: string): boolean => typeof body === 'object' && body !== null && Object.hasOwn(body, name);
  if (has('payment_method')) return parseBody(paymentByApm, body);
  return has('token_id') && !has('card') ? parseBody(paymentByToken, body) : parseBody(paymentByCard, body);
}
