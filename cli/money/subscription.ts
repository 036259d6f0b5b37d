import { Command } from 'commander';
import { z } from 'zod';
import { operations } from '../../shared/gateway/operations.ts';
import { confirm } from '../base/ask.ts';
import { runOf } from '../base/cli.ts';
import type { ExitCode } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { checked } from '../base/options.ts';
import { carryOut, report, textIn } from './carry-out.ts';

/** `turnpike subscription cancel`. */
export function subscriptionCommand(io: Io, ends: (code: ExitCode) => void): Command {
  const subscription = new Command('subscription').description('end the contract of a subscription');

  subscription
    .command('cancel <recurring_id>')
    .description('end a contract: no more is charged for it')
    .option('--contract-name <name>', 'its name, which the gateway checks')
    .option('--idempotency-key <key>', 'the same key and options again: it is done once (a random key)')
    .option('--yes', 'do not ask')
    .action(async (recurring_id: string, _options: unknown, self: Command) => {
      const {
        out,
        options,
        client: connect,
      } = runOf(io, self, {
        contractName: z.string().optional(),
        idempotencyKey: z.string().optional(),
        yes: z.boolean().default(false),
      });
      const { contractName: contract_name, idempotencyKey } = options;
      const body = checked(operations.subscription_cancel.route.body, { recurring_id, contract_name });
      const client = connect();
      await confirm(io, options, `End the subscription ${recurring_id}? It cannot be taken back.`);
      const done = await carryOut({ io, out }, client, {
        key: idempotencyKey ?? crypto.randomUUID(),
        options: {},
        send: (post) => client.subscriptionCancel(body, post),
      });
      const { result } = done;
      ends(
        report(out, done, {
          subscription: recurring_id,
          status: textIn(result, 'cancel_status'),
          message: textIn(result, 'error_message'),
        }),
      );
    });

  return subscription;
}
