import type { Request } from 'express';
import type { Config } from '../../config/load.ts';
import type { Person } from './passwords.ts';

/**
 * The person whom a proxy names in `console.trust_header`, after it signed them in. Undefined where the request does not come
 * straight from an address of `trust_proxy`, or names nobody whom the settings know.
 */
export function trustedPerson({ people, trust_header }: Config['console'], req: Request): Person | undefined {
  if (trust_header === undefined || !isFromProxy(req)) return undefined;
  const [given, ...others] = req.headersDistinct[trust_header.toLowerCase()] ?? [];
  if (given === undefined || others.length > 0) return undefined;
  // Node reads headers as Latin-1; proxies write names as UTF-8.
  const name = Buffer.from(given, 'latin1').toString('utf8');
  return people.find((person) => person.name === name || person.name === given);
}

/** As Express decides it for the addresses that a proxy tells of. */
function isFromProxy({ app, socket }: Request): boolean {
  const trusts: unknown = app.get('trust proxy fn');
  return typeof trusts === 'function' && trusts(socket.remoteAddress, 0) === true;
}
