import { timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Limits } from '../../shared/api/console.ts';
import type { RateLimit } from '../../shared/api/key.ts';
import type { ProblemCode } from '../../shared/checkout/problem-codes.ts';
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
 * The sender of a request: an API key or a signed-in person, with the account, the name in the audit log, and the
 * scopes.
 */
export type Principal = { account: Account; by: string; scopes: readonly Scope[] } & (
  | { kind: 'key'; rateLimit?: RateLimit }
  | { kind: 'person'; limits: Limits }
);

declare global {
  namespace Express {
    /** The values that the handlers of a request store for later handlers: `res.locals`. */
    interface Locals {
      principal?: Principal;
      /** The problem in the answer. */
      problem?: ProblemCode;
      /** The problem in an answer that is stored under a key, now or before. */
      repliedProblem?: ProblemCode;
      countTask?: CountTask;
      /** The audit log has an entry about the effect of the request. */
      isAudited?: true;
    }
  }
}

/** Returns a value that an earlier handler stored. Throws TypeError if it is missing. */
export function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new TypeError('no earlier handler of this route stored it');
  return value;
}

/**
 * Returns a check of the API key and its scope. A signed-in person needs the scope, not a key. If the scope depends on the request
 * (`which`), the handler checks it. Stores the principal for `principalIn`, and counts the request if the key has a limit. Compares
 * all keys in constant time.
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
    const advice = presented
      ? 'This relay has no such API key. Check its address and the key: a sandbox makes another key at each start.'
      : 'Send an API key: Authorization: Bearer <API key>.';
    throw new ProblemError('unauthorized', advice, { headers: { 'WWW-Authenticate': 'Bearer' } });
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

/** Throws ProblemError `missing_scope` if the sender has none of these scopes. */
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

/** Whether the sender has a scope. */
export function hasScope(res: Response, scope: Scope): boolean {
  const { scopes } = principalIn(res);
  return scopes.includes('*') || scopes.includes(scope);
}

/** The sender of the request, which `keyGuard` stored. */
export function principalIn(res: Response): Principal {
  return required(res.locals.principal);
}

/** The holder of a session's client secret: the session, its account, and its order as it was read. */
export type Payer = { session: Session; account: Account; order: StoredOrder };

/** Reads the payer from `Authorization: Bearer <client_secret>`. Throws ProblemError `unauthorized`. */
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
