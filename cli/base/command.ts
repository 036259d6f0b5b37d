import type { Command } from 'commander';
import { z } from 'zod';
import type { Client } from '../../client/index.ts';
import { fieldMessage } from '../../shared/messages/field-messages.ts';
import { CliError, EXIT, UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { createOutput, type Output, plain } from './output.ts';
import { accessOf, type GlobalOptions, globalOptions } from './settings.ts';

/** The context of a command. */
export type Run<Options> = {
  io: Io;
  out: Output;
  options: Options & GlobalOptions;
  /**
   * The relay's client. Rejects with UsageError if no relay or key is given. Commands that need neither do not call it.
   */
  client(): Promise<Client>;
};

/**
 * The context of a command: its own options, parsed by its schema, and the global ones. Options have Commander's names:
 * `--key-file` is `keyFile`. Throws UsageError with the name of a wrong option.
 */
export function runOf<Shape extends z.ZodRawShape>(
  io: Io,
  command: Command,
  shape: Shape,
): Run<z.output<z.ZodObject<Shape>>> {
  const given: unknown = command.optsWithGlobals();
  const options = { ...read(globalOptions, given), ...read(z.object(shape), given) };
  return {
    io,
    out: createOutput(io, options.json),
    options,
    async client() {
      const access = accessOf(io, options);
      const { createClient } = await import('../../client/index.ts');
      return createClient({ ...access, fetch: io.fetch, wait: io.wait });
    },
  };
}

function read<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given, { error: fieldMessage });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UsageError(`${optionName(issue?.path[0])}: ${issue?.message}`);
}

function optionName(key: PropertyKey | undefined): string {
  return `--${String(key).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/**
 * Asks the person to confirm, unless `--yes` is set. Throws CliError: with exit code 2 if it cannot ask (`--no-input`,
 * or no terminal), with 1 if the answer is no.
 */
export async function confirm(
  io: Io,
  { yes, input }: GlobalOptions & { yes: boolean },
  question: string,
): Promise<void> {
  if (yes) return;
  if (!input || io.askLine === undefined) {
    throw new CliError('not_confirmed', `This needs an answer, and no question can be asked: ${question}`, {
      exitCode: EXIT.usage,
      hint: 'Give --yes to go on without a question. Nothing was sent.',
    });
  }
  const answer = await io.askLine(`${plain(question)} [y/N] `);
  if (/^y(es)?$/i.test(answer.trim())) return;
  throw new CliError('not_confirmed', 'Nothing was sent.', { exitCode: EXIT.refused });
}

/** The first `count` entries. It requests no more than needed. */
export async function* firstOf<Item>(items: AsyncIterable<Item>, count: number): AsyncGenerator<Item> {
  let left = count;
  if (left <= 0) return;
  for await (const item of items) {
    yield item;
    left -= 1;
    if (left === 0) return;
  }
}

type Listed = { limit: number; all: boolean };

/** The number of entries to request at once. */
export function pageSize({ limit, all }: Listed): number {
  return all ? 100 : Math.min(limit, 100);
}

/** The number of entries that `--limit` or `--all` requests. */
export function someOf<Item>(items: AsyncIterable<Item>, { limit, all }: Listed): AsyncIterable<Item> {
  return all ? items : firstOf(items, limit);
}
