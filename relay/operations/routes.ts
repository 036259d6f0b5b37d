import { type Request, type RequestHandler, type Response, Router } from 'express';
import { REFUNDED_HEADER } from '../../shared/api/console.ts';
import { type OperationList, operationQuery, settleBody } from '../../shared/api/operation.ts';
import type { ProfileAnswer } from '../../shared/api/profile.ts';
import type { Scope } from '../../shared/checkout/scopes.ts';
import {
  type EffectName,
  type Operation as Entry,
  isEffect,
  type OperationName,
  operationNames,
  operations,
} from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { ProblemError } from '../base/errors.ts';
import type { Account } from '../config/load.ts';
import { accountIn, checkScope, requireKey } from '../http/api-keys.ts';
import { audited } from '../http/audit.ts';
import { idempotent, jsonReply } from '../http/idempotency/idempotency.ts';
import { jsonBody } from '../http/json-body.ts';
import { addRoute, parseBody, parseShopBody } from '../http/routes.ts';
import type { StoredOperation } from '../payments/operations/operation.ts';
import type { Context } from '../store/context.ts';
import { operationAnswer } from '../webhooks/operation-answer.ts';
import { ask } from './ask.ts';
import { summaries, wholeAnswer } from './payouts.ts';
import { messageOf, orderNumbersIn } from './request.ts';
import { replyAgain, runOperation } from './run.ts';
import { settle } from './settle.ts';

/**
 * The server-side API of every operation that has a route in the operation table, of what became of each, and of what the
 * gateway's codes mean.
 */
export function operationRoutes(context: Context): Router {
  const router = Router();
  for (const name of operationNames) {
    const { route } = entry(name);
    if (!route) continue;
    addRoute(router, route.path, {
      post: [
        ...(isEffect(name) ? [auditedOperation(context, name)] : []),
        requireKey(context, route.scope),
        jsonBody,
        operationHandler(context, name, route.path),
      ],
    });
  }
  addRoute(router, '/v1/operations', { get: [requireKey(context, 'console'), listedOperations(context)] });
  addRoute(router, '/v1/operations/:id', {
    get: [
      requireKey(context),
      async (req, res) => {
        const operation = await ownOperation(context, req, res);
        res.set('Cache-Control', 'no-store').json(await wholeAnswer(context, operation));
      },
    ],
  });
  addRoute(router, '/v1/operations/:id/settle', {
    post: [
      audited(context, 'operation.settle', ({ params }) => ({ subject: String(params.id) })),
      requireKey(context),
      async (req, res, next) => {
        await ownOperation(context, req, res, 'settle');
        next();
      },
      jsonBody,
      idempotent(context, {
        path: (req) => `/v1/operations/${String(req.params.id)}/settle`,
        read: (body) => parseShopBody(settleBody, body),
        work: async (body, use, req) => {
          const operation = await operationOf(context, use.account, String(req.params.id));
          const replyTo = (settled: StoredOperation) => jsonReply(200, operationAnswer(settled));
          return replyTo(await settle(context, operation, body, use, (settled) => use.answered(replyTo(settled))));
        },
        keepsReplies: true,
      }),
    ],
  });
  addRoute(router, '/v1/profile', { get: [requireKey(context, 'query'), toldProfile(context)] });
  return router;
}

function operationHandler(context: Context, name: OperationName, path: string): RequestHandler {
  const { profile } = context.config.gateway;
  const common = {
    path: () => path,
    read: (body: unknown): Message => messageOf(name, body, profile),
  };
  if (!isEffect(name)) {
    return idempotent(context, {
      ...common,
      work: (message, { account }, req) => ask(context, name, account, message, req.res),
    });
  }
  return idempotent(context, {
    ...common,
    work: (message, use, req) => runOperation(context, name, message, use, refundedBefore(req)),
    keepsReplies: true,
    lookUp: async (id, account) => replyAgain(context, await operationOf(context, account, id)),
  });
}

/** What the console's page says to be refunded before. Throws ProblemError. */
function refundedBefore(req: Request): string | undefined {
  const given = req.get(REFUNDED_HEADER);
  if (given === undefined || /^\d{1,15}\.\d{2,4}$/.test(given)) return given;
  throw new ProblemError('invalid_request', `Send ${REFUNDED_HEADER} as a decimal such as 20.00.`);
}

function auditedOperation(context: Context, name: EffectName): RequestHandler {
  return audited(context, name, ({ body }) => ({ orders: orderNumbersIn(name, body) }));
}

/**
 * The operation that a request names. Throws ProblemError where its key may not do what the operation did, or lacks the
 * `other` scope that is wanted besides.
 */
async function ownOperation(context: Context, req: Request, res: Response, other?: Scope): Promise<StoredOperation> {
  const operation = await operationOf(context, accountIn(res), String(req.params.id));
  checkScope(res, [operations[operation.name].route.scope]);
  if (other) checkScope(res, [other]);
  return operation;
}

async function operationOf(context: Context, account: Account, id: string): Promise<StoredOperation> {
  const operation = await context.store.operations.get(id);
  if (operation?.account === account.id) return operation;
  throw new ProblemError('not_found', 'This account has no operation with this id.');
}

function entry(name: OperationName): Entry {
  return operations[name];
}

/** `GET /v1/profile`: what the gateway's own records mean, which queries and refund searches give back as they are. */
function toldProfile({ config }: Context): RequestHandler {
  const { gateway_time_zone, query_without_list, codes } = config.gateway.profile;
  const { payment_status, query_result, return_status, refund_status } = codes;
  const answer: ProfileAnswer = {
    ...{ gateway_time_zone, query_without_list },
    codes: { payment_status, query_result, return_status, refund_status },
  };
  return (_req, res) => void res.set('Cache-Control', 'no-store').json(answer);
}

/** `GET /v1/operations`: a page of an account's operations, the newest first. Throws ProblemError and StoreError. */
function listedOperations(context: Context): RequestHandler {
  return async (req, res) => {
    const { limit, before, operation, status, needs_attention } = parseBody(operationQuery, { ...req.query });
    const found = await context.store.operations.list({
      account: accountIn(res).id,
      ...(operation === undefined ? {} : { name: operation }),
      ...(status === undefined ? {} : { status }),
      ...(needs_attention === undefined ? {} : { waiting: true }),
      ...(before === undefined ? {} : { before: placeIn(before) }),
      // One more than is shown tells whether there is a next page.
      limit: limit + 1,
    });
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    const page: OperationList = {
      operations: await summaries(context, shown),
      ...(found.length > limit && last ? { next: `${Date.parse(last.created_at)}-${last.id}` } : {}),
    };
    res.set('Cache-Control', 'no-store').json(page);
  };
}

function placeIn(before: string): { created_at: string; id: string } {
  const [ms = '', id = ''] = before.split(/-(.*)/s);
  return { created_at: new Date(Number(ms)).toISOString(), id };
}
