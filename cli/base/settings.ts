import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { isObject } from '../../shared/checkout/is-object.ts';
import { codeOf, UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { keyringOf } from './keyring.ts';

/** The options that every command takes. */
export const globalOptions = z.object({
  url: z.string().optional(),
  keyFile: z.string().optional(),
  profile: z.string().optional(),
  json: z.boolean().default(false),
  input: z.boolean().default(true),
});
export type GlobalOptions = z.output<typeof globalOptions>;

const profiles = z.strictObject({
  profiles: z.record(
    z.string(),
    z.strictObject({ url: z.string(), key_file: z.string().optional(), keyring: z.literal(true).optional() }),
  ),
});

/** Relays and their keys by name, as in `profiles.json`. A `key_file` is relative to that file. */
export type Profiles = z.output<typeof profiles>['profiles'];

/** The profile that is used if no relay is named. */
const DEFAULT_PROFILE = 'default';

/** The profile that the person names, or the default one. */
export function profileName(io: Io, { profile }: Pick<GlobalOptions, 'profile'>): string {
  return profile ?? (io.env.TURNPIKE_PROFILE || DEFAULT_PROFILE);
}

/** The address of the relay, and the API key. */
export type Access = { url: string; apiKey: string };

/** The access, with the source of the key, and the profile that names the relay. */
type FoundAccess = Access & { keySource: string; profile: string | undefined };

/**
 * Finds the relay and the key: options first, then the profile in `--profile` or `TURNPIKE_PROFILE`, then
 * `TURNPIKE_URL` and `TURNPIKE_API_KEY`, then the profile `default`. `TURNPIKE_API_KEY` is only used for the relay of
 * `--url` or `TURNPIKE_URL`, because the relay of a profile may be another one. Throws UsageError that says what to
 * set.
 */
export function accessOf(io: Io, options: GlobalOptions): FoundAccess {
  const { url, profile } = relayOf(io, options);
  return { url, profile, ...keyOf(io, options, profile) };
}

/** The address of the relay alone. Throws UsageError. */
export function addressOf(io: Io, options: GlobalOptions): string {
  return relayOf(io, options).url;
}

function relayOf(io: Io, options: GlobalOptions): Pick<FoundAccess, 'url' | 'profile'> {
  const named = namedProfile(io, options);
  const given = options.url ?? profileOf(io, named)?.url ?? io.env.TURNPIKE_URL;
  if (given) return { url: given, profile: named };
  const fallback = profileOf(io, DEFAULT_PROFILE, false);
  if (fallback) return { url: fallback.url, profile: DEFAULT_PROFILE };
  throw noRelay();
}

function noRelay(): UsageError {
  return new UsageError(
    'No relay is named.',
    'Give --url, or set TURNPIKE_URL, or use a --profile, which turnpike login makes.',
  );
}

function namedProfile(io: Io, { profile }: GlobalOptions): string | undefined {
  return profile ?? (io.env.TURNPIKE_PROFILE || undefined);
}

type Key = Pick<FoundAccess, 'apiKey' | 'keySource'>;

function keyOf(io: Io, options: GlobalOptions, profile: string | undefined): Key {
  if (options.keyFile !== undefined) return keyIn(options.keyFile);
  const named = namedProfile(io, options);
  const key = keyOfProfile(io, named);
  if (key) return key;
  const isUnnamed = profile !== named;
  const { TURNPIKE_API_KEY: ofEnv } = io.env;
  if (ofEnv && isUnnamed) throw noRelay();
  const isOfProfile = named !== undefined && options.url === undefined;
  if (ofEnv && !isOfProfile) return { apiKey: ofEnv, keySource: 'TURNPIKE_API_KEY' };
  // The key of a profile is only for its own relay.
  const fallback = isUnnamed ? keyOfProfile(io, profile) : undefined;
  if (fallback) return fallback;
  throw new UsageError('No API key is given.', 'Give --key-file, or set TURNPIKE_API_KEY, or use a --profile.');
}

function keyOfProfile(io: Io, name: string | undefined): Key | undefined {
  if (name === undefined) return undefined;
  const { keyFile, isInKeyring } = profileOf(io, name) ?? {};
  if (keyFile !== undefined) return keyIn(keyFile);
  if (!isInKeyring) return undefined;
  const keyring = keyringOf(io);
  const apiKey = keyring?.read(name);
  if (keyring && apiKey !== undefined) return { apiKey, keySource: keyring.name };
  throw new UsageError(
    `The key of the profile ${name} cannot be read from the keyring.`,
    `Unlock it, or run turnpike login --profile ${name} again.`,
  );
}

/** The key in a file. Throws UsageError. */
export function keyIn(path: string): Key {
  const apiKey = readText(path, 'the key file').trim();
  if (apiKey === '') throw new UsageError(`The key file ${path} is empty.`);
  return { apiKey, keySource: path };
}

type Profile = { url: string; keyFile: string | undefined; isInKeyring: boolean };

/** `XDG_CONFIG_HOME` or `~/.config`, then `turnpike/profiles.json`; `TURNPIKE_PROFILES` names another file. */
export function profilesFile(io: Io): string {
  const folder = io.env.XDG_CONFIG_HOME || join(io.env.HOME || homedir(), '.config');
  return io.env.TURNPIKE_PROFILES || join(folder, 'turnpike/profiles.json');
}

/** All profiles; undefined if the file does not exist. Throws UsageError if it has other contents. */
export function readProfiles(io: Io): Profiles | undefined {
  const file = profilesFile(io);
  const text = textIfAny(file);
  if (text === undefined) return undefined;
  const parsed = profiles.safeParse(jsonIn(text));
  if (parsed.success) return parsed.data.profiles;
  throw new UsageError(
    `${file} is not a file of profiles.`,
    'It holds { "profiles": { "live": { "url": "https://pay.example", "key_file": "live.key" } } }.',
  );
}

function profileOf(io: Io, name: string | undefined, mustExist = true): Profile | undefined {
  if (name === undefined) return undefined;
  const file = profilesFile(io);
  if (mustExist) readText(file, 'the profiles');
  const known = readProfiles(io) ?? {};
  const profile = Object.hasOwn(known, name) ? known[name] : undefined;
  if (profile) {
    const { url, key_file, keyring = false } = profile;
    return {
      url,
      keyFile: key_file === undefined ? undefined : resolve(dirname(file), key_file),
      isInKeyring: keyring,
    };
  }
  if (!mustExist) return undefined;
  throw new UsageError(
    `There is no profile ${name} in ${file}.`,
    `It knows: ${Object.keys(known).join(', ') || 'none'}. Make one: turnpike login --profile ${name}`,
  );
}

/** The text of a file in an option. Throws UsageError. */
export function readText(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`Cannot read ${what} ${path} (${codeOf(error, 'unreadable')}).`);
  }
}

function textIfAny(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** The value of a JSON text; undefined for any other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the file.
    return undefined;
  }
}

/** The object in a JSON file, or in the standard input if the path is `-`. Throws UsageError, which never quotes it. */
export async function readObject(io: Io, path: string): Promise<Record<string, unknown>> {
  const text = path === '-' ? await io.readInput() : readText(path, 'the file');
  const read = jsonIn(text);
  if (isObject(read) && !Array.isArray(read)) return read;
  throw new UsageError(`${path === '-' ? 'The standard input' : path} is not JSON of one object.`);
}
