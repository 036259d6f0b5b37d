import { type Request, type Response, Router } from 'express';
import { ProblemError } from '../base/errors.ts';
import { isNotificationToken } from '../config/derived-secrets.ts';
import type { Account } from '../config/load.ts';
import { identifyingFields } from '../gateway/identifying-fields.ts';
import { addRoute } from '../http/routes.ts';
import type { Operation } from '../payments/operation.ts';
import type { Context } from '../store/context.ts';
import { readNotification } from './notification-body.ts';
import { heardOfPayout } from './payout-notification.ts';
import { type Received, receiveBody } from './receive-body.ts';

/** What a notify_url was made for. */
type Subject = { account: Account; id: string } & ({ kind: 'payment' } | { kind: 'payout'; payout: Operation });

/**
 * Where the gateway notifies us (design 7). What it says of a payment is a hint, never a fact: it is kept, acknowledged, and
 * then the gateway is asked. A payout cannot be asked about, so what is said of one is heard before it is acknowledged.
 */
export function notifyRoutes(context: Context): Router {
  const router = Router();
  addRoute(router, '/notify/:kind/:id/:token', { post: [(req, res) => takeNotification(context, req, res)] });
  return router;
}

async function takeNotification(context: Context, req: Request, res: Response): Promise<void> {
  const subject = await subjectOf(context, req);
  // Off the wire first: an answer to somebody who still sends may be lost with the connection.
  const received = await receiveBody(req);
  switch (received.kind) {
    case 'cut_off':
      res.destroy();
      return;
    case 'too_large':
      throw new ProblemError('body_too_large', 'Send at most 16 MiB.', { headers: { Connection: 'close' } });
    case 'whole':
      if (!subject) throw new ProblemError('not_found', 'Notifications go to the notify_url of a payment or payout.');
      await keep(context, subject, received, req.get('content-encoding'));
      res.type('text/plain').send(context.config.gateway.profile.notification_ack);
      if (subject.kind === 'payment') context.wakeUps.reconciliation.ring();
  }
}

/** What an address was made for; undefined when somebody guessed it. Throws StoreError. */
async function subjectOf(context: Context, { params }: Request): Promise<Subject | undefined> {
  const id = String(params.id);
  switch (params.kind) {
    case 'payment': {
      const account = addressee(context, params, (await context.store.session(id))?.account);
      return account && { kind: 'payment', account, id };
    }
    case 'payout': {
      const payout = await context.store.operation(id);
      const account = addressee(context, params, payout?.account);
      return payout?.name === 'payout' && account ? { kind: 'payout', account, id, payout } : undefined;
    }
    default:
      return undefined;
  }
}

function addressee({ config }: Context, params: Request['params'], id: string | undefined): Account | undefined {
  const account = config.accounts.find((entry) => entry.id === id);
  const isRight = account && isNotificationToken(account, String(params.kind), String(params.id), String(params.token));
  return isRight ? account : undefined;
}

/** Writes down that a notification came, and what a payout's says. Throws StoreError: then it must come again. */
async function keep(
  context: Context,
  subject: Subject,
  { bytes, sha256, content }: Extract<Received, { kind: 'whole' }>,
  encoding: string | undefined,
): Promise<void> {
  const { kind, id, account } = subject;
  const message = content && (await readNotification(content, encoding));
  await context.store.addNotification({
    kind,
    subject: id,
    account: account.id,
    received_at: context.now().toISOString(),
    bytes,
    sha256,
    fields: identifyingFields(message ?? {}),
  });
  context.metrics.notification(kind);
  if (kind === 'payment') context.log.info({ session: id, bytes }, 'notification of a payment');
  // What is too large is no notification of any gateway. It is acknowledged so that it does not come again and again.
  if (subject.kind === 'payout' && content) {
    await heardOfPayout(context, account, subject.payout, { bytes, sha256, message });
  }
}
