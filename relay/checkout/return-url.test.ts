import { describe, expect, it } from 'vitest';
import { isAllowedReturnUrl, returnAddress } from './return-url.ts';

const allowed = ['https://shop.example/orders', 'demoapp://paid', 'http://127.0.0.1:8082/'];

describe('where a shopper may be sent back to', () => {
  it.each([
    'https://shop.example/orders',
    'https://shop.example/orders/1?x=1',
    'https://SHOP.example/orders/',
    'demoapp://paid/now',
    'http://127.0.0.1:8082/thanks',
  ])('takes %s', (url) => {
    expect(isAllowedReturnUrl(url, allowed)).toBe(true);
  });

  it.each([
    'https://shop.example/ordersevil',
    'https://shop.example/orders/../admin',
    'https://shop.example/orders/%2e%2e/admin',
    'https://shop.example.evil.example/orders',
    'https://user@shop.example/orders',
    'https://shop.example:444/orders',
    'http://shop.example/orders',
    'https:\\\\evil.example\\orders',
    '//shop.example/orders',
    'demoapp://other',
    'javascript:alert(1)',
    'not a url',
  ])('refuses %s', (url) => {
    expect(isAllowedReturnUrl(url, allowed)).toBe(false);
  });

  it('adds what the shop may show and keeps the shop’s own query', () => {
    const added = { session: 'cs_1', order_no: 'A 1', status: 'approved' };
    expect(returnAddress('https://shop.example/orders?x=1#top', added)).toBe(
      'https://shop.example/orders?x=1&session=cs_1&order_no=A+1&status=approved#top',
    );
    expect(returnAddress('demoapp://paid', added)).toBe('demoapp://paid?session=cs_1&order_no=A+1&status=approved');
  });
});
