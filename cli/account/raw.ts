import { Command } from 'commander';
import { z } from 'zod';
import { holdsCard } from '../../shared/card-data/mask.ts';
import { type Run, runOf } from '../base/command.ts';
import { UsageError } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { jsonIn, readObject } from '../base/settings.ts';

/** `turnpike get PATH`. */
export function getCommand(io: Io): Command {
  return new Command('get')
    .argument('<path>', 'the path with its query, such as /v1/orders?limit=5')
    .action(async (path: string, _options: unknown, command: Command) => {
      withoutCard(path);
      const run = runOf(io, command, {});
      print(run, await (await run.client()).request({ method: 'GET', path }));
    });
}

/** `turnpike post PATH`. */
export function postCommand(io: Io): Command {
  return new Command('post')
    .argument('<path>', 'the path, such as /v1/refund')
    .option('--data <json>', 'the body (default: {})')
    .option('--file <file>', 'a JSON file with the body; - reads it from the standard input')
    .option('--idempotency-key <key>', 'the same key and body again: it is done once (a random key)')
    .addHelpText('after', '\nNo question is asked, also if the request moves money.')
    .action(async (path: string, _options: unknown, command: Command) => {
      const run = runOf(io, command, {
        data: z.string().optional(),
        file: z.string().optional(),
        idempotencyKey: z.string().optional(),
      });
      const { data, file, idempotencyKey } = run.options;
      withoutCard(path, data);
      if (data !== undefined && file !== undefined) throw new UsageError('Give one of --data and --file.');
      const body = file === undefined ? objectIn(data ?? '{}') : await readObject(io, file);
      print(run, await (await run.client()).request({ method: 'POST', path, body }, { idempotencyKey }));
    });
}

/** Throws for a card number, because other users of the machine can see arguments, and servers log addresses. */
function withoutCard(...given: readonly (string | undefined)[]): void {
  if (!given.some((text) => text !== undefined && holdsCard(text))) return;
  throw new UsageError('An argument holds a card number: pass the body with --file -.');
}

function objectIn(data: string): object {
  const body = jsonIn(data);
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body;
  throw new UsageError('--data: must be JSON of one object.');
}

/** Prints an answer as JSON: on one line with `--json`, indented for people. */
function print({ io, out }: Run<unknown>, answer: unknown): void {
  io.out.write(`${JSON.stringify(answer, undefined, out.isJson ? undefined : 2)}\n`);
}
