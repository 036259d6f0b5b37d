import { timingSafeEqual } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Scope } from '../../shared/checkout/scopes.ts';
import { ProblemError } from '../base/errors.ts';
import { sha256 } from '../base/keys.ts';
import type { Account } from '../config/load.ts';
import type { Context } from '../store/context.ts';
import { found, type PresentedKey } from './locals.ts';

/**
 * Lets a request pass whose `Authorization: Bearer` key has the scope, or any valid one where none is named, and keeps
 * the key for `accountIn` and `keyNameIn`. Every key is compared, each in constant time, so that timing tells nothing about
 * any of them.
 */
export function requireKey(context: Context, scope?: Scope): RequestHandler {
  const keys = context.config.accounts.flatMap((owner) =>
    owner.api_keys.map(({ name, scopes, sha256 }) => {
      const key: PresentedKey = { account: owner, name, scopes };
      return { key, digest: Buffer.from(sha256, 'hex') };
    }),
  );
  return (req, res, next) => {
    const presented = /^Bearer (\S{1,500})$/i.exec(req.get('authorization') ?? '')?.[1];
    const digest = Buffer.from(sha256(presented ?? ''), 'hex');
    const [known] = keys.filter((key) => timingSafeEqual(key.digest, digest));
    if (!presented || !known) {
      throw new ProblemError('unauthorized', 'Send a valid API key: Authorization: Bearer <API key>.', {
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    }
    res.locals.key = known.key;
    if (scope) checkScope(res, [scope]);
    next();
  };
}

/** Throws ProblemError `missing_scope` when the request's key has none of these scopes. */
export function checkScope(res: Response, wanted: readonly Scope[]): void {
  if (wanted.some((scope) => hasScope(res, scope))) return;
  throw new ProblemError('missing_scope', `Use an API key with the scope "${wanted.join('" or "')}".`);
}

/** Whether the request's key has a scope. */
export function hasScope(res: Response, scope: Scope): boolean {
  const { scopes } = found(res.locals.key);
  return scopes.includes('*') || scopes.includes(scope);
}

/** The account whose key the request carries. */
export function accountIn(res: Response): Account {
  return found(res.locals.key).account;
}

/** The name of the API key that the request carries: who asked for it, as far as the relay knows. */
export function keyNameIn(res: Response): string {
  return found(res.locals.key).name;
}
