import { describe, expect, it } from 'vitest';
import { allowedAddresses, isAllowedAddress, isLoopbackHost } from './addresses.ts';

const refusedAlways = [
  '169.254.169.254',
  '169.254.0.1',
  'fe80::1',
  'fd00:ec2::254',
  '168.63.129.16',
  '0.0.0.0',
  '::',
  '255.255.255.255',
  '224.0.0.1',
  'ff02::1',
  '100.64.0.1',
  '100.100.100.200',
  '192.0.2.1',
  '198.18.0.1',
  '2001:db8::1',
  '2002:7f00:1::',
  '4000::1',
  '1::1',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::5db8:d822',
  '64:ff9b:1::7f00:1',
  '64:ff9b:1:ffff:ffff:ffff:5db8:d822',
  '::a9fe:a9fe',
  'not an address',
];
const privateOnes = [
  '127.0.0.1',
  '127.9.9.9',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '::1',
  'fc00::1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  '::7f00:1',
];

describe('addresses that may be called', () => {
  for (const address of refusedAlways) {
    it(`refuse ${address} always`, () => {
      expect(isAllowedAddress(address, { allow_private: false })).toBe(false);
      expect(isAllowedAddress(address, { allow_private: true })).toBe(false);
    });
  }
  for (const address of privateOnes) {
    it(`take ${address} only where private addresses are permitted`, () => {
      expect(isAllowedAddress(address, { allow_private: false })).toBe(false);
      expect(isAllowedAddress(address, { allow_private: true })).toBe(true);
    });
  }
  it('take global addresses', () => {
    expect(isAllowedAddress('93.184.216.34', { allow_private: false })).toBe(true);
    expect(isAllowedAddress('2606:2800:220:1::1', { allow_private: false })).toBe(true);
    expect(isAllowedAddress('64:ff9b::5db8:d822', { allow_private: false })).toBe(true);
  });

  for (const host of ['http://2130706433/', 'http://0177.0.0.1/', 'http://0x7f.1/', 'http://[::ffff:7f00:1]/']) {
    it(`see through the spelling ${host}`, async () => {
      const { hostname } = new URL(host);
      await expect(allowedAddresses(hostname, { allow_private: false })).rejects.toMatchObject({
        code: 'address_refused',
      });
    });
  }

  it('refuse a name that leads to a refused address', async () => {
    await expect(allowedAddresses('localhost', { allow_private: false })).rejects.toMatchObject({
      code: 'address_refused',
    });
    await expect(allowedAddresses('localhost', { allow_private: true })).resolves.not.toHaveLength(0);
  });

  it('know loopback hosts', () => {
    expect(['localhost', '127.0.0.1', '[::1]', '127.1.2.3'].map(isLoopbackHost)).toEqual([true, true, true, true]);
    expect(isLoopbackHost('gateway.example')).toBe(false);
  });
});
