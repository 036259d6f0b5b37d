import { cardNumberIn } from '../../shared/card-data/typed.ts';

/** The pages with a filter in their address. */
export const filteredPages = [
  'orders',
  'disputes',
  'payouts',
  'subscriptions',
  'webhooks',
  'requests',
  'figures',
  'audit',
] as const;
export type FilteredPage = (typeof filteredPages)[number];

/** The current page. The address contains all of it. */
export type Route =
  | { page: 'needs_you' | 'own' | 'nowhere' }
  | { page: FilteredPage | 'search'; filter: URLSearchParams }
  | { page: 'order'; orderNo: string }
  | { page: 'operation' | 'webhook'; id: string };

/**
 * The route of an address, `/console/<account>/<page>`, and the account that it names, if any. Earlier addresses begin with the page; their
 * account is `account` in the query.
 * @param accounts the ids of the person's accounts
 */
export function routeOf(address: URL, accounts: readonly string[]): { route: Route; account: string | undefined } {
  const [, , first = '', ...more] = address.pathname.split('/');
  const filter = new URLSearchParams(address.search);
  const given = filter.get('account') ?? undefined;
  filter.delete('account');
  const named = decoded(first);
  const isPage = pages.has(first) && (given !== undefined || !accounts.includes(first));
  const [page = '', id] = isPage ? [first, ...more] : more;
  return { route: pageOf(page, decoded(id), filter), account: isPage || first === '' ? given : (named ?? first) };
}

/** The page of the person's own sign-in. */
const OWN = 'sign-in';

const pages: ReadonlySet<string> = new Set([...filteredPages, 'operations', 'search', OWN]);

/** The prefixes of the console's own requests and files, in letters of any case. */
const RESERVED = ['api', 'assets'];

function pageOf(page: string, id: string | undefined, filter: URLSearchParams): Route {
  if (page === '') return { page: 'needs_you' };
  if (page === OWN) return { page: 'own' };
  if (id !== undefined) {
    if (page === 'orders') return { page: 'order', orderNo: id };
    if (page === 'operations') return { page: 'operation', id };
    if (page === 'webhooks') return { page: 'webhook', id };
    if (page === 'payouts' || page === 'subscriptions' || page === 'disputes') return { page: 'nowhere' };
  }
  if (page === 'search') return { page, filter };
  const filtered = filteredPages.find((one) => one === page);
  return filtered ? { page: filtered, filter } : { page: 'nowhere' };
}

function decoded(part: string | undefined): string | undefined {
  try {
    return part === undefined || part === '' ? undefined : decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** The address of a route in an account. A card number that a person searches for is left out: addresses are kept and sent. */
export function addressOf(route: Route, account: string): string {
  const given = 'filter' in route ? [...route.filter] : [];
  const query = new URLSearchParams(given.filter(([, value]) => cardNumberIn(value) === undefined));
  const isReserved = RESERVED.includes(account.toLowerCase());
  if (isReserved) query.set('account', account);
  const place = isReserved ? pathOf(route) : `/${encodeURIComponent(account)}${pathOf(route)}`;
  return `/console${place}${query.size === 0 ? '' : `?${query}`}`;
}

function pathOf(route: Route): string {
  switch (route.page) {
    case 'needs_you':
    case 'nowhere':
      return '';
    case 'own':
      return `/${OWN}`;
    case 'order':
      return `/orders/${encodeURIComponent(route.orderNo)}`;
    case 'operation':
    case 'webhook':
      return `/${route.page}s/${encodeURIComponent(route.id)}`;
    default:
      return `/${route.page}`;
  }
}

/** The same filter at its first page. */
export function fromFirstPage(filter: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(filter);
  for (const place of places) next.delete(place);
  return next;
}

/** The cursors of a list: `before` for the next page, `after` for the previous one. */
const places = ['before', 'after'] as const;
type Place = (typeof places)[number];

/** Whether a filter is at the first page of its list. */
export function isFirstPage(filter: URLSearchParams): boolean {
  return places.every((place) => !filter.has(place));
}

/** The filter at its first page, with these fields set. An empty value removes the field. */
export function withFields(filter: URLSearchParams, fields: Readonly<Record<string, string>>): URLSearchParams {
  const next = fromFirstPage(filter);
  for (const [name, value] of Object.entries(fields)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}

const ROWS = '50';

/** The query parameters of a filter's list. */
export function listQuery(filter: URLSearchParams): URLSearchParams {
  const query = new URLSearchParams(filter);
  query.set('limit', ROWS);
  return query;
}

/** The filter at the page that the `next` or `previous` of a list names. */
export function withPage(filter: URLSearchParams, place: Place, entry: string): URLSearchParams {
  const next = fromFirstPage(filter);
  next.set(place, entry);
  return next;
}
