import { Command } from 'commander';
import { z } from 'zod';
import { eventTypes } from '../../shared/api/webhook.ts';
import { runOf } from '../base/command.ts';
import { CliError, EXIT, UsageError } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import {
  isTaken,
  postWebhook,
  printTry,
  requiredSecret,
  SECRET_VARIABLE,
  type Tried,
  target,
  warnOfPlainHttp,
} from './post.ts';

/** `turnpike trigger`. */
export function triggerCommand(io: Io): Command {
  return new Command('trigger')
    .argument('[type]', 'the type of the event, such as session.approved')
    .option('--forward-to <url>', 'the shop’s receiver, such as http://localhost:3000/hooks')
    .option('--secret-file <file>', `a file with the secret to sign with (or ${SECRET_VARIABLE})`)
    .option('--set <path=value>', 'change a value of the sample, such as data.amount=12.00 (can be repeated)', collect)
    .option('--list', 'list the types of events')
    .action(async (type: string | undefined, _options: unknown, command: Command) => {
      const { out, options } = runOf(io, command, {
        forwardTo: target.optional(),
        secretFile: z.string().optional(),
        set: z.array(z.string()).default([]),
        list: z.boolean().default(false),
      });
      if (options.list)
        return out.rows(
          eventTypes.map((one) => ({ type: one })),
          [{ name: 'EVENT', cell: (row) => row.type }],
        );
      const known = eventTypes.find((one) => one === type);
      if (!known)
        throw new UsageError(
          type ? `There is no event ${type}.` : 'No event is named.',
          'See turnpike trigger --list.',
        );
      if (!options.forwardTo)
        throw new UsageError('No receiver is named.', 'Give --forward-to, such as http://localhost:3000/hooks.');
      const secret = requiredSecret(io, options.secretFile);
      // Samples take a moment to load.
      const { sampleWebhook } = await import('./sample.ts');
      const webhook = sampleWebhook(io, known, options.set);
      warnOfPlainHttp(out, options.forwardTo);
      if (webhook.faults.length > 0) {
        out.say(`Warning: the relay sends no ${known} with such a value: ${webhook.faults.join(', ')}.`);
      }
      const tried = await postWebhook(io, { url: options.forwardTo, secret }, webhook);
      printTry({ io, out }, webhook, tried);
      if (!isTaken(tried)) throw notTaken(tried);
    });
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}

function notTaken(tried: Tried): CliError {
  const message = tried.kind === 'answered' ? `The receiver answered ${tried.status}.` : 'The receiver gave no answer.';
  return new CliError('not_taken', message, { exitCode: EXIT.refused, hint: hintFor(tried) });
}

function hintFor(tried: Tried): string {
  if (tried.kind !== 'answered') return 'Check --forward-to, and that the shop runs.';
  const { status } = tried;
  if (status >= 500) return 'The shop failed on it: look into its log.';
  if (status < 400) return 'A receiver answers 2xx. The relay follows no redirect: name the address that it leads to.';
  if (status === 404 || status === 405) return 'Check the path of --forward-to: is the receiver there, for POST?';
  return `Does the shop verify with the same secret? Check its ${SECRET_VARIABLE}.`;
}
