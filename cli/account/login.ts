import { Command } from 'commander';
import { isLoopbackHost } from '../../relay/gateway/issuer/addresses.ts';
import { runOf } from '../base/command.ts';
import { UsageError } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { type GlobalOptions, keyIn, profileName } from '../base/settings.ts';
import { readKey } from './key.ts';
import { forgetProfile, keepProfile } from './profile-store.ts';

/** `turnpike login`. */
export function loginCommand(io: Io): Command {
  return new Command('login')
    .addHelpText(
      'after',
      `
It asks for the address of the relay and the API key, unless --url and --key-file give them, and tries the key.
The key goes into the system's keyring (secret-tool on Linux, security on macOS), or into a file that only you can read.`,
    )
    .action(async (_options: unknown, command: Command) => {
      const { out, options } = runOf(io, command, {});
      const name = checkedName(profileName(io, options));
      const url = checkedUrl(options.url ?? (await answer(io.askLine, options, 'Address of the relay: ', '--url')));
      const apiKey = checkedKey(
        options.keyFile === undefined
          ? await answer(io.askSecret, options, 'API key (not shown): ', '--key-file')
          : keyIn(options.keyFile).apiKey,
      );
      const { createClient } = await import('../../client/index.ts');
      const client = createClient({ url, apiKey, fetch: io.fetch, wait: io.wait });
      const { name: key, scopes } = await readKey(client);
      const stored = keepProfile(io, name, { url, apiKey });
      out.record(
        { profile: name, url, key, scopes, 'key in': stored },
        { profile: name, relay: url, key, 'key in': stored },
      );
      const before = ['TURNPIKE_URL', 'TURNPIKE_API_KEY'].filter((variable) => io.env[variable]);
      if (before.length > 0) {
        out.say(`${before.join(' and ')} take precedence over the profile unless it is named: --profile ${name}.`);
      }
    });
}

/** `turnpike logout`. */
export function logoutCommand(io: Io): Command {
  return new Command('logout').action((_options: unknown, command: Command) => {
    const { out, options } = runOf(io, command, {});
    const name = checkedName(profileName(io, options));
    forgetProfile(io, name);
    out.record({ profile: name }, { forgotten: name });
  });
}

/**
 * The person's answer to a question. Throws UsageError, which names the `option` to use instead, if no question can be
 * asked.
 */
async function answer(ask: Io['askLine'], { input }: GlobalOptions, question: string, option: string): Promise<string> {
  if (ask && input) return (await ask(question)).trim();
  throw new UsageError(`No question can be asked: ${question.replace(/: $/, '')}.`, `Give ${option}.`);
}

/** The name is used in file names and in commands of the keyring. */
function checkedName(name: string): string {
  if (/^[\w-][\w.-]{0,63}$/.test(name)) return name;
  throw new UsageError('The name of a profile has at most 64 letters, digits, points, and the signs - and _.');
}

function checkedUrl(url: string): string {
  if (URL.canParse(url)) {
    const { protocol, hostname } = new URL(url);
    if (protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname))) return url;
  }
  throw new UsageError('The address of the relay begins with https:// or, on this machine, http://.');
}

function checkedKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new UsageError('This is no API key: it is empty, or has blanks or characters that are not ASCII.');
}
