import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';

/** The place of a secret outside of the config file. */
const reference = z.union([z.strictObject({ env: z.string().min(1) }), z.strictObject({ file: z.string().min(1) })]);

export const secret = z.union(
  [z.string().min(1), ...reference.options],
  'must be { "env": NAME }, { "file": PATH } or, for tests, a text',
);
export type Secret = z.infer<typeof secret>;

/** A process's variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a secret. A relative path is searched in `$TURNPIKE_SECRETS`, the folder with the files that a reload has read
 * again; then in `$CREDENTIALS_DIRECTORY`, the folder of systemd's credentials, or in the working directory. White
 * space around the content is removed. A problem names the place and never the secret.
 */
export function readSecret(secret: Secret, env: Environment): { value: string } | { problem: string } {
  if (typeof secret === 'string') return { value: secret };
  if ('env' in secret) {
    const value = env[secret.env];
    return value ? { value } : { problem: `the environment variable ${secret.env} is not set` };
  }
  const reloaded = env.TURNPIKE_SECRETS ? resolve(env.TURNPIKE_SECRETS, secret.file) : undefined;
  const path = reloaded && existsSync(reloaded) ? reloaded : resolve(env.CREDENTIALS_DIRECTORY ?? '', secret.file);
  try {
    const value = readFileSync(path, 'utf8').trim();
    return value ? { value } : { problem: `the file ${path} is empty` };
  } catch (error) {
    return { problem: `cannot read the file ${path} (${errorCode(error)})` };
  }
}

const settings = z.looseObject({});
const headers = z.record(z.string(), z.unknown());
const gateway = z.looseObject({ headers });
const accounts = z.array(z.unknown());

/**
 * The settings with `store` and the values of `gateway.headers`, also those of accounts, as texts: each `{ env }` or `{
 * file }` is read. The schema refuses other forms.
 */
export function withTextsRead(input: unknown, env: Environment): { input: unknown; problems: readonly string[] } {
  const problems: string[] = [];
  const read = (given: unknown, where: string, standIn: string): unknown => {
    const named = reference.safeParse(given);
    if (!named.success) return given;
    const found = readSecret(named.data, env);
    if ('value' in found) return found.value;
    problems.push(`${where}: ${found.problem}`);
    return standIn;
  };
  const withHeaders = (owner: unknown, where: string): unknown => {
    const given = z.looseObject({ gateway }).safeParse(owner);
    if (!given.success) return owner;
    const values = Object.entries(given.data.gateway.headers).map(([name, value]) => [
      name,
      read(value, `${where}gateway.headers.${name}`, ''),
    ]);
    return { ...given.data, gateway: { ...given.data.gateway, headers: Object.fromEntries(values) } };
  };
  const given = settings.safeParse(input);
  if (!given.success) return { input, problems };
  const all = settings.parse(withHeaders(given.data, ''));
  const list = accounts.safeParse(all.accounts);
  const texts = {
    ...all,
    ...('store' in all ? { store: read(all.store, 'store', 'sqlite::memory:') } : {}),
    ...(list.success ? { accounts: list.data.map((one, at) => withHeaders(one, `accounts.${at}.`)) } : {}),
  };
  return { input: texts, problems };
}

/** The code of a failure to read a file. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unreadable';
}
