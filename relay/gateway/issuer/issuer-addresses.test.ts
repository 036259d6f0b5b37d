import { describe, expect, it } from 'vitest';
import { dnsOf, follow, follows, isPublic, issuer, settings } from '../../../test/support/gateways/issuer-servers.ts';

describe('an address that issuer_url leads to', () => {
  /** Each is loopback, or another address that no bank has. */
  const inside: Record<string, string> = {
    'loopback in decimal': 'https://2130706433/',
    'loopback in octal': 'https://0177.0.0.1/',
    'loopback in hexadecimal': 'https://0x7f.1/',
    'loopback in short': 'https://127.1/',
    'loopback with a dot at its end': 'https://127.0.0.1./',
    'loopback in wide digits': 'https://１２７.０.０.１/',
    'loopback in IPv6': 'https://[::1]/',
    'loopback in IPv6 clothes': 'https://[::ffff:127.0.0.1]/',
    'loopback behind NAT64': 'https://[64:ff9b::7f00:1]/',
    'loopback behind a NAT64 of its own': 'https://[64:ff9b:1::7f00:1]/',
    'a public address behind a NAT64 of its own': 'https://[64:ff9b:1::5db8:d822]/',
    'loopback behind 6to4': 'https://[2002:7f00:1::]/',
    'the unspecified address': 'https://0.0.0.0/',
    'a private network': 'https://10.0.0.1/',
    'the network next door': 'https://192.168.1.1/',
    'a private network in IPv6': 'https://[fd12:3456::1]/',
    'a link-local address': 'https://[fe80::1]/',
    'the metadata of one cloud': 'https://169.254.169.254/latest/meta-data/',
    'the metadata of one cloud in IPv6': 'https://[fd00:ec2::254]/',
    'the metadata of another cloud': 'https://100.100.100.200/',
    'the metadata of one cloud, mapped': 'https://[::ffff:a9fe:a9fe]/',
    'the metadata of one cloud behind NAT64': 'https://[64:ff9b::169.254.169.254]/',
    localhost: 'https://localhost/',
  };
  for (const [what, address] of Object.entries(inside)) {
    it(`is refused in every mode where it is ${what}`, async () => {
      for (const mode of follows) {
        await expect(follow(address, { ...isPublic, follow: mode })).rejects.toMatchObject({
          code: 'address_refused',
        });
      }
    });
  }

  for (const address of [
    'https://bank@127.0.0.1/',
    'https://bank.example:pw@127.0.0.1/',
    'https://bank.example%40127.0.0.1/',
  ]) {
    it(`is refused in every mode where a user stands before it: ${address}`, async () => {
      for (const mode of follows) {
        await expect(follow(address, { ...settings, follow: mode })).rejects.toMatchObject({
          code: 'scheme_refused',
        });
      }
    });
  }

  /** A browser resolves each in its own network, whatever the DNS returns here. */
  const localNames = [
    'localhost.',
    'LocalHost',
    'x.localhost',
    'example.com.LOCALHOST.',
    'localhost.localdomain',
    'ip6-localhost',
    'router',
    'printer.local',
    'vault.internal.',
    'nas.home.arpa',
    'box.lan',
    '.',
    'bank.example..',
  ];
  it.each(localNames)('is refused in every mode if it is the local name %s', async (host) => {
    const unknown = Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
    const fails = () => Promise.reject(unknown);
    const dns = dnsOf(['93.184.216.34']);
    for (const mode of follows) {
      for (const resolve of [fails, dns.resolve]) {
        const by = { ...isPublic, follow: mode };
        await expect(follow(`https://${host}/`, by, resolve)).rejects.toMatchObject({ code: 'address_refused' });
      }
    }
  });

  it('may be a local name if private addresses are permitted', async () => {
    const dns = dnsOf(['127.0.0.1']);
    const by = { ...settings, follow: 'none' } as const;
    for (const host of ['x.localhost', 'router']) {
      const address = `https://${host}/`;
      expect(await follow(address, by, dns.resolve)).toEqual({ address });
    }
  });

  it('is checked when connecting: a name that turns to loopback is refused', async () => {
    const { url, asked: visits } = await issuer({});
    const address = `https://bank.example:${new URL(url).port}/`;
    const dns = dnsOf(['93.184.216.34'], ['127.0.0.1']);
    await expect(follow(address, isPublic, dns.resolve)).rejects.toMatchObject({ code: 'address_refused' });
    expect(dns.asked).toEqual(['bank.example', 'bank.example']);
    expect(visits).toEqual([]);
  });

  it('is refused when one of a name’s addresses is', async () => {
    const dns = dnsOf(['93.184.216.34', '::1']);
    for (const mode of follows) {
      await expect(follow('https://bank.example/', { ...isPublic, follow: mode }, dns.resolve)).rejects.toMatchObject({
        code: 'address_refused',
      });
    }
  });

  it('is not requested over http when a private name turns public', async () => {
    const dns = dnsOf(['127.0.0.1'], ['93.184.216.34']);
    await expect(follow('http://bank.example:9/', settings, dns.resolve)).rejects.toMatchObject({
      code: 'address_refused',
    });
    expect(dns.asked).toHaveLength(2);
  });

  it('is checked on the last page too, which the shopper’s browser opens', async () => {
    const { url } = await issuer({ '/a': 'https://bank.example/' });
    for (const mode of ['last', 'first'] as const) {
      const dns = dnsOf(['169.254.169.254']);
      await expect(follow(`${url}/a`, { ...settings, follow: mode }, dns.resolve)).rejects.toMatchObject({
        code: 'address_refused',
      });
    }
  });

  it('is matched by host, ignoring case and a final dot', async () => {
    const dns = dnsOf(['93.184.216.34']);
    const reach = async (address: string, ...allow_hosts: string[]): Promise<string> =>
      (await follow(address, { ...isPublic, follow: 'none', allow_hosts }, dns.resolve)).address;
    expect(await reach('https://Bank.Example./', 'BANK.example')).toBe('https://bank.example./');
    expect(await reach('https://pay.bank.example/', '*.Bank.Example.')).toBe('https://pay.bank.example/');
    for (const address of [
      'https://evilbank.example/',
      'https://bank.example.evil.example/',
      'https://bank.example/',
    ]) {
      await expect(reach(address, '*.bank.example')).rejects.toMatchObject({ code: 'host_refused' });
    }
  });
});
