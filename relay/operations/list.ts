import type { RequestHandler } from 'express';
import { type OperationList, operationQuery } from '../../shared/api/operation.ts';
import { accountIn } from '../http/api-keys.ts';
import { parseBody } from '../http/routes.ts';
import type { Context } from '../store/context.ts';
import { summaries } from './payouts.ts';

/** `GET /v1/operations`: a page of an account's operations, the newest first. Throws ProblemError and StoreError. */
export function listedOperations(context: Context): RequestHandler {
  return async (req, res) => {
    const { limit, before, operation, status, needs_attention } = parseBody(operationQuery, { ...req.query });
    const found = await context.store.listOperations({
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
