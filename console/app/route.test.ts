import { expect, it } from 'vitest';
import { addressOf, routeOf } from './route.ts';

it.each([
  '/console',
  '/console/orders',
  '/console/orders?status=paid&order_no_prefix=A-',
  '/console/orders/A%2F1%3F%23',
  '/console/orders/A-1?account=other',
  '/console/operations/op_1',
  '/console/payouts?status=unknown',
  '/console/subscriptions?email=a%40b.c',
  '/console/webhooks?status=failed&account=other',
  '/console/webhooks/ev_1',
  '/console/figures?days=30&currency=BRL',
  '/console/audit',
])('reads and writes the address %s', (address) => {
  const { route, account } = routeOf(new URL(address, 'https://relay.test'));
  expect(addressOf(route, account)).toBe(address);
});

it.each(['/console/else', '/console/operations', '/console/webhookz/1'])('knows no page at %s', (address) => {
  expect(routeOf(new URL(address, 'https://relay.test')).route.page).toBe('nowhere');
});

it.each(['4111 1111 1111 1111', '378282246310005', '5555-5555-5555-4444'])(
  'puts no card number in an address: %s',
  (text) => {
    const filter = new URLSearchParams({ order_no: text, status: 'failed' });
    expect(addressOf({ page: 'audit', filter }, undefined)).toBe('/console/audit?status=failed');
  },
);

it.each(['20270331101500', '4111111111111112', 'A-4111111111111111'])(
  'keeps an order number in an address: %s',
  (text) => {
    const filter = new URLSearchParams({ order_no: text });
    expect(addressOf({ page: 'audit', filter }, undefined)).toBe(`/console/audit?order_no=${text}`);
  },
);
