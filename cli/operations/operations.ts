import { Command } from 'commander';
import { z } from 'zod';
import { settleBody } from '../../shared/api/operation.ts';
import { confirm } from '../base/ask.ts';
import { checked } from '../base/checked.ts';
import { runOf } from '../base/cli.ts';
import type { Io } from '../base/io.ts';
import { list } from '../base/options.ts';
import { nextStep } from './next-step.ts';
import { operationFields } from './operation-fields.ts';

/** `turnpike operations get|settle`. */
export function operationsCommand(io: Io): Command {
  const operations = new Command('operations').description('see what became of refunds, captures and the like');

  operations
    .command('get <operation_id>')
    .description('show an operation, what became of each item, and what to do next')
    .action(async (id: string, _options: unknown, self: Command) => {
      const { out, client } = runOf(io, self, {});
      const operation = await client().operations.get(id);
      out.record(operation, operationFields(operation));
      const next = nextStep(operation);
      if (next !== undefined) out.say(next);
    });

  operations
    .command('settle <operation_id>')
    .description('say what became of an operation that nobody knows, after a look at the gateway’s records')
    .requiredOption('--outcome <outcome>', 'succeeded, or failed: of all items that are not known')
    .option('--items <outcomes>', 'of each item, where they differ: succeeded,failed,failed')
    .option('--note <text>', 'how you know')
    .option('--idempotency-key <key>', 'the same key and options again: it is done once (a random key)')
    .option('--yes', 'do not ask')
    .action(async (id: string, _options: unknown, self: Command) => {
      const {
        out,
        options,
        client: connect,
      } = runOf(io, self, {
        outcome: z.enum(['succeeded', 'failed']),
        items: list.optional(),
        note: z.string().optional(),
        idempotencyKey: z.string().optional(),
        yes: z.boolean().default(false),
      });
      const { outcome, items, note, idempotencyKey } = options;
      const body = checked(settleBody, { outcome, items, note });
      const client = connect();
      await confirm(io, options, `Settle ${id} as ${items?.join(', ') ?? outcome}? The relay goes by what you say.`);
      const post = idempotencyKey === undefined ? {} : { idempotencyKey };
      const settled = await client.operations.settle(id, body, post);
      out.record(settled, operationFields(settled));
    });

  return operations;
}
