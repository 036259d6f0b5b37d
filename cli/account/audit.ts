import { Command } from 'commander';
import { z } from 'zod';
import type { AuditEntry } from '../../client/index.ts';
import { pageSize, runOf, someOf } from '../base/command.ts';
import type { Io } from '../base/io.ts';
import { allOption, limitOption, listed } from '../base/options.ts';
import type { Column } from '../base/output.ts';

/** `turnpike audit`. */
export function auditCommand(io: Io): Command {
  return new Command('audit')
    .option('--order-no <order_no>', 'only requests that named this order')
    .option('--by <name>', 'only requests with the API key of this name, or by the person after person:')
    .option(...limitOption)
    .option(...allOption)
    .action(async (_options: unknown, command: Command) => {
      const shape = { orderNo: z.string().optional(), by: z.string().optional(), ...listed };
      const { out, options, client } = runOf(io, command, shape);
      const filter = { order_no: options.orderNo, by: options.by, limit: pageSize(options) };
      await out.rows(someOf((await client()).audit.each(filter), options), columns);
    });
}

const columns: readonly Column<AuditEntry>[] = [
  { name: 'AT', cell: ({ at }) => at },
  { name: 'BY', cell: ({ by }) => by },
  { name: 'ACTION', cell: ({ action }) => action },
  { name: 'ABOUT', cell: ({ subject }) => subject },
  { name: 'ORDERS', cell: ({ orders }) => orders?.join(', ') },
  { name: 'OUTCOME', cell: ({ problem, outcome, decision }) => problem ?? outcome ?? decision },
  { name: 'IP', cell: ({ ip }) => ip },
];
