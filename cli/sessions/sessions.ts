import { Command } from 'commander';
import { z } from 'zod';
import { settleSession } from '../../shared/api/session.ts';
import { confirm } from '../base/ask.ts';
import { checked } from '../base/checked.ts';
import { runOf } from '../base/cli.ts';
import { CliError, EXIT } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { amount } from '../base/options.ts';
import { createCommand } from './create.ts';
import { sessionFields, withoutSecret } from './session-fields.ts';

/** `turnpike sessions create|get|settle`. */
export function sessionsCommand(io: Io): Command {
  const sessions = new Command('sessions').description(
    'open a checkout, see what became of it, decide what is undecided',
  );
  sessions.addCommand(createCommand(io));

  sessions
    .command('get <session_id>')
    .description('show a session: what became of it, and its attempts')
    .option('--link', 'print its checkout_url alone: whoever has it can pay, and sees what the form shows')
    .action(async (id: string, _options: unknown, self: Command) => {
      const { out, options, client } = runOf(io, self, { link: z.boolean().default(false) });
      const session = await client().sessions.get(id);
      if (!options.link) {
        const shown = withoutSecret(session);
        return out.record(shown, sessionFields(shown));
      }
      const { checkout_url } = session;
      if (checkout_url === undefined) {
        throw new CliError('session_final', `This session is over: ${session.status}.`, { exitCode: EXIT.refused });
      }
      out.record({ checkout_url }, { checkout_url });
    });

  sessions
    .command('settle <session_id>')
    .description('say whether an order was paid, after a look at the gateway’s records')
    .requiredOption('--outcome <outcome>', 'approved, or not_paid')
    .option('--transaction <id>', 'the transaction that paid it (needed for approved)')
    .option('--amount <amount>', 'what was paid, if not what was asked')
    .option('--currency <code>', 'in this currency, if not the order’s')
    .requiredOption('--note <text>', 'how you know')
    .option('--idempotency-key <key>', 'the same key and options again: it is done once (a random key)')
    .option('--yes', 'do not ask')
    .action(async (id: string, _options: unknown, self: Command) => {
      const {
        out,
        options,
        client: connect,
      } = runOf(io, self, {
        outcome: z.enum(['approved', 'not_paid']),
        transaction: z.string().optional(),
        amount: amount.optional(),
        currency: z.string().optional(),
        note: z.string(),
        idempotencyKey: z.string().optional(),
        yes: z.boolean().default(false),
      });
      const { outcome, transaction, note, idempotencyKey } = options;
      const paid = { transaction_id: transaction, amount: options.amount, currency: options.currency };
      const body = checked(settleSession, { outcome, note, ...paid });
      const client = connect();
      const { order_no, status } = await client.sessions.get(id);
      await confirm(
        io,
        options,
        `Order ${order_no} is ${status}. Settle it as ${outcome}? The relay goes by what you say.`,
      );
      const post = idempotencyKey === undefined ? {} : { idempotencyKey };
      const settled = withoutSecret(await client.sessions.settle(id, body, post));
      out.record(settled, sessionFields(settled));
    });

  return sessions;
}
