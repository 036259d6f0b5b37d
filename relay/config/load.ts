import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { fieldMessage, noSuchField } from '../../shared/messages/field-messages.ts';
import { ConfigError } from '../base/errors.ts';
import { type DerivedKeys, deriveKeys } from '../base/keys.ts';
import { isLoopbackHost } from '../gateway/issuer/addresses.ts';
import { emptyCodes } from '../gateway/profile.ts';
import { type Alerts, alertProblems, alertSecrets, readAlerts } from './alerts.ts';
import { type Logo, readLogo } from './appearance.ts';
import { type Endpoint, endpointProblems, endpointsAsGiven, readEndpoints } from './endpoints.ts';
import { consoleProblems } from './people.ts';
import { type ConfigFile, configFile } from './schema.ts';
import { type Environment, errorCode, withTextsRead } from './secrets.ts';
import { checkedSecret, previousAt, secretsIn } from './secrets-in-file.ts';
import { parseUrl } from './urls.ts';

type FileAccount = ConfigFile['accounts'][number];

/**
 * An account with its secrets read. `name` defaults to the id. `derivedKeys` belong to the signing secret; values
 * derived from the secrets before it are checked with `previousKeys`.
 */
export type Account = Omit<
  FileAccount,
  'signing_secret' | 'previous_signing_secrets' | 'name' | 'webhook' | 'webhooks' | 'appearance'
> & {
  signingSecret: string;
  derivedKeys: DerivedKeys;
  previousKeys: readonly DerivedKeys[];
  name: string;
  /** The endpoints for its events. Without an endpoint, events are only stored. */
  webhooks: readonly Endpoint[];
  appearance: Omit<FileAccount['appearance'], 'logo'> & { logo?: Logo };
};

export type Config = Omit<ConfigFile, 'accounts' | 'alerts'> & { accounts: Account[]; alerts: Alerts };

/**
 * Reads and checks the config file, and reads its secrets. PORT_RELAY and PORT_CONSOLE replace listen.port and
 * console.listen.port, so that the relays of one machine can share the file. Throws ConfigError that lists every
 * problem with its path.
 */
export function loadConfig(path: string, env: Environment): Config {
  return withSigningPath(checkConfig(readJson(path), env, dirname(path)), dirname(path));
}

/** A signing module's path is relative to the folder of the config file. */
function withSigningPath(config: Config, folder: string): Config {
  const { profile } = config.gateway;
  if (profile.signing.scheme !== 'module') return config;
  const signing = { ...profile.signing, path: resolve(folder, profile.signing.path) };
  return { ...config, gateway: { ...config.gateway, profile: { ...profile, signing } } };
}

/** Checks a configuration that is already read; paths of logos are relative to `folder`. Throws ConfigError. */
export function checkConfig(given: unknown, env: Environment, folder = '.'): Config {
  const { input, problems: unread } = withTextsRead(given, env);
  const parsed = configFile.safeParse(withoutDefaultCodes(input), { error: fieldMessage });
  const logos = parsed.success
    ? parsed.data.accounts.map(({ appearance: { logo } }) => (logo === undefined ? undefined : readLogo(logo, folder)))
    : [];
  const secrets = new Map(
    [...secretsIn(input), ...alertSecrets(input)].map((named) => [named.where, checkedSecret(named, env)]),
  );
  const port = portIn(env.PORT_RELAY);
  const consolePort = portIn(env.PORT_CONSOLE);
  const problems = [
    ...(parsed.success
      ? [...consoleProblems(withPorts(parsed.data, port, consolePort)), ...alertProblems(parsed.data)]
      : parsed.error.issues.flatMap(problemsOf)),
    ...duplicates(input),
    ...requiredOffLoopback(input),
    ...unread,
    ...[...secrets].flatMap(([where, read]) => ('problem' in read ? [`${where}: ${read.problem}`] : [])),
    ...logos.flatMap((logo, at) =>
      logo && 'problem' in logo ? [`accounts.${at}.appearance.logo: ${logo.problem}`] : [],
    ),
    ...('problem' in port ? [`PORT_RELAY: ${port.problem}`] : []),
    ...('problem' in consolePort ? [`PORT_CONSOLE: ${consolePort.problem}`] : []),
  ];
  if (problems.length > 0 || !parsed.success || 'problem' in port || 'problem' in consolePort) {
    throw new ConfigError(problems);
  }
  const secretAt = (where: string): string => {
    const read = secrets.get(where);
    return read && 'value' in read ? read.value : '';
  };
  const accounts = parsed.data.accounts.map(
    (
      { signing_secret: _, previous_signing_secrets: previous, name, webhook, webhooks, appearance, ...account },
      at,
    ) => ({
      ...account,
      appearance: withLogo(appearance, logos[at]),
      name: name ?? account.id,
      signingSecret: secretAt(`accounts.${at}.signing_secret`),
      derivedKeys: deriveKeys(secretAt(`accounts.${at}.signing_secret`)),
      previousKeys: previous.map((_, i) => deriveKeys(secretAt(previousAt(at, i)))),
      webhooks: readEndpoints({ webhook, webhooks }, (path) => secretAt(`accounts.${at}.${path}`)),
    }),
  );
  return {
    ...withPorts(parsed.data, port, consolePort),
    alerts: readAlerts(parsed.data.alerts, secretAt),
    accounts,
  };
}

function withLogo(
  { logo: _, ...appearance }: FileAccount['appearance'],
  logo: ReturnType<typeof readLogo> | undefined,
): Account['appearance'] {
  return logo && 'body' in logo ? { ...appearance, logo } : appearance;
}

/**
 * Removes the default codes unless the gateway is on loopback: the codes of a real gateway have only the meanings in
 * the file.
 */
function withoutDefaultCodes(input: unknown): unknown {
  const given = gatewayAsGiven.safeParse(input);
  if (!given.success || isOnLoopback(given.data.gateway.base_url)) return input;
  const { gateway } = given.data;
  const { codes } = gateway.profile;
  if (typeof codes !== 'object' || codes === null) return input;
  return {
    ...given.data,
    gateway: { ...gateway, profile: { ...gateway.profile, codes: { ...emptyCodes, ...codes } } },
  };
}

function isOnLoopback(baseUrl: string): boolean {
  const url = parseUrl(baseUrl);
  return url === null || isLoopbackHost(url.hostname);
}

function problemsOf(issue: z.core.$ZodIssue): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${[...issue.path, key].join('.')}: ${noSuchField(key, issue.message, 'setting')}`);
  }
  const isKey = issue.code === 'invalid_key';
  const reason = isKey ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  // A wrong header name may be a secret in the wrong place, which the log must not contain.
  const path = isKey && issue.path.at(-2) === 'headers' ? issue.path.slice(0, -1) : issue.path;
  return [`${path.join('.') || '(the file)'}: ${reason}`];
}

const gatewayAsGiven = z.looseObject({
  gateway: z.looseObject({ base_url: z.string(), profile: z.record(z.string(), z.unknown()).default({}) }),
});

/** The problems of missing settings that have defaults only for a gateway on loopback, such as the sandbox. */
function requiredOffLoopback(input: unknown): string[] {
  const given = gatewayAsGiven.safeParse(input);
  const url = given.success ? parseUrl(given.data.gateway.base_url) : null;
  if (!given.success || !url || isOnLoopback(url.href)) return [];
  const missing = ['signing', 'codes'].filter((name) => !(name in given.data.gateway.profile));
  return [
    ...(url.protocol === 'https:' ? [] : ['gateway.base_url: must be https unless it is on loopback']),
    ...missing.map((name) => `gateway.profile.${name}: must be given unless base_url is on loopback; ask its operator`),
  ];
}

function readJson(path: string): unknown {
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError([`cannot read ${path} (${errorCode(error)})`]);
  }
  try {
    return JSON.parse(content);
  } catch {
    // The parser's own message quotes the file, which may contain a secret.
    throw new ConfigError([`${path} is not JSON`]);
  }
}

/** The configuration with the ports of the environment. */
function withPorts(file: ConfigFile, port: PortIn, consolePort: PortIn): ConfigFile {
  const { listen, console } = file;
  return {
    ...file,
    listen: { ...listen, ...('problem' in port ? {} : port) },
    console: console.listen
      ? { ...console, listen: { ...console.listen, ...('problem' in consolePort ? {} : consolePort) } }
      : console,
  };
}

type PortIn = { port?: number } | { problem: string };

/** The port in a variable of the environment, if it is set. */
function portIn(value: string | undefined): PortIn {
  if (value === undefined || value === '') return {};
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return { port: Number(value) };
  return { problem: 'must be a port, 0 to 65535' };
}

const given = z.string().optional().catch(undefined);

const namesAsGiven = z.looseObject({
  accounts: z.array(
    z
      .looseObject({
        id: given,
        merchant_id: given,
        account_id: given,
        api_keys: z.array(z.looseObject({ sha256: given }).catch({})).catch([]),
        ...endpointsAsGiven,
      })
      .catch({ api_keys: [] }),
  ),
});

/**
 * The problems of values that two accounts, or two endpoints of an account, must not share. The file may have other
 * mistakes.
 */
function* duplicates(input: unknown): Generator<string> {
  const names = namesAsGiven.safeParse(input);
  const [ids, keys, merchants] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const [at, { id, merchant_id, account_id, api_keys, ...endpoints }] of (names.data?.accounts ?? []).entries()) {
    if (isRepeated(ids, id)) yield `accounts.${at}.id: two accounts are called ${id}`;
    const merchant = merchant_id && account_id && JSON.stringify([merchant_id, account_id]);
    if (isRepeated(merchants, merchant))
      yield `accounts.${at}: another account has the same merchant_id and account_id`;
    for (const problem of endpointProblems(endpoints)) yield `accounts.${at}.${problem}`;
    for (const [index, { sha256 }] of api_keys.entries()) {
      if (isRepeated(keys, sha256?.toLowerCase()))
        yield `accounts.${at}.api_keys.${index}.sha256: this key is listed twice`;
    }
  }
}

/** Whether the name occurred before. Adds the name. */
function isRepeated(seen: Set<string>, name: string | undefined): boolean {
  if (name === undefined || name === '') return false;
  const isKnown = seen.has(name);
  seen.add(name);
  return isKnown;
}
