import { timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Scope } from '../../shared/checkout/scopes.ts';
import { ProblemError } from '../base/errors.ts';
import { sha256 } from '../base/keys.ts';
import type { Account } from '../config/load.ts';
import type { Context } from '../store/context.ts';
import { found, type Principal } from './locals.ts';

/**
 * Lets a request pass whose `Authorization: Bearer` key has the scope, or any valid one where none is named; of a person
 * whom the console let in before, the person's own scopes count. Keeps who it is for `accountIn` and `principalIn`. Every key
 * is compared, each in constant time, so that timing tells nothing about any of them.
 */
export function requireKey(context: Context, scope?: Scope): RequestHandler {
  const keys = context.config.accounts.flatMap((account) =>
    account.api_keys.map(({ name, scopes, sha256 }) => {
      const principal: Principal = { kind: 'key', account, by: name, scopes };
      return { principal, digest: Buffer.from(sha256, 'hex') };
    }),
  );
  const ownerOf = (req: Request): Principal => {
    const presented = /^Bearer (\S{1,500})$/i.exec(req.get('authorization') ?? '')?.[1];
    const digest = Buffer.from(sha256(presented ?? ''), 'hex');
    const [known] = keys.filter((key) => timingSafeEqual(key.digest, digest));
    if (presented && known) return known.principal;
    throw new ProblemError('unauthorized', 'Send a valid API key: Authorization: Bearer <API key>.', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  };
  return (req, res, next) => {
    if (res.locals.principal?.kind !== 'person') res.locals.principal = ownerOf(req);
    if (scope) checkScope(res, [scope]);
    next();
  };
}

/** Throws ProblemError `missing_scope` when the caller has none of these scopes. */
export function checkScope(res: Response, wanted: readonly Scope[]): void {
  if (wanted.some((scope) => hasScope(res, scope))) return;
  const scopes = wanted.join('" or "');
  const { kind } = principalIn(res);
  throw new ProblemError(
    'missing_scope',
    kind === 'key'
      ? `Use an API key with the scope "${scopes}".`
      : `This needs the scope "${scopes}", which you do not have.`,
  );
}

/** Whether the caller has a scope. */
export function hasScope(res: Response, scope: Scope): boolean {
  const { scopes } = principalIn(res);
  return scopes.includes('*') || scopes.includes(scope);
}

/** The account that the request is about. */
export function accountIn(res: Response): Account {
  return principalIn(res).account;
}

/** Who the request comes from, as `requireKey` found out. */
export function principalIn(res: Response): Principal {
  return found(res.locals.principal);
}
