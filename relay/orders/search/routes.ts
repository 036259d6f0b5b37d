import type { Router } from 'express';
import type { Context } from '../../context/context.ts';
import { serve } from '../../http/serve.ts';
import { searchRoutes } from '../../routes/orders/search.ts';
import { searchEverything } from './search.ts';

/** The search for everything in an account. */
export function serveSearch(context: Context): Router {
  return serve(context, searchRoutes, {
    searchEverything: ({ query, account }) => searchEverything(context, account, query.q),
  });
}
