import { Command } from 'commander';
import type { EndpointAnswer } from '../../client/index.ts';
import { runOf } from '../base/command.ts';
import type { Io } from '../base/io.ts';
import type { Column } from '../base/output.ts';

/** `turnpike webhooks`. */
export function webhooksCommand(io: Io): Command {
  return new Command('webhooks').action(async (_options: unknown, command: Command) => {
    const { out, client } = runOf(io, command, {});
    const { webhooks } = await (await client()).webhooks.list();
    await out.rows(webhooks, columns);
  });
}

const columns: readonly Column<EndpointAnswer>[] = [
  { name: 'ENDPOINT', cell: ({ id }) => id },
  { name: 'URL', cell: ({ url }) => url },
  { name: 'EVENTS', cell: ({ events }) => events?.join(', ') ?? 'all' },
  { name: 'WAITING', cell: ({ waiting }) => String(waiting) },
  { name: 'FAILED', cell: ({ failed }) => String(failed) },
  { name: 'FAULT', cell: ({ failing }) => failing?.fault },
  { name: 'FAILING SINCE', cell: ({ failing }) => failing?.since },
  { name: 'DELIVERED', cell: ({ delivered_at }) => delivered_at },
];
