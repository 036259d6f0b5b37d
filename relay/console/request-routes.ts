import type { Router } from 'express';
import { type RequestList, statusClasses } from '../../shared/api/request.ts';
import { maskText } from '../../shared/card-data/mask.ts';
import { idsFrom } from '../base/ids.ts';
import type { Context } from '../context/context.ts';
import { principalIn } from '../http/access.ts';
import { serve } from '../http/serve.ts';
import { keyRoutes, requestRoutes } from '../routes/requests.ts';
import type { StoredRequest } from '../store/facets/logs/requests.ts';

/** The log of requests with an account's API keys. */
export function serveRequests(context: Context): Router {
  return serve(context, requestRoutes, {
    async listRequests({ account, query: { status, path, since, ...query } }): Promise<RequestList> {
      const { requests, next } = await context.store.requests.list({
        ...query,
        account: account.id,
        // Later moments have longer texts.
        from: idsFrom('rl', new Date(Math.min(Date.parse(since ?? '1970-01-01'), context.now().getTime()))),
        ...(status === undefined ? {} : { status: statusClasses[status] }),
        // In the form of the log.
        ...(path === undefined ? {} : { path: maskText(path) }),
      });
      return { requests: requests.map(entryOf), ...(next === undefined ? {} : { next }) };
    },
  });
}

function entryOf({ account: _, ms, ...request }: StoredRequest): RequestList['requests'][number] {
  return { ...request, duration_ms: ms };
}

/** The name, account and scopes of a key. */
export function serveKey(context: Context): Router {
  return serve(context, keyRoutes, {
    getKey: ({ res, account: { id, name } }) => {
      const { by, scopes, ...principal } = principalIn(res);
      return {
        ...{ name: by, scopes: [...scopes], account: { id, ...(name === undefined ? {} : { name }) } },
        ...(principal.kind === 'key' && principal.rateLimit ? { rate_limit: principal.rateLimit } : {}),
      };
    },
  });
}
