import { lookup as dnsLookup, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The addresses from other parties that the relay may call. */
export type AddressRules = {
  /** Permits loopback, RFC 1918 and fc00::/7, and plain http there. */
  allow_private: boolean;
  /** Permits only these: for plain http, which must not leave the operator's own network. */
  only_private?: boolean;
};

/** Asks the DNS for all addresses of a name. Tests replace it. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/** The relay may not call the address of a host. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
  readonly code = 'address_refused';
}

const privateRanges = new Set(['loopback', 'private', 'uniqueLocal']);

/** Cloud metadata services at otherwise ordinary addresses. */
const metadata = new Set(['fd00:ec2::254', 'fd20:ce::254', '168.63.129.16']);

/** True for an IP address (v4 or v6, no brackets) that may be connected to. */
export function isAllowedAddress(address: string, rules: AddressRules): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = unwrap(ipaddr.parse(address));
  if (metadata.has(parsed.toString())) return false;
  const range = parsed.range();
  return (
    (range === 'unicast' && isGlobal(parsed) && !rules.only_private) ||
    (rules.allow_private && privateRanges.has(range))
  );
}

/** True for a private address. If the rules permit it, plain http is allowed there, too. */
export function isPrivateAddress(address: string): boolean {
  return ipaddr.isValid(address) && privateRanges.has(unwrap(ipaddr.parse(address)).range());
}

/** True for `localhost`, 127.0.0.0/8 and ::1, as the hostname of a URL. */
export function isLoopbackHost(hostname: string): boolean {
  const host = bare(hostname);
  return host === 'localhost' || (ipaddr.isValid(host) && unwrap(ipaddr.parse(host)).range() === 'loopback');
}

/** The hostname of a URL without the brackets of IPv6. */
export function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** A host's addresses, all of them allowed. Throws AddressRefused, or the DNS error. */
export async function allowedAddresses(
  hostname: string,
  rules: AddressRules,
  resolve: Resolve = resolveByDns,
): Promise<LookupAddress[]> {
  const host = bare(hostname);
  const found = ipaddr.isValid(host) ? [{ address: host, family: host.includes(':') ? 6 : 4 }] : await resolve(host);
  if (found.length === 0 || !found.every(({ address }) => isAllowedAddress(address, rules))) {
    throw new AddressRefused('the host is at an address that may not be called');
  }
  return found;
}

/** A DNS lookup for sockets that returns only allowed addresses, so that sockets connect to the checked addresses. */
export function checkedLookup(rules: AddressRules, resolve: Resolve = resolveByDns): LookupFunction {
  return (hostname, options, callback) => {
    allowedAddresses(hostname, rules, resolve).then(
      (found) => {
        const [first] = found;
        if (options.all) callback(null, found);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error('lookup failed'), '', 0),
    );
  };
}

function resolveByDns(host: string): Promise<LookupAddress[]> {
  return new Promise((fulfil, reject) => {
    dnsLookup(host, { all: true }, (error, found) => (error ? reject(error) : fulfil(found)));
  });
}

/** False for IPv6 outside 2000::/3: the IANA has assigned no other range, and an operator may route it anywhere. */
function isGlobal(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address.kind() === 'ipv4' || /^[23]...:/.test(address.toNormalizedString());
}

/** The NAT64 prefix that means the same in every network. A network's own prefix (RFC 8215) may lead anywhere. */
const nat64 = ipaddr.IPv6.parse('64:ff9b::');

/** The IPv4 address inside an IPv4-mapped, IPv4-compatible or NAT64 one. */
function unwrap(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  const bytes = address.toByteArray();
  if (address.match(nat64, 96) || isIpv4Compatible(bytes)) return new ipaddr.IPv4(bytes.slice(12));
  return address;
}

/** ::a.b.c.d, which is deprecated; :: and ::1 are addresses of their own. */
function isIpv4Compatible(bytes: readonly number[]): boolean {
  return bytes.slice(0, 12).every((byte) => byte === 0) && bytes.slice(12, 15).some((byte) => byte !== 0);
}

/**
 * Top-level names of machines and local networks (RFC 6761, 6762 with appendix G, 8375, and ICANN's `internal`). The public DNS has none of
 * them.
 */
const localNames = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'home.arpa',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
];

/**
 * True for a hostname that the public DNS cannot have: a local name, a name of a single label such as `router`, or a name with an empty
 * label. A browser resolves it in its own network, whatever the relay's lookup finds.
 */
export function isLocalName(hostname: string): boolean {
  if (ipaddr.isValid(bare(hostname))) return false;
  const labels = hostname.toLowerCase().replace(/\.$/, '').split('.');
  if (labels.length === 1 || labels.includes('')) return true;
  const name = labels.join('.');
  return localNames.some((local) => name.endsWith(`.${local}`));
}
