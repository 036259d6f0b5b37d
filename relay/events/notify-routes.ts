import { Router } from 'express';
import { sameText } from '../../shared/gateway/signature.ts';
import { isWorthALook, lookOnce } from '../checkout/look.ts';
import { notificationToken } from '../checkout/secrets.ts';
import type { Session } from '../checkout/session.ts';
import { accountOf, type Context } from '../context.ts';
import { ProblemError } from '../errors.ts';
import { addRoute } from '../http.ts';

/**
 * Where the gateway notifies us (design 7). What it says is a hint, never a fact: it is acknowledged, not read, and then
 * the gateway is asked. A session that waits for nothing is left alone.
 */
export function notifyRoutes(context: Context): Router {
  const router = Router();
  addRoute(router, '/notify/:kind/:id/:token', {
    post: [
      async (req, res) => {
        const [kind, id, token] = [String(req.params.kind), String(req.params.id), String(req.params.token)];
        const session = kind === 'payment' ? await context.store.session(id) : undefined;
        const account = session && accountOf(context, session.account);
        if (!session || !account || !sameText(token, notificationToken(account, kind, id))) {
          throw new ProblemError('not_found', 'Notifications go to the notify_url of a payment.');
        }
        res.type('text/plain').send(context.config.gateway.profile.notification_ack);
        lookIfWorth(context, session).catch((error: unknown) => {
          const name = error instanceof Error ? error.name : 'unknown';
          context.log.error({ session: session.id, error: name }, 'look after a notification failed');
        });
      },
    ],
  });
  return router;
}

async function lookIfWorth(context: Context, session: Session): Promise<void> {
  if (await isWorthALook(context, session)) await lookOnce(context, session, 'notification');
}
