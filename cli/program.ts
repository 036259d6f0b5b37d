import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { z } from 'zod';
import { EXIT, type ExitCode, failureOf } from './base/errors.ts';
import type { Io } from './base/io.ts';
import { createOutput } from './base/output.ts';
import { bulkCommand } from './bulk/bulk.ts';
import { doctorCommand } from './doctor/doctor.ts';
import { listenCommand } from './listen/listen.ts';
import { batchCommands } from './money/batch.ts';
import { payoutCommand, subscriptionCommand } from './money/payout-and-subscription.ts';
import { reconcileCommand } from './reconcile/reconcile.ts';
import { eventsCommand } from './records/event-commands.ts';
import { queryCommand, refundsCommand } from './records/gateway-query-commands.ts';
import { operationsCommand } from './records/operation-commands.ts';
import { ordersCommand } from './records/order-commands.ts';
import { paymentsCommand } from './records/payment-commands.ts';
import { sessionsCommand } from './records/session-commands.ts';
import { webhooksCommand } from './records/webhook-commands.ts';
import { configCommand } from './settings/config.ts';
import { keyCommand, personCommand, secretCommand } from './settings/new.ts';
import { triggerCommand } from './webhooks/trigger.ts';

/**
 * Runs the command with its arguments (without the program's own name). Resolves to the exit code: 0 done, 1 refused, 2 usage,
 * 3 outcome unknown, 4 partly. Never rejects; what failed is on `io.err`.
 * @param ends gets the exit code as soon as it is known, at the time at which the result is printed
 */
export async function runCli(
  args: readonly string[],
  io: Io,
  ends: (code: ExitCode) => void = () => undefined,
): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done;
  const isJson = args.includes('--json');
  const setExitCode = (code: ExitCode): void => {
    exitCode = code;
    ends(code);
  };
  const program = createProgram(io, setExitCode, isJson);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has said it already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const { failure, exitCode: code } = failureOf(error);
    createOutput(io, isJson).failure(failure);
    return code;
  }
}

/**
 * All commands. `ends` gets the exit code of a command that ends without an error, but not with 0; `isJson`: whether wrong
 * usage is reported as JSON.
 */
export function createProgram(io: Io, ends: (code: ExitCode) => void, isJson = false): Command {
  const program = new Command('turnpike')
    .description('Operate a Turnpike relay: orders, refunds, batches, webhooks, reconciliation.')
    .version(version(), '-V, --version', 'print the version')
    .option('--url <url>', 'where the relay is (or TURNPIKE_URL)')
    .option('--key-file <file>', 'a file that holds the API key (or the key itself in TURNPIKE_API_KEY)')
    .option('--profile <name>', 'a relay and key of profiles.json (or TURNPIKE_PROFILE)')
    .option('--json', 'print one JSON object a line')
    .option('--no-input', 'never ask: exit instead')
    .addHelpText('after', '\nExit codes: 0 done, 1 refused, 2 usage, 3 outcome unknown, 4 partly.');
  for (const command of commands(io, ends)) program.addCommand(command);
  // Those of a command with subcommands, such as doctor, are its own.
  const globals = program.options.filter(({ long }) => long !== '--version');
  for (const command of allOf(program)) {
    command
      .exitOverride()
      .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: (of) => (of === program ? [] : globals) })
      .configureOutput({
        writeOut: (text) => io.out.write(text),
        writeErr: (text) => io.err.write(text),
        outputError: (text, write) => {
          if (!isJson) return write(text);
          const message = text.replace(/^error: /, '').trim();
          createOutput(io, isJson).failure({ code: 'usage', message });
        },
        getOutHelpWidth: () => io.out.columns,
        getErrHelpWidth: () => io.err.columns,
      });
    if (!isJson) command.showHelpAfterError('(add --help for the options)');
  }
  return program;
}

/** In the order of the help. */
function commands(io: Io, ends: (code: ExitCode) => void): Command[] {
  return [
    ordersCommand(io),
    paymentsCommand(io),
    sessionsCommand(io),
    queryCommand(io),
    refundsCommand(io),
    ...batchCommands(io, ends),
    subscriptionCommand(io, ends),
    payoutCommand(io, ends),
    operationsCommand(io),
    bulkCommand(io, ends),
    eventsCommand(io),
    webhooksCommand(io),
    listenCommand(io),
    triggerCommand(io),
    reconcileCommand(io, ends),
    configCommand(io),
    keyCommand(io),
    secretCommand(io),
    personCommand(io),
    doctorCommand(io, ends),
  ];
}

const packageFile = z.object({ version: z.string() });

/** The version of the package, or of the repository, that this file is part of. */
function version(): string {
  return packageFile.parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))).version;
}

function allOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allOf)];
}
