import type { Request, Response, Router } from 'express';
import type { z } from 'zod';
import { REFUNDED_HEADER } from '../../shared/api/console.ts';
import type { OperationList, operationQuery } from '../../shared/api/operation.ts';
import type { ProfileAnswer } from '../../shared/api/profile.ts';
import type { Scope } from '../../shared/checkout/scopes.ts';
import { isEffect, operations, type RoutedName, routedNames } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { ProblemError } from '../base/errors.ts';
import { operationAnswer } from '../commit/operation-answer.ts';
import type { Account } from '../config/load.ts';
import type { Context } from '../context/context.ts';
import { checkScope, principalIn } from '../http/access.ts';
import { jsonReply, type Use } from '../http/idempotency/idempotency.ts';
import { createLists } from '../http/list-or-file.ts';
import { serve } from '../http/serve.ts';
import type { StoredOperation } from '../payments/operations/operation.ts';
import { profileRoutes } from '../routes/console.ts';
import { operationStateRoutes } from '../routes/operation-state.ts';
import { operationRoutes } from '../routes/operations.ts';
import { holdForApproval } from './approval-request.ts';
import { withDefaultAmounts } from './default-amounts.ts';
import { itemsIn, operationColumns } from './operation-columns.ts';
import { summaries, wholeAnswer } from './payouts.ts';
import { readOperation } from './read-operation.ts';
import { givenReply } from './reply.ts';
import { messageOf, orderNumbersIn } from './request.ts';
import { operationOf, replyAgain, runOperation } from './run-operation.ts';
import { settle } from './settle.ts';

/** The routes of the operations in the operation table. */
export function serveOperations(context: Context): Router {
  const handlers = routedNames.map((name) => [name, operationHandler(context, name)]);
  return serve(context, operationRoutes, Object.fromEntries(handlers));
}

/** The outcome of each operation, and the meaning of the gateway's codes. */
export function serveOperationState(context: Context): Router {
  const profile = profileOf(context);
  const listOrFile = createLists(context);
  return serve(
    context,
    { ...operationStateRoutes, ...profileRoutes },
    {
      listOperations: (asked) =>
        listOrFile(asked, {
          ...{ name: asked.query.operation ?? 'operations', columns: operationColumns },
          ...{ action: 'operations.export', shown: ['operation', 'status'] },
          read: (query) => listedOperations(context, asked.account, query),
          entriesOf: ({ operations }) => operations.flatMap(itemsIn),
        }),
      getOperation: async ({ res, params, account }) =>
        wholeAnswer(context, await ownOperation(context, account, params.id, res)),
      settleOperation: {
        check: async (req, res) => {
          await ownOperation(context, principalIn(res).account, String(req.params.id), res, 'settle');
        },
        work: async (body, use, req) => {
          const operation = await operationOf(context, use.account, String(req.params.id));
          const replyTo = (settled: StoredOperation) => jsonReply(200, operationAnswer(settled));
          return replyTo(await settle(context, operation, body, use, (settled) => use.answered(replyTo(settled))));
        },
        keepsReplies: true,
      },
      getProfile: () => profile,
    },
  );
}

function operationHandler(context: Context, name: RoutedName) {
  const read = (body: unknown, account: Account): Message =>
    messageOf(name, body, context.config.gateway.profile, account);
  if (!isEffect(name)) {
    return {
      read,
      work: (message: Message, { account }: Use, req: Request) =>
        readOperation(context, name, account, message, req.res),
    };
  }
  return {
    read,
    work: async (message: Message, use: Use, req: Request) => {
      const whole = await withDefaultAmounts(context, use.account, name, message);
      const extras = { refundedShown: refundedBefore(req) };
      const held = await holdForApproval(context, name, whole, use, extras);
      return held ?? givenReply(await runOperation(context, name, whole, use, extras));
    },
    keepsReplies: true,
    lookUp: async (id: string, account: Account) => replyAgain(context, await operationOf(context, account, id)),
    ordersIn: (body: unknown) => orderNumbersIn(name, body),
  };
}

/** The sum of earlier refunds that the console's page shows. Throws ProblemError. */
function refundedBefore(req: Request): string | undefined {
  const given = req.get(REFUNDED_HEADER);
  if (given === undefined || /^\d{1,15}\.\d{2,4}$/.test(given)) return given;
  throw new ProblemError('invalid_request', `Send ${REFUNDED_HEADER} as a decimal such as 20.00.`);
}

/** The operation that a request names. Throws ProblemError if its key lacks the scope of the operation, or the `other` scope. */
async function ownOperation(
  context: Context,
  account: Account,
  id: string,
  res: Response,
  other?: Scope,
): Promise<StoredOperation> {
  const operation = await operationOf(context, account, id);
  checkScope(res, [operations[operation.name].route.scope]);
  if (other) checkScope(res, [other]);
  return operation;
}

/**
 * `GET /v1/profile`: the meaning of the gateway's codes in the records that queries and refund searches return
 * unchanged.
 */
function profileOf({ config }: Context): ProfileAnswer {
  const { gateway_time_zone, query_without_list, codes } = config.gateway.profile;
  const { payment_status, fraud_check, query_result, return_status, refund_status } = codes;
  return {
    ...{ gateway_time_zone, query_without_list },
    codes: { payment_status, fraud_check, query_result, return_status, refund_status },
  };
}

/** `GET /v1/operations`: a page of an account's operations, the newest first. Throws ProblemError and StoreError. */
async function listedOperations(
  context: Context,
  account: Account,
  { limit, before, operation, status, needs_attention, created_from, created_to }: z.output<typeof operationQuery>,
): Promise<OperationList> {
  const place = earlierOf(before === undefined ? undefined : placeIn(before), created_to);
  const found = await context.store.operations.list({
    account: account.id,
    ...(operation === undefined ? {} : { name: operation }),
    ...(status === undefined ? {} : { status }),
    ...(needs_attention === undefined ? {} : { waiting: true }),
    ...(place ? { before: place } : {}),
    // One more than the page shows proves a next page.
    limit: limit + 1,
  });
  const since = created_from === undefined ? 0 : Date.parse(created_from);
  // Operations are sorted by time: after the first one before the period, none is in it.
  const wanted = found.filter(({ created_at }) => Date.parse(created_at) >= since);
  const shown = wanted.slice(0, limit);
  const last = shown.at(-1);
  return {
    operations: await summaries(context, shown),
    ...(wanted.length > limit && last ? { next: `${Date.parse(last.created_at)}-${last.id}` } : {}),
  };
}

type Place = { created_at: string; id: string };

/** Returns the earlier of two places in the list: the end of a page, or the first place before a time. */
function earlierOf(before: Place | undefined, createdTo: string | undefined): Place | undefined {
  if (createdTo === undefined) return before;
  const end = { created_at: new Date(createdTo).toISOString(), id: '' };
  return before && before.created_at < end.created_at ? before : end;
}

function placeIn(before: string): Place {
  const [ms = '', id = ''] = before.split(/-(.*)/s);
  return { created_at: new Date(Number(ms)).toISOString(), id };
}
