import type { Router } from 'express';
import type { AuditAction } from '../../../shared/api/audit.ts';
import type { SessionAnswer, SessionCreated } from '../../../shared/api/session.ts';
import { isObject } from '../../../shared/checkout/is-object.ts';
import { ProblemError } from '../../base/errors.ts';
import { clientSecret } from '../../base/keys.ts';
import type { WriteExtras } from '../../commit/commit.ts';
import { givenAnswer, sessionAnswer } from '../../commit/session-answer.ts';
import type { Account } from '../../config/load.ts';
import { accountOf, type Context, refundedOf } from '../../context/context.ts';
import { checkScope } from '../../http/access.ts';
import { auditOf } from '../../http/audit.ts';
import { jsonReply, type Reply, type Use } from '../../http/idempotency/idempotency.ts';
import { type ChangedOrder, changedOrder } from '../../http/idempotency/written-reply.ts';
import { serve } from '../../http/serve.ts';
import { type StoredOrder, sessionOf } from '../../payments/order.ts';
import { isOver, type Session } from '../../payments/session.ts';
import { paymentRoutes } from '../../routes/payments.ts';
import { sessionRoutes } from '../../routes/sessions.ts';
import { holderOf, orderProblem } from '../conflicts.ts';
import { payFromServer, paymentAgain, readPayment } from './payment.ts';
import { changeOrder, newSession } from './session.ts';
import { settleSession, withdrawSession } from './settle.ts';

/** The routes of sessions and payments for shops' servers. */
export function serveSessions(context: Context): Router {
  return serve(
    context,
    { ...sessionRoutes, ...paymentRoutes },
    {
      createSession: {
        work: async (body, { account, answered }) => {
          const session = newSession(context, account, body);
          const reply = jsonReply(201, createdAnswer(context, account, session));
          const kept = answered(reply);
          const created = await context.store.sessions.create(session, kept && { ...kept, subject: session.id });
          if (created.kind !== 'created') {
            const order = await context.store.orders.get(session.account, session.order_no);
            throw orderProblem(created.kind, holderOf(order));
          }
          context.log.info({ session: session.id }, 'session created');
          return reply;
        },
        keepsReplies: true,
      },
      createPayment: {
        read: readPayment,
        work: (body, use, req) => payFromServer(context, body, use, { hasHungUp: () => req.socket.destroyed }),
        keepsReplies: true,
        lookUp: (id, account) => paymentAgain(context, account, id),
        ordersIn,
      },
      getSession: async ({ res, params, account }) => {
        const session = await context.store.sessions.get(params.id);
        const isOwn = session?.account === account.id;
        // A key that may create payments may also read their progress.
        checkScope(res, isOwn && session.terms.single ? ['sessions', 'payments'] : ['sessions']);
        if (!isOwn) throw new ProblemError('not_found', 'This account has no session with this id.');
        return answerOf(context, session);
      },
      updateSession: async ({ req, res, params, body, account }) => {
        return answerOf(context, await changeOrder(context, account, params.id, body, auditOf(context, req, res)));
      },
      settleSession: {
        work: (body, use, req) => {
          const id = String(req.params.id);
          const settle = (more: More) => settleSession(context, use.account, id, body, use.by, more);
          return changedSession(context, use, { action: 'session.settle', id, decision: body.outcome }, settle);
        },
        keepsReplies: true,
      },
      expireSession: {
        work: (_body, use, req) => {
          const id = String(req.params.id);
          const withdraw = (more: More) => withdrawSession(context, use.account, id, use.by, more);
          return changedSession(context, use, { action: 'session.expire', id }, withdraw);
        },
        keepsReplies: true,
      },
    },
  );
}

type More = (written: StoredOrder) => WriteExtras;

/** Changes a session by `change`, and returns the session as the reply. */
async function changedSession(
  context: Context,
  use: Use,
  { id, ...about }: { action: AuditAction; id: string; decision?: string },
  change: (more: More) => Promise<StoredOrder>,
): Promise<Reply> {
  const changed = (order: StoredOrder): ChangedOrder => ({
    order,
    reply: jsonReply(200, sessionAnswer(order, sessionOf(order, id), context.now())),
    ...settledItems(sessionOf(order, id)),
  });
  return changedOrder(context, use, { ...about, subject: id }, async (more) =>
    changed(await change((written) => more(changed(written)))),
  );
}

/** The payment that a person reported, for the audit log. */
function settledItems({ settled }: Session): Pick<ChangedOrder, 'items'> {
  if (settled?.outcome !== 'approved') return {};
  const { transaction_id, amount, currency } = settled;
  return { items: [{ transaction_id, amount, currency }] };
}

/** A session for the shop's server, with the values that the shop's page needs until the session is over. */
async function answerOf(context: Context, { id, account, order_no }: Session): Promise<SessionAnswer> {
  const order = await context.store.orders.get(account, order_no);
  const session = sessionOf(order, id);
  const answer = sessionAnswer(order, session, context.now(), await refundedOf(context, order));
  if (isOver(session) || session.terms.single) return answer;
  const { client_secret, checkout_url } = createdAnswer(context, accountOf(context, account), session);
  return { ...answer, client_secret, checkout_url };
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
    ...givenAnswer(session),
  };
}

/** The order_no in an unchecked body; none if it may contain a card number. */
function ordersIn(body: unknown): string[] {
  if (!isObject(body) || typeof body.order_no !== 'string') return [];
  const [order, card] = [body.order_no, String(body.card ?? '')].map((text) => text.replace(/\D/g, ''));
  return card && order?.includes(card) ? [] : [body.order_no];
}
