import { readFileSync } from 'node:fs';
import { type ConfigFile, configFile, type Secret } from './config.ts';
import { ConfigError } from './errors.ts';

type FileAccount = ConfigFile['accounts'][number];

/** An account with its secrets read. `name` falls back to the id. */
export type Account = Omit<FileAccount, 'signing_secret' | 'name' | 'webhook'> & {
  signingSecret: string;
  name: string;
};

export type Config = Omit<ConfigFile, 'accounts'> & { accounts: Account[] };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks the config file, and reads the secrets that it names. PORT_RELAY, where set, replaces listen.port.
 * Throws ConfigError that lists every problem with its path.
 */
export function loadConfig(path: string, env: Environment): Config {
  return checkConfig(readJson(path), env);
}

/** Checks a configuration that is already read. Throws ConfigError. */
export function checkConfig(input: unknown, env: Environment): Config {
  const parsed = configFile.safeParse(input);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.flatMap((issue) =>
        issue.code === 'unrecognized_keys'
          ? issue.keys.map((key) => `${[...issue.path, key].join('.')}: there is no such setting`)
          : [`${issue.path.join('.') || '(the file)'}: ${issue.message}`],
      ),
    );
  }
  const problems: string[] = [...duplicates(parsed.data.accounts)];
  const port = portFromEnvironment(env, problems);
  const read = (secret: Secret, where: string): string => readSecret(secret, where, env, problems);
  const accounts = parsed.data.accounts.map(({ signing_secret, name, webhook, ...account }, at) => {
    for (const [index, secret] of (webhook?.secrets ?? []).entries()) {
      read(secret, `accounts.${at}.webhook.secrets.${index}`);
    }
    return {
      ...account,
      name: name ?? account.id,
      signingSecret: read(signing_secret, `accounts.${at}.signing_secret`),
    };
  });
  if (problems.length > 0) throw new ConfigError(problems);
  const listen = { ...parsed.data.listen, port: port ?? parsed.data.listen.port };
  return { ...parsed.data, listen, accounts };
}

function readJson(path: string): unknown {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError([`cannot read ${path} (${errorCode(error)}): check TURNPIKE_CONFIG`]);
  }
  try {
    return JSON.parse(content);
  } catch {
    // The parser's own message quotes the file, which may hold a secret.
    throw new ConfigError([`${path} is not JSON`]);
  }
}

function readSecret(secret: Secret, where: string, env: Environment, problems: string[]): string {
  if (typeof secret === 'string') return secret;
  if ('env' in secret) {
    const value = env[secret.env];
    if (!value) problems.push(`${where}: the environment variable ${secret.env} is not set`);
    return value ?? '';
  }
  try {
    const value = readFileSync(secret.file, 'utf8').trim();
    if (!value) problems.push(`${where}: the file ${secret.file} is empty`);
    return value;
  } catch (error) {
    problems.push(`${where}: cannot read the file ${secret.file} (${errorCode(error)})`);
    return '';
  }
}

function portFromEnvironment(env: Environment, problems: string[]): number | undefined {
  const value = env.PORT_RELAY;
  if (value === undefined || value === '') return undefined;
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  problems.push('PORT_RELAY: must be a port, 0 to 65535');
  return undefined;
}

function* duplicates(accounts: readonly FileAccount[]): Generator<string> {
  const ids = new Set<string>();
  const keys = new Set<string>();
  const merchants = new Set<string>();
  for (const [at, account] of accounts.entries()) {
    if (ids.has(account.id)) yield `accounts.${at}.id: two accounts are called ${account.id}`;
    ids.add(account.id);
    const merchant = JSON.stringify([account.merchant_id, account.account_id]);
    if (merchants.has(merchant)) yield `accounts.${at}: another account has the same merchant_id and account_id`;
    merchants.add(merchant);
    for (const [index, key] of account.api_keys.entries()) {
      if (keys.has(key.sha256)) yield `accounts.${at}.api_keys.${index}.sha256: this key is listed twice`;
      keys.add(key.sha256);
    }
  }
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unreadable';
}
