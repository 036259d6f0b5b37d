import ipaddr from 'ipaddr.js';
import { bare } from './addresses.ts';

/**
 * Top-level names that stand for a machine or a network of its own (RFC 6761, 6762 with appendix G, 8375, and ICANN's
 * `internal`). The public DNS has none of them.
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
 * True for the hostname of a URL that the public DNS cannot have: a local name, one of a single label such as `router`, and
 * one with an empty label. A browser takes it for its own machine or network, whatever the relay's own lookup finds.
 */
export function isLocalName(hostname: string): boolean {
  if (ipaddr.isValid(bare(hostname))) return false;
  const labels = hostname.toLowerCase().replace(/\.$/, '').split('.');
  if (labels.length === 1 || labels.includes('')) return true;
  const name = labels.join('.');
  return localNames.some((local) => name.endsWith(`.${local}`));
}
