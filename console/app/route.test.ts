import { expect, it } from 'vitest';
import { addressOf, routeOf } from './route.ts';

const accounts = ['demo', 'orders', 'api'];
const read = (address: string) => routeOf(new URL(address, 'https://relay.test'), accounts);

it.each([
  '/console/demo',
  '/console/demo/orders',
  '/console/demo/orders?status=paid&order_no_prefix=A-',
  '/console/demo/orders/A%2F1%3F%23',
  '/console/orders/orders/A-1',
  '/console/not%20mine/orders/A-1',
  '/console/demo/operations/op_1',
  '/console/demo/payouts?status=unknown',
  '/console/demo/subscriptions?email=a%40b.c',
  '/console/demo/webhooks?status=failed',
  '/console/demo/webhooks/ev_1',
  '/console/demo/figures?days=30&currency=BRL',
  '/console/demo/audit',
  '/console/demo/requests?status=refused&path=%2Fv1%2Frefund',
  '/console/demo/search?q=R%24478%2C90',
  '/console/webhooks/ev_1?account=api',
  '/console?account=API',
])('reads and writes the address %s', (address) => {
  const { route, account = '' } = read(address);
  expect(addressOf(route, account)).toBe(address);
});

it.each([
  ['/console', undefined, { page: 'needs_you' }],
  ['/console?account=api', 'api', { page: 'needs_you' }],
  ['/console/webhooks/ev_1', undefined, { page: 'webhook', id: 'ev_1' }],
  ['/console/operations/op_1?account=demo', 'demo', { page: 'operation', id: 'op_1' }],
])('reads the address %s, which names no account in its path', (address, account, route) => {
  expect(read(address)).toEqual({ route, account });
});

it.each(['/console/demo/else', '/console/demo/operations', '/console/demo/webhookz/1'])(
  'knows no page at %s',
  (address) => {
    expect(read(address).route.page).toBe('nowhere');
  },
);

it.each(['4111 1111 1111 1111', '378282246310005', '5555-5555-5555-4444'])(
  'puts no card number in an address: %s',
  (text) => {
    const filter = new URLSearchParams({ order_no: text, status: 'failed' });
    expect(addressOf({ page: 'audit', filter }, 'demo')).toBe('/console/demo/audit?status=failed');
  },
);

it.each(['20270331101500', '4111111111111112', 'A-4111111111111111'])(
  'keeps an order number in an address: %s',
  (text) => {
    const filter = new URLSearchParams({ order_no: text });
    expect(addressOf({ page: 'audit', filter }, 'demo')).toBe(`/console/demo/audit?order_no=${text}`);
  },
);
