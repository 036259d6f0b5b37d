import { ProblemError } from '../base/errors.ts';
import { isClientSecret } from '../base/keys.ts';
import type { Account } from '../config/load.ts';
import { type Order, sessionOf } from '../payments/order.ts';
import type { Session } from '../payments/session.ts';
import { accountOf, type Context } from '../store/context.ts';

/** A session with its account, and its order as it was read. */
export type Authorised = { session: Session; account: Account; order: Order };

/** The session of `Authorization: Bearer <client_secret>`. Throws ProblemError `unauthorized`. */
export async function authorisedSession(context: Context, authorization: string | undefined): Promise<Authorised> {
  const secret = /^Bearer ([\w-]{1,200}\.[\w-]{1,200})$/i.exec(authorization ?? '')?.[1] ?? '';
  const [id = ''] = secret.split('.');
  const order = secret ? await context.store.orderOfSession(id) : undefined;
  if (order) {
    const account = accountOf(context, order.account);
    if (isClientSecret(account, id, secret)) return { session: sessionOf(order, id), account, order };
  }
  throw new ProblemError('unauthorized', 'Send the session’s client_secret: Authorization: Bearer <client_secret>.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
