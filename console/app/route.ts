import { passesLuhn } from '../../shared/card-data/luhn.ts';

/** Where the page is; the address tells it whole. */
export type Route =
  | { page: 'needs_you' }
  | { page: 'orders'; filter: URLSearchParams }
  | { page: 'order'; orderNo: string }
  | { page: 'operation'; id: string }
  | { page: 'payouts'; filter: URLSearchParams }
  | { page: 'subscriptions'; filter: URLSearchParams }
  | { page: 'webhooks'; filter: URLSearchParams }
  | { page: 'webhook'; id: string }
  | { page: 'figures'; filter: URLSearchParams }
  | { page: 'audit'; filter: URLSearchParams }
  | { page: 'nowhere' };

/** The route of an address, and the account that it names, if any. */
export function routeOf(address: URL): { route: Route; account: string | undefined } {
  const [, , page = '', id] = address.pathname.split('/');
  const filter = new URLSearchParams(address.search);
  const account = filter.get('account') ?? undefined;
  filter.delete('account');
  return { route: pageOf(page, decoded(id), filter), account };
}

function pageOf(page: string, id: string | undefined, filter: URLSearchParams): Route {
  switch (page) {
    case '':
      return { page: 'needs_you' };
    case 'orders':
      return id === undefined ? { page: 'orders', filter } : { page: 'order', orderNo: id };
    case 'operations':
      return id === undefined ? { page: 'nowhere' } : { page: 'operation', id };
    case 'payouts':
    case 'subscriptions':
      return id === undefined ? { page, filter } : { page: 'nowhere' };
    case 'webhooks':
      return id === undefined ? { page: 'webhooks', filter } : { page: 'webhook', id };
    case 'figures':
      return { page: 'figures', filter };
    case 'audit':
      return { page: 'audit', filter };
    default:
      return { page: 'nowhere' };
  }
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
    case 'orders':
      return '/orders';
    case 'order':
      return `/orders/${encodeURIComponent(route.orderNo)}`;
    case 'operation':
      return `/operations/${encodeURIComponent(route.id)}`;
    case 'payouts':
    case 'subscriptions':
      return `/${route.page}`;
    case 'webhooks':
      return '/webhooks';
    case 'webhook':
      return `/webhooks/${encodeURIComponent(route.id)}`;
    case 'figures':
      return '/figures';
    case 'audit':
      return '/audit';
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
