import { passesLuhn } from '../../shared/card-data/luhn.ts';

/** The pages that a filter in the address narrows. */
export const filteredPages = ['orders', 'payouts', 'subscriptions', 'webhooks', 'figures', 'audit'] as const;
export type FilteredPage = (typeof filteredPages)[number];

/** Where the page is; the address tells it whole. */
export type Route =
  | { page: 'needs_you' | 'nowhere' }
  | { page: FilteredPage; filter: URLSearchParams }
  | { page: 'order'; orderNo: string }
  | { page: 'operation' | 'webhook'; id: string };

/** The route of an address, and the account that it names, if any. */
export function routeOf(address: URL): { route: Route; account: string | undefined } {
  const [, , page = '', id] = address.pathname.split('/');
  const filter = new URLSearchParams(address.search);
  const account = filter.get('account') ?? undefined;
  filter.delete('account');
  return { route: pageOf(page, decoded(id), filter), account };
}

function pageOf(page: string, id: string | undefined, filter: URLSearchParams): Route {
  if (page === '') return { page: 'needs_you' };
  if (id !== undefined) {
    if (page === 'orders') return { page: 'order', orderNo: id };
    if (page === 'operations') return { page: 'operation', id };
    if (page === 'webhooks') return { page: 'webhook', id };
    if (page === 'payouts' || page === 'subscriptions') return { page: 'nowhere' };
  }
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

/**
 * The address of a route; `account` is named where it is not the person's first. A card number that somebody searches for is left
 * out: addresses are kept and sent.
 */
export function addressOf(route: Route, account: string | undefined): string {
  const given = 'filter' in route ? [...route.filter] : [];
  const query = new URLSearchParams(given.filter(([, value]) => cardNumberIn(value) === undefined));
  if (account !== undefined) query.set('account', account);
  return `/console${pathOf(route)}${query.size === 0 ? '' : `?${query}`}`;
}

function pathOf(route: Route): string {
  switch (route.page) {
    case 'needs_you':
    case 'nowhere':
      return '';
    case 'order':
      return `/orders/${encodeURIComponent(route.orderNo)}`;
    case 'operation':
    case 'webhook':
      return `/${route.page}s/${encodeURIComponent(route.id)}`;
    default:
      return `/${route.page}`;
  }
}

/** A whole card number as a person types or pastes it; undefined for anything else. What it is written with is left out. */
export function cardNumberIn(text: string): string | undefined {
  const digits = text.replace(/[\s-]/g, '');
  const isLikeOne = /^(4\d{12,18}|2[2-7]\d{14}|3\d{13,18}|[56]\d{14,18})$/.test(digits);
  return isLikeOne && passesLuhn(digits) ? digits : undefined;
}

/** The same filter at its first page. */
export function fromFirstPage(filter: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(filter);
  next.delete('before');
  return next;
}

/** The filter with these fields set, or without those that are empty, from the first page. */
export function withFields(filter: URLSearchParams, fields: Readonly<Record<string, string>>): URLSearchParams {
  const next = fromFirstPage(filter);
  for (const [name, value] of Object.entries(fields)) {
    if (value === '') next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** The filter at the page that begins before an entry. */
export function withPage(filter: URLSearchParams, before: string): URLSearchParams {
  const next = new URLSearchParams(filter);
  next.set('before', before);
  return next;
}
