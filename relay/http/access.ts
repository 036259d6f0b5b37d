import { timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Limits } from '../../shared/api/console.ts';
import type { RateLimit } from '../../shared/api/key.ts';
import type { ProblemCode } from '../../shared/checkout/problem.ts';
import type { Scope } from '../../shared/checkout/scopes.ts';
import { ProblemError } from '../base/errors.ts';
import { isClientSecret, sha256 } from '../base/keys.ts';
import type { Account } from '../config/load.ts';
import { accountOf, type Context } from '../context/context.ts';
import { type StoredOrder, sessionOf } from '../payments/order.ts';
import type { Session } from '../payments/session.ts';
import type { KeyAccess } from '../routes/route.ts';
import { countRequest } from './keys/rate-limit.ts';
import type { CountTask } from './running-handlers.ts';

/**
 * Who a request comes from: an API key, or a person who signed in to the console. For which account, how the audit log and
 * whatever was asked for names them, and what they may do.
 */
export type Principal = { account: Account; by: string; scopes: readonly Scope[] } & (
  | { kind: 'key'; rateLimit?: RateLimit }
  | { kind: 'person'; limits: Limits }
);

declare global {
  namespace Express {
    /** What the handlers of one request find out for those after them: `res.locals`. */
    interface Locals {
      principal?: Principal;
      /** The problem that the request was answered with. */
      problem?: ProblemCode;
      /** The problem that a kept answer told, or one that is kept. */
      repliedProblem?: ProblemCode;
      countTask?: CountTask;
      /** The audit log has an entry of what the request did. */
      isAudited?: true;
    }
  }
}

/** What an earlier handler of the route found out. Throws TypeError where there is none. */
export function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError('no earlier handler of this route found it out');
  return value;
}

/**
 * Makes what lets a request pass whose `Authorization: Bearer` key has the scope of a route; of a person whom the console let in
 * before, the person's own scopes count. Where the scope depends on what is asked for, the handler checks it. Keeps who it is
 * for `principalIn`, and counts the request if the key has a limit. Every key is compared, each in constant time, so that timing
 * tells nothing about any of them.
 */
export function keyGuard(context: Context, { scopes, which }: KeyAccess): (req: Request, res: Response) => void {
  const keys = context.config.accounts.flatMap((account) =>
    account.api_keys.map(({ name, scopes, sha256, rate_limit: rateLimit }) => {
      const principal: Principal = { kind: 'key', account, by: name, scopes, ...(rateLimit ? { rateLimit } : {}) };
      return { principal, digest: Buffer.from(sha256, 'hex'), sha256, rateLimit };
    }),
  );
  const keyIn = (req: Request): (typeof keys)[number] => {
    const presented = /^Bearer (\S{1,500})$/i.exec(req.get('authorization') ?? '')?.[1];
    const digest = Buffer.from(sha256(presented ?? ''), 'hex');
    const [known] = keys.filter((key) => timingSafeEqual(key.digest, digest));
    if (presented && known) return known;
    throw new ProblemError('unauthorized', 'Send a valid API key: Authorization: Bearer <API key>.', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  };
  return (req, res) => {
    if (res.locals.principal?.kind !== 'person') {
      const { principal, sha256, rateLimit } = keyIn(req);
      res.locals.principal = principal;
      if (rateLimit) countRequest(context, sha256, rateLimit, res);
    }
    if (scopes && which === undefined) checkScope(res, scopes);
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

/** Who the request comes from, as `keyGuard` found out. */
export function principalIn(res: Response): Principal {
  return required(res.locals.principal);
}

/** Who pays, by a session's client secret: the session with its account, and its order as it was read. */
export type Payer = { session: Session; account: Account; order: StoredOrder };

/** Who pays, by `Authorization: Bearer <client_secret>`. Throws ProblemError `unauthorized`. */
export async function payerOf(context: Context, authorization: string | undefined): Promise<Payer> {
  const secret = /^Bearer ([\w-]{1,200}\.[\w-]{1,200})$/i.exec(authorization ?? '')?.[1] ?? '';
  const [id = ''] = secret.split('.');
  const order = secret ? await context.store.orders.ofSession(id) : undefined;
  if (order) {
    const account = accountOf(context, order.account);
    if (isClientSecret(account, id, secret)) return { session: sessionOf(order, id), account, order };
  }
  throw new ProblemError('unauthorized', 'Send the session’s client_secret: Authorization: Bearer <client_secret>.', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });
}
