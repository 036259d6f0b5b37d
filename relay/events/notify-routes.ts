import { type Request, type Response, Router } from 'express';
import { sameText } from '../../shared/gateway/signature.ts';
import { isWorthALook, lookOnce } from '../checkout/look.ts';
import { notificationToken } from '../checkout/secrets.ts';
import type { Session } from '../checkout/session.ts';
import type { Context } from '../context.ts';
import { ProblemError } from '../errors.ts';
import { addRoute } from '../http.ts';
import type { Account } from '../load-config.ts';
import { notificationBody } from './notification-body.ts';
import { heardOfPayout } from './payout-notification.ts';

/**
 * Where the gateway notifies us (design 7). What it says of a payment is a hint, never a fact: it is acknowledged, not read,
 * and then the gateway is asked. A payout cannot be asked about, so what is said of one is read.
 */
export function notifyRoutes(context: Context): Router {
  const router = Router();
  addRoute(router, '/notify/:kind/:id/:token', {
    post: [
      async (req, res) => {
        switch (req.params.kind) {
          case 'payment':
            return aboutPayment(context, req, res);
          case 'payout':
            return aboutPayout(context, req, res);
          default:
            throw notAnAddress();
        }
      },
    ],
  });
  return router;
}

async function aboutPayment(context: Context, req: Request, res: Response): Promise<void> {
  const session = await context.store.session(String(req.params.id));
  if (!session || !addressee(context, req, session.account)) throw notAnAddress();
  acknowledge(context, res);
  lookIfWorth(context, session).catch((error: unknown) => {
    const name = error instanceof Error ? error.name : 'unknown';
    context.log.error({ session: session.id, error: name }, 'look after a notification failed');
  });
}

async function aboutPayout(context: Context, req: Request, res: Response): Promise<void> {
  const operation = await context.store.operation(String(req.params.id));
  const account = operation?.name === 'payout' && addressee(context, req, operation.account);
  if (!operation || !account) throw notAnAddress();
  const body = await notificationBody(req, res);
  // What is too large is no notification of any gateway. It is acknowledged so that it does not come again and again.
  if (body) await heardOfPayout(context, account, operation, body);
  acknowledge(context, res);
}

/** The account that an address was made for; undefined when somebody guessed it. */
function addressee(context: Context, { params }: Request, id: string): Account | undefined {
  const account = context.config.accounts.find((entry) => entry.id === id);
  const token = account && notificationToken(account, String(params.kind), String(params.id));
  return token && sameText(String(params.token), token) ? account : undefined;
}

function acknowledge({ config }: Context, res: Response): void {
  res.type('text/plain').send(config.gateway.profile.notification_ack);
}

function notAnAddress(): ProblemError {
  return new ProblemError('not_found', 'Notifications go to the notify_url of a payment or payout.');
}

async function lookIfWorth(context: Context, session: Session): Promise<void> {
  if (await isWorthALook(context, session)) await lookOnce(context, session, 'notification');
}
