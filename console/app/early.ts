import { apiPath, CONSOLE_API } from '../api/api.ts';
import { listQuery, routeOf } from './route.ts';

/**
 * The first requests of a page. They are sent while its texts load, before the sign-in is known. An address without an account has
 * only the first of them.
 */
export function firstPaths(address: URL): string[] {
  const { route, account } = routeOf(address, []);
  const own = (path: string): string[] => (account === undefined ? [] : [apiPath(account, path)]);
  const paths = [`${CONSOLE_API}/me`, ...own('/attention')];
  if (route.page === 'orders') paths.push(...own(`/orders?${listQuery(route.filter)}`));
  if (route.page === 'order') paths.push(...own(`/orders/${encodeURIComponent(route.orderNo)}`));
  return paths;
}

/** How long an unread answer is kept. */
const KEPT_MS = 10_000;

/**
 * Sends GET requests at once, and returns a fetch whose first request of each path gets that answer. Failed answers are dropped,
 * because the person may have signed in meanwhile.
 */
export function beginEarly(fetch: typeof window.fetch, paths: readonly string[]): typeof window.fetch {
  const headers = { Accept: 'application/json' };
  const begun = new Map(
    paths.map((path) => [path, fetch(path, { headers, cache: 'no-store' }).catch(() => undefined)]),
  );
  // An answer that the first screen did not read may be outdated later, or belong to another person.
  setTimeout(() => begun.clear(), KEPT_MS);
  return async (input, init) => {
    if (init?.method === 'POST') begun.clear();
    const early = typeof input === 'string' ? begun.get(input) : undefined;
    if (early && typeof input === 'string') begun.delete(input);
    const response = await early;
    return response?.ok ? response : fetch(input, init);
  };
}
