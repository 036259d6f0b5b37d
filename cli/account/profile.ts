import { Command } from 'commander';
import { runOf } from '../base/command.ts';
import type { Io } from '../base/io.ts';

/** `turnpike profile`. */
export function profileCommand(io: Io): Command {
  return new Command('profile').action(async (_options: unknown, command: Command) => {
    const { out, client } = runOf(io, command, {});
    const profile = await (await client()).profile.get();
    const codes = Object.entries(profile.codes).flatMap(([field, meanings]) =>
      Object.entries(meanings).map(([meaning, all]): [string, string | undefined] => [
        `${field} ${meaning}`,
        all.length > 0 ? all.join(', ') : undefined,
      ]),
    );
    out.record(profile, {
      'time zone': profile.gateway_time_zone,
      'query without list': profile.query_without_list,
      ...Object.fromEntries(codes),
    });
  });
}
