import { Command } from 'commander';
import { type Client, RelayRefused } from '../../client/index.ts';
import { runOf } from '../base/command.ts';
import type { Io } from '../base/io.ts';
import { accessOf } from '../base/settings.ts';

/** `turnpike whoami`. */
export function whoamiCommand(io: Io): Command {
  return new Command('whoami')
    .addHelpText('after', '\nIt only reads: scopes that permit changes are not tried.')
    .action(async (_options: unknown, command: Command) => {
      const { out, options, client } = runOf(io, command, {});
      const { url, profile, keySource } = accessOf(io, options);
      const reads = await readableScopes(await client());
      const who = { url, profile, key: keySource, reads };
      out.record(who, {
        relay: url,
        profile,
        'key from': keySource,
        'may read': reads.length > 0 ? reads.join(', ') : 'nothing: the relay knows the key, but it lacks these scopes',
      });
    });
}

/** The scopes by which a key may read. Rejects if the relay does not know the key. */
export async function readableScopes(client: Client): Promise<string[]> {
  const tries: readonly (readonly [scope: string, read: () => Promise<unknown>])[] = [
    ['console', () => client.audit.list({ limit: 1 })],
    ['query', () => client.profile.get()],
    ['events', () => client.events.list({ limit: 1 })],
    ['sessions', () => client.sessions.get('cs_none')],
  ];
  const found: string[] = [];
  for (const [scope, read] of tries) {
    const refused = await read().then(() => undefined, refusal);
    if (refused === undefined || refused.code === 'not_found') found.push(scope);
    else if (refused.code !== 'missing_scope') throw refused;
  }
  return found;
}

/** The relay's refusal. Throws any other error. */
function refusal(error: unknown): RelayRefused {
  if (error instanceof RelayRefused) return error;
  throw error;
}
