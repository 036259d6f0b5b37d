import type { Request, Response } from 'express';
import { isObject } from '../../../shared/checkout/is-object.ts';
import type { Problem } from '../../../shared/checkout/problem.ts';
import { ProblemError, StoreError } from '../../base/errors.ts';
import { seal } from '../../base/keys.ts';
import type { Account } from '../../config/load.ts';
import type { Context } from '../../context/context.ts';
import type { Claim } from '../../store/facets/keys.ts';
import { principalIn } from '../access.ts';
import { auditOf } from '../audit.ts';
import {
  keepRefusal,
  keepReply,
  type LongReply,
  type LookUp,
  PROBLEM,
  type Reply,
  releaseKey,
  takeKey,
  type Use,
} from './idempotency.ts';
import { claimOf, idempotencyKey } from './idempotency-key.ts';

/** A POST route whose answers are stored under an `Idempotency-Key`. `Body` is its parsed body. */
export type Repeatable<Body extends object> = {
  /**
   * Runs the request. An error with status 400 or 422 that cannot change later is stored under the key. Any other error releases the
   * key, unless a result is already linked to it.
   */
  work: (body: Body, use: Use, req: Request) => Promise<Reply | LongReply>;
  /** True if `work` stores its replies itself, in the transaction of the result. */
  keepsReplies?: true;
  /**
   * Returns the reply to a repetition if none is stored. Throws ProblemError. `again`: nothing was sent, so the request may run
   * again.
   */
  lookUp?: (subject: string, account: Account) => Promise<Reply | 'again'>;
};

/** A repeatable route, and the functions that read its requests. */
type Route<Body extends object> = Repeatable<Body> & {
  /** The path that keys are scoped to. Throws ProblemError. */
  path: (req: Request) => string;
  /** Reads the body. Throws ProblemError, before anything is done. */
  read: (body: unknown, account: Account) => Body;
};

/**
 * Makes a POST route repeatable under an `Idempotency-Key`. Keys belong to the account and the route, for people also to the person.
 * The returned handler needs the principal of the request, and its body.
 */
export function idempotent<Body extends object>(
  context: Context,
  route: Route<Body>,
): (req: Request, res: Response, body: unknown) => Promise<void> {
  return async (req, res, body) => {
    const principal = principalIn(res);
    const { account, by, kind } = principal;
    const name = idempotencyKey(req, account);
    const read = readBody(route, body, account);
    const scope = kind === 'person' ? `${by} ${route.path(req)}` : route.path(req);
    const key =
      name === undefined ? undefined : claimFor(read, () => claimOf(context, account, scope, name.key, read.body));
    const use: Use = {
      account,
      by,
      person: principal.kind === 'person' ? { limits: principal.limits } : undefined,
      key,
      answered: (reply) => key && { ...key, reply: seal(account.derivedKeys, 'kept answer', JSON.stringify(reply)) },
      audit: auditOf(context, req, res),
    };
    const lookUp: LookUp = async (id) => route.lookUp?.(id, account) ?? 'again';
    const kept = key && (await takeKey(context, key, name?.earlierKeys ?? [], lookUp, account));
    if (kept) return sendReply(res, { ...kept, headers: { ...kept.headers, 'Idempotency-Replayed': 'true' } });
    sendReply(res, await workUnderKey(context, route, read, use, req));
  };
}

/** A body as its route reads it. A body that the route always refuses is as it was sent. */
type ReadBody<Body> = { kind: 'read'; body: Body } | { kind: 'refused'; body: object; refusal: ProblemError };

function readBody<Body extends object>(route: Route<Body>, sent: unknown, account: Account): ReadBody<Body> {
  try {
    return { kind: 'read', body: route.read(sent, account) };
  } catch (error) {
    if (!isForGood(error)) throw error;
    return { kind: 'refused', body: isObject(sent) ? sent : { sent }, refusal: error };
  }
}

/** The claim of a key for a body. Throws ProblemError for a refused body without a canonical form, such as half a surrogate pair. */
function claimFor(read: ReadBody<object>, claim: () => Claim): Claim {
  try {
    return claim();
  } catch (error) {
    throw read.kind === 'refused' ? read.refusal : error;
  }
}

async function workUnderKey<Body extends object>(
  context: Context,
  route: Route<Body>,
  read: ReadBody<Body>,
  use: Use,
  req: Request,
): Promise<Reply | LongReply> {
  const { key } = use;
  let reply: Reply | LongReply;
  try {
    if (read.kind === 'refused') throw read.refusal;
    reply = await route.work(read.body, use, req);
  } catch (error) {
    if (key && isForGood(error)) await keepRefusal(context, use, key, error);
    else {
      const released = key && releaseKey(context, key);
      // A store that has just failed may hang: the client does not wait for it twice.
      if (!(error instanceof StoreError)) await released;
    }
    throw error;
  }
  if (!isKeepable(reply)) {
    // The request only read from the gateway.
    if (key) await releaseKey(context, key);
  } else if (!route.keepsReplies) {
    await keepReply(context, use, reply);
  }
  return reply;
}

/**
 * True for a refusal that cannot change later. A gateway that refuses a read may answer it later; its refusal of an operation is that
 * operation's reply.
 */
function isForGood(error: unknown): error is ProblemError {
  if (!(error instanceof ProblemError) || error.code === 'gateway_refused' || error.mayLift) return false;
  return error.status === 400 || error.status === 422;
}

function isKeepable(reply: Reply | LongReply): reply is Reply {
  return typeof reply.body === 'string';
}

function sendReply(res: Response, { status, type, headers, body }: Reply | LongReply): void {
  if (type === PROBLEM && typeof body === 'string') {
    const { code }: Problem = JSON.parse(body);
    res.locals.repliedProblem = code;
  }
  res.status(status).set('Cache-Control', 'no-store').set(headers).type(type).send(body);
}
