import { apiPath, CONSOLE_API } from '../api/api.ts';
import { listQuery, routeOf } from './route.ts';

/**
 * The requests that the page of an address begins with: they can be sent beside its texts, before it is known who is signed in. An
 * address without an account has only the first.
 */
export function firstPaths(address: URL): string[] {
  const { route, account } = routeOf(address, []);
  const own = (path: string): string[] => (account === undefined ? [] : [apiPath(account, path)]);
  const paths = [`${CONSOLE_API}/me`, ...own('/attention')];
  if (route.page === 'orders') paths.push(...own(`/orders?${listQuery(route.filter)}`));
  if (route.page === 'order') paths.push(...own(`/orders/${encodeURIComponent(route.orderNo)}`));
  return paths;
}

/** How long an answer is kept that nothing reads. */
const KEPT_MS = 10_000;

/**
 * Sends GET requests at once, and returns a fetch whose first request of each of these paths gets that answer. An answer that is no
 * success is left out: the person may have signed in meanwhile.
 */
export function beginEarly(fetch: typeof window.fetch, paths: readonly string[]): typeof window.fetch {
  const headers = { Accept: 'application/json' };
  const begun = new Map(
    paths.map((path) => [path, fetch(path, { headers, cache: 'no-store' }).catch(() => undefined)]),
  );
  // What the first screen did not read would be old later, and another person's.
  setTimeout(() => begun.clear(), KEPT_MS);
  return async (input, init) => {
    if (init?.method === 'POST') begun.clear();
    const early = typeof input === 'string' ? begun.get(input) : undefined;
    if (early && typeof input === 'string') begun.delete(input);
    const response = await early;
    return response?.ok ? response : fetch(input, init);
  };
}
