import { resolve } from 'node:path';
import { Command } from 'commander';
import type { Config } from '../../relay/config/load.ts';
import { runOf } from '../base/command.ts';
import { CliError, EXIT } from '../base/errors.ts';
import type { Io } from '../base/io.ts';

/** `turnpike config check`. */
export function configCommand(io: Io): Command {
  const config = new Command('config');
  config
    .command('check <file>')
    .description('check a relay’s settings file, and list every mistake or what it sets')
    .action(async (file: string, _options: unknown, command: Command) => {
      const { out } = runOf(io, command, {});
      const summary = await summaryOf(await readConfig(file, io.env));
      out.record({ file: resolve(file), ...summary }, fieldsOf(summary));
      out.say('The file is right. Whether the gateway agrees: turnpike doctor.');
    });
  return config;
}

type Summary = Awaited<ReturnType<typeof summaryOf>>;

/** The effect of the settings. It contains no secrets. */
async function summaryOf(config: Config) {
  const { groupsWithoutCodes } = await import('../../relay/gateway/profile.ts');
  const { listen, public_url, store, gateway, accounts, paused } = config;
  const { profile } = gateway;
  return {
    listen: `${listen.host}:${listen.port}`,
    public_url,
    store: shownStore(store),
    paused,
    gateway: {
      base_url: gateway.base_url,
      signing: profile.signing.scheme === 'concat' ? `concat, ${profile.signing.algorithm}` : profile.signing.scheme,
      time_zone: profile.gateway_time_zone,
      headers: Object.keys(gateway.headers),
      without_codes: groupsWithoutCodes(profile.codes),
    },
    accounts: accounts.map(({ id, name, merchant_id, account_id, allowed_origins, api_keys, webhooks }) => ({
      id,
      name,
      merchant_id,
      account_id,
      allowed_origins,
      api_keys: api_keys.map((key) => ({ name: key.name, scopes: key.scopes })),
      webhooks: webhooks.map(({ id, url, events }) => ({ id, url, ...(events ? { events } : {}) })),
    })),
  };
}

/** A store's address without a possible password. */
function shownStore(store: string): string {
  if (store.startsWith('sqlite:')) return store;
  if (!URL.canParse(store)) return 'postgres';
  const { host, pathname } = new URL(store);
  return `postgres://${host}${pathname}`;
}

function fieldsOf(summary: Summary): Record<string, string | undefined> {
  const { listen, public_url, store, paused, gateway, accounts } = summary;
  const { base_url, signing, time_zone, headers, without_codes } = gateway;
  return {
    listen,
    public_url,
    store,
    paused: paused ? 'yes: nothing is changed at the gateway, and no webhook is sent' : undefined,
    gateway: `${base_url}, signing ${signing}, time zone ${time_zone}`,
    headers: headers.length > 0 ? headers.join(', ') : undefined,
    'no meaning for': without_codes.length > 0 ? without_codes.join(', ') : undefined,
    ...Object.fromEntries(accounts.map((account) => [`account ${account.id}`, accountLine(account)])),
  };
}

function accountLine({ merchant_id, account_id, api_keys, webhooks }: Summary['accounts'][number]): string {
  const keys = api_keys.map(({ name, scopes }) => `${name} (${scopes.join(', ')})`).join('; ');
  return `merchant ${merchant_id}, account ${account_id}; keys: ${keys}; webhooks: ${webhooks.map(({ url }) => url).join(', ') || 'none'}`;
}

/**
 * Reads a relay's settings as the relay does. Throws CliError, exit code 2, with every problem and its path.
 * @param env the environment with the secrets of the settings
 */
export async function readConfig(file: string, env: Readonly<Record<string, string | undefined>>): Promise<Config> {
  const { loadConfig } = await import('../../relay/config/load.ts');
  const { ConfigError } = await import('../../relay/base/errors.ts');
  try {
    return loadConfig(file, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { problems } = error;
    throw new CliError(
      'config_invalid',
      `${file} is wrong in ${problems.length === 1 ? 'one place' : `${problems.length} places`}.`,
      {
        exitCode: EXIT.usage,
        errors: problems.map((problem) => problemOf(problem, file)),
        hint: problems.some((problem) => problem.includes('environment variable'))
          ? 'Set the variables that the relay itself is started with.'
          : 'The relay would not start with it.',
      },
    );
  }
}

/** A line of the loader, split into the setting's path and its problem. */
function problemOf(line: string, file: string): { path: string; message: string } {
  const [, path, message] = /^((?:[^\s.:]+\.)*[^\s.:]+|\(the file\)): (.*)$/s.exec(line) ?? [];
  return path === undefined || message === undefined ? { path: file, message: line } : { path, message };
}
