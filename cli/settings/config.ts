import { resolve } from 'node:path';
import { Command } from 'commander';
import type { Config } from '../../relay/config/load.ts';
import { runOf } from '../base/cli.ts';
import type { Io } from '../base/io.ts';
import { readConfig } from './read-config.ts';

/** `turnpike config check`. */
export function configCommand(io: Io): Command {
  const config = new Command('config').description('check the relay’s settings');
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

/** What the relay would do with the settings. Nothing secret is in it. */
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
    accounts: accounts.map(({ id, name, merchant_id, account_id, allowed_origins, api_keys, webhook }) => ({
      id,
      name,
      merchant_id,
      account_id,
      allowed_origins,
      api_keys: api_keys.map((key) => ({ name: key.name, scopes: key.scopes })),
      ...(webhook ? { webhook: webhook.url } : {}),
    })),
  };
}

/** A store's address without what may be a password. */
function shownStore(store: string): string {
  if (store.startsWith('sqlite:')) return store;
  if (!URL.canParse(store)) return 'postgres';
  const { host, pathname } = new URL(store);
  return `postgres://${host}${pathname}`;
}

function fieldsOf({
  listen,
  public_url,
  store,
  paused,
  gateway,
  accounts,
}: Summary): Record<string, string | undefined> {
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

function accountLine({ merchant_id, account_id, api_keys, webhook }: Summary['accounts'][number]): string {
  const keys = api_keys.map(({ name, scopes }) => `${name} (${scopes.join(', ')})`).join('; ');
  return `merchant ${merchant_id}, account ${account_id}; keys: ${keys}; webhooks: ${webhook ?? 'none'}`;
}
