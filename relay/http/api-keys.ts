import { timingSafeEqual } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Scope } from '../../shared/checkout/scopes.ts';
import { ProblemError } from '../base/errors.ts';
import { sha256 } from '../base/keys.ts';
import type { Account } from '../config/load.ts';
import type { Context } from '../store/context.ts';
import { carried } from './routes.ts';

const account = carried<Account>();
const scopesOfKey = carried<readonly Scope[]>();

/**
 * Lets a request pass whose `Authorization: Bearer` key has the scope, or any valid one where none is named, and keeps
 * the key's account for `accountIn`. Every key is compared, each in constant time, so that timing tells nothing about
 * any of them.
 */
export function requireKey(context: Context, scope?: Scope): RequestHandler {
  const keys = context.config.accounts.flatMap((owner) =>
    owner.api_keys.map((key) => ({ account: owner, scopes: key.scopes, digest: Buffer.from(key.sha256, 'hex') })),
  );
  return (req, res, next) => {
    const presented = /^Bearer (\S{1,500})$/i.exec(req.get('authorization') ?? '')?.[1];
    const digest = Buffer.from(sha256(presented ?? ''), 'hex');
    const [found] = keys.filter((key) => timingSafeEqual(key.digest, digest));
    if (!presented || !found) {
      throw new ProblemError('unauthorized', 'Send a valid API key: Authorization: Bearer <API key>.', {
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    }
    account.put(res, found.account);
    scopesOfKey.put(res, found.scopes);
    if (scope) checkScope(res, [scope]);
    next();
  };
}

/** Throws ProblemError `missing_scope` when the request's key has none of these scopes. */
export function checkScope(res: Response, wanted: readonly Scope[]): void {
  const scopes = scopesOfKey.get(res);
  if (scopes.includes('*') || wanted.some((scope) => scopes.includes(scope))) return;
  throw new ProblemError('missing_scope', `Use an API key with the scope "${wanted.join('" or "')}".`);
}

/** The account whose key the request carries. */
export function accountIn(res: Response): Account {
  return account.get(res);
}
