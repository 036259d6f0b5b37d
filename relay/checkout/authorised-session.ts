import { ProblemError } from '../base/errors.ts';
import { isClientSecret } from '../base/keys.ts';
import type { Account } from '../config/load.ts';
import type { Session } from '../payments/session.ts';
import { accountOf, type Context } from '../store/context.ts';

/** The session and account of `Authorization: Bearer <client_secret>`. Throws ProblemError `unauthorized`. */
export async function authorisedSession(
  context: Context,
  authorization: string | undefined,
): Promise<{ session: Session; account: Account }> {
  const secret = /^Bearer ([\w-]{1,200}\.[\w-]{1,200})$/i.exec(authorization ?? '')?.[1] ?? '';
  const session = secret ? await context.store.session(secret.split('.')[0] ?? '') : undefined;
  if (session) {
    const account = accountOf(context, session.account);
    if (isClientSecret(account, session.id, secret)) return { session, account };
  }
  throw new ProblemError('unauthorized', 'Send the session’s client_secret: Authorization: Bearer <client_secret>.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
