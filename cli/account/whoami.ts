import { Command } from 'commander';
import { runOf } from '../base/command.ts';
import type { Io } from '../base/io.ts';
import { accessOf } from '../base/settings.ts';
import { readKey } from './key.ts';

/** `turnpike whoami`. */
export function whoamiCommand(io: Io): Command {
  return new Command('whoami').action(async (_options: unknown, command: Command) => {
    const { out, options, client } = runOf(io, command, {});
    const { url, profile, keySource } = accessOf(io, options);
    const { name, account, scopes } = await readKey(await client());
    out.record(
      { url, profile, key: keySource, name, account, scopes },
      {
        relay: url,
        profile,
        'key from': keySource,
        key: name,
        account: account.name === undefined ? account.id : `${account.id} (${account.name})`,
        scopes: scopes.join(', '),
      },
    );
  });
}
