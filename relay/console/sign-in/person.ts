import type { Request } from 'express';
import { sha256 } from '../../base/keys.ts';
import type { Config } from '../../config/load.ts';
import type { Context } from '../../context/context.ts';
import type { OwnCredentials, SecondFactor } from '../../store/facets/credentials.ts';

/** A person in the settings. */
export type Person = Config['console']['people'][number];

/** The way in which a person signed in. */
export type Way = 'password' | 'header';

/** The current credentials of a person, from the settings and from the person's changes. `password` is a scrypt hash. */
export type Credentials = { password?: string; factor?: SecondFactor };

/** Reads the credentials of a name. An unknown name takes as long as a known one. Throws StoreError. */
export async function readCredentials(context: Context, person: Person | undefined): Promise<Credentials> {
  const stored = await context.store.credentials.get(person?.name ?? '');
  return person ? credentialsOf(person, stored, context.now()) : {};
}

/**
 * A password that the person chose is valid while the settings have the hash that it replaces. A factor that was reset
 * is not valid. Without a password in the settings the person has neither.
 */
function credentialsOf(person: Person, stored: OwnCredentials | undefined, now: Date): Credentials {
  const { password: given } = person;
  if (given === undefined) return {};
  const { password: own, factor } = stored ?? {};
  const password = own?.replaces === sha256(given) ? own.hash : given;
  return { password, ...(factor && !isReset(person, factor, now) ? { factor } : {}) };
}

/** Whether the settings reset a factor. A reset in the future has no effect yet. */
export function isReset({ second_factor_reset: at }: Person, { enrolled_at }: SecondFactor, now: Date): boolean {
  return at !== undefined && enrolled_at < at && at <= now.toISOString();
}

/** The hash of the credentials of a sign-in. It changes with the password, the second factor, or the name of the header. */
export function credentialOf(
  way: Way,
  { password, factor }: Credentials,
  header: string | undefined,
): string | undefined {
  const means = way === 'password' ? password : header;
  if (means === undefined) return undefined;
  return sha256([way, means, ...(way === 'password' && factor ? [factor.enrolled_at] : [])].join(' '));
}

/**
 * The person whom a proxy names in `console.trust_header`, after it signed them in. Undefined if the request does not come directly
 * from an address of `trust_proxy`, or names a person who is not in the settings.
 */
export function trustedPerson({ people, trust_header }: Config['console'], req: Request): Person | undefined {
  if (trust_header === undefined || !isFromProxy(req)) return undefined;
  const [given, ...others] = req.headersDistinct[trust_header.toLowerCase()] ?? [];
  if (given === undefined || others.length > 0) return undefined;
  // Node reads headers as Latin-1; proxies write names as UTF-8.
  const name = Buffer.from(given, 'latin1').toString('utf8');
  return people.find((person) => person.name === name || person.name === given);
}

/** Whether the request comes from a trusted proxy, as Express decides for the addresses in `X-Forwarded-For`. */
function isFromProxy({ app, socket }: Request): boolean {
  const trusts: unknown = app.get('trust proxy fn');
  return typeof trusts === 'function' && trusts(socket.remoteAddress, 0) === true;
}
