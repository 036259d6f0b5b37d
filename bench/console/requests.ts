import { EMAIL } from '../filled-store/sample-orders.ts';
import type { Samples } from './samples.ts';

/** A request of a screen. `route` gives the `at`th one: each asks for another order, time or cursor where possible. */
export type ScreenRequest = {
  screen: string;
  what: string;
  route(samples: Samples, at: number): string;
  /** How often it is measured, if not the usual number of times. */
  times?: number;
};

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The `at`th item, starting again after the last. */
const one = <Item>(items: readonly Item[], at: number): Item => {
  const item = items[at % items.length];
  if (item === undefined) throw new TypeError('no sample to ask for');
  return item;
};

const iso = (ms: number): string => new Date(ms).toISOString();

/** The route of a list with these filters, in pages of fifty. */
const pageOf =
  (list: string) =>
  (filter: string): string =>
    `/v1/${list}?${filter}&limit=50`;
const [orders, operations, subscriptions] = [pageOf('orders'), pageOf('operations'), pageOf('subscriptions')];

const get = (screen: string, what: string, route: ScreenRequest['route'], times?: number): ScreenRequest => ({
  ...{ screen, what, route },
  ...(times === undefined ? {} : { times }),
});

/** Figures of a period. The relay caches them for a minute, so each request has another period. */
const figures = (days: number, by: 'hour' | 'day'): ScreenRequest =>
  get(
    'Figures',
    `${days} ${days === 1 ? 'day' : 'days'} by ${by}`,
    (_, at) => {
      const length = by === 'hour' ? HOUR_MS : DAY_MS;
      const to = Math.ceil(Date.now() / length) * length - at * HOUR_MS;
      return `/v1/stats?by=${by}&from=${iso(to - days * DAY_MS)}&to=${iso(to)}`;
    },
    5,
  );

/** Every request of every screen. A new request of a screen needs a line here. */
export const requests: readonly ScreenRequest[] = [
  get('Needs you', 'what waits', () => '/v1/attention'),
  get('Needs you', 'orders', () => orders('needs_attention=true')),
  get('Needs you', 'failed webhooks', () => '/v1/events?status=failed&limit=20'),

  get('Orders', 'no filter', () => orders('')),
  get('Orders', 'pages from all over the list', (s, at) => orders(`before=${one(s.moments, at)}-999999999`)),
  get('Orders', 'the last pages', (s, at) =>
    orders(`before=${one(s.moments, -1 - (at % 3) + s.moments.length)}-${at + 1}`),
  ),
  get('Orders', 'status open', () => orders('status=open')),
  get('Orders', 'status unknown, which few have', () => orders('status=unknown')),
  get('Orders', 'status paid, deep', (s, at) => orders(`status=paid&before=${one(s.moments, at)}-1`)),
  get('Orders', 'a day', (s, at) =>
    orders(`created_from=${iso(one(s.moments, at) - DAY_MS)}&created_to=${iso(one(s.moments, at))}`),
  ),
  get('Orders', 'needs attention', () => orders('needs_attention=true&status=unknown')),
  get('Orders', 'session unknown', () => orders('session_status=unknown')),
  get('Orders', 'session unknown, a day', (s, at) =>
    orders(`session_status=unknown&created_from=${iso(one(s.moments, at))}`),
  ),
  get('Orders', 'code of a decline', (_, at) => orders(`decline_code=${one(['2001', '2002', '2003', '9999'], at)}`)),
  get('Orders', 'method', () => orders('payment_method=PIX')),
  get('Orders', 'method and status, which no order has', () => orders('payment_method=PIX&status=open')),
  get('Orders', 'currency', () => orders('currency=USD')),
  get('Orders', 'amount', (_, at) => orders(`amount=${32 + ((at * 74) % 480)}.90&currency=BRL`)),
  get('Orders', 'last four', (_, at) => orders(`last4=${one(['1111', '0127', '4444', '9235'], at)}`)),
  get('Orders', 'e-mail', () => orders(`email=${encodeURIComponent(EMAIL)}`)),
  get('Orders', 'order_no', (s, at) => orders(`order_no=${one(s.orders, at)}`)),
  get('Orders', 'order_no, first letters', (s, at) =>
    orders(`order_no_prefix=${one(s.orders, at).slice(0, 2 + (at % 6))}`),
  ),
  get('Orders', 'transaction, first digits', (s, at) =>
    orders(`transaction_id_prefix=${one(s.transactions, at).slice(0, 1 + (at % 8))}`),
  ),

  get('Order', 'any', (s, at) => `/v1/orders/${one(s.orders, at)}`),
  get('Order', 'with a long timeline', (s) => `/v1/orders/${s.long}`),

  get('Operation', 'any', (s, at) => `/v1/operations/${one(s.operations, at)}`),

  get('Operations', 'no filter', () => operations('')),
  get('Operations', 'pages from all over the list', (s, at) => operations(`before=${one(s.moments, at)}-op_`)),
  get('Operations', 'refunds', () => operations('operation=refund')),
  get('Operations', 'payouts', () => operations('operation=payout')),
  get('Operations', 'payouts, deep', (s, at) => operations(`operation=payout&before=${one(s.moments, at)}-op_`)),
  get('Operations', 'unknown', () => operations('status=unknown')),
  get('Operations', 'refunds that are refused, which none is', () => operations('operation=refund&status=refused')),
  get('Operations', 'needs attention', () => operations('needs_attention=true')),

  get('Subscriptions', 'no filter', () => subscriptions('')),
  get('Subscriptions', 'pages from all over the list', (s, at) => subscriptions(`before=${one(s.moments, at)}-1`)),
  get('Subscriptions', 'e-mail', () => subscriptions(`email=${encodeURIComponent(EMAIL)}`)),
  get('Subscriptions', 'order', (s, at) => subscriptions(`order_no=${one(s.orders, at)}`)),

  get('Webhooks', 'no filter', () => '/v1/events'),
  get('Webhooks', 'pages from all over the list', (s, at) => `/v1/events?before=${one(s.events, at)}`),
  get('Webhooks', 'delivered', () => '/v1/events?status=delivered'),
  get('Webhooks', 'failed', () => '/v1/events?status=failed'),
  get('Webhooks', 'pending', () => '/v1/events?status=pending'),
  get('Webhooks', 'acknowledged, which none is', () => '/v1/events?status=acknowledged'),
  get('Webhooks', 'a type that many have', () => '/v1/events?type=session.approved'),
  get('Webhooks', 'a type that few have', () => '/v1/events?type=session.redirected'),
  get('Webhooks', 'a type that none has', () => '/v1/events?type=session.paid_twice'),
  get(
    'Webhooks',
    'delivered, a type that few have',
    () => '/v1/events?status=delivered&type=session.redirected&limit=100',
  ),
  get('Webhooks', 'failed, a type that none has', () => '/v1/events?status=failed&type=session.paid_twice'),

  get('Audit', 'no filter', () => '/v1/audit'),
  get('Audit', 'pages from all over the log', (s, at) => `/v1/audit?before=${one(s.entries, at)}`),
  get('Audit', 'who, many entries', () => '/v1/audit?by=bench'),
  get('Audit', 'who, few entries', () => `/v1/audit?by=${encodeURIComponent('person:Person 1')}`),
  get('Audit', 'who, none', () => '/v1/audit?by=missing'),
  get('Audit', 'order', (s, at) => `/v1/audit?order_no=${one(s.orders, at)}`),
  get('Audit', 'who and order', (s, at) => `/v1/audit?by=bench&order_no=${one(s.orders, at)}`),

  figures(1, 'hour'),
  figures(7, 'day'),
  figures(30, 'day'),
  figures(90, 'day'),

  get('Live', 'what came since', (s, at) => `/live?since=${one(s.events, at)}`),
  get('Live', 'news begin', () => '/live'),
  get('Shell', 'who is signed in', () => '/console/api/me'),
];
