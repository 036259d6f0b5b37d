import { expect, test } from 'vitest';
import { RegisteredAddresses } from './registered-addresses.ts';

test.each([
  ['127.0.0.1', true],
  ['127.9.9.9', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['128.0.0.1', false],
  ['::2', false],
  ['', false],
  ['localhost', false],
])('at first %j is registered: %s', (address, registered) => {
  expect(new RegisteredAddresses().includes(address)).toBe(registered);
});

test('addresses and ranges of both families match until they are replaced', () => {
  const addresses = new RegisteredAddresses();
  addresses.replace(['203.0.113.7', '10.0.0.0/8', '2001:db8::/32']);
  for (const one of ['203.0.113.7', '10.200.0.1', '::ffff:10.0.0.1', '2001:db8:1::5']) {
    expect(addresses.includes(one), one).toBe(true);
  }
  for (const one of ['203.0.113.8', '11.0.0.1', '2001:db9::1', '127.0.0.1']) {
    expect(addresses.includes(one), one).toBe(false);
  }
});
