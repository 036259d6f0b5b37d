import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { isObject } from '../shared/checkout/is-object.ts';
import type { Entry } from './base/entry.ts';
import { EXIT, type ExitCode, failureOf } from './base/errors.ts';
import type { Io } from './base/io.ts';
import { createOutput } from './base/output.ts';
import { entries } from './commands.ts';

/**
 * Runs the command with its arguments (without the program's name). Resolves to the exit code: 0 done, 1 refused, 2
 * usage, 3 outcome unknown, 4 partly. Never rejects; failures are printed on `io.err`.
 * @param ends gets the exit code as soon as it is known, when the result is printed
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
  try {
    const words = wordsOf(args);
    const isNamed = ({ name, alias = name }: Entry) => words.includes(name) || words.includes(alias);
    const isAll = entries.some((entry) => entry.needsAll && isNamed(entry));
    const used = (entry: Entry) => isAll || isNamed(entry);
    const program = await createProgram(io, setExitCode, { isJson, used });
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has already printed the error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const { failure, exitCode: code } = failureOf(error);
    createOutput(io, isJson).failure(failure);
    return code;
  }
}

/**
 * Creates all commands. `ends` gets the exit code of a command that ends without an error but not with 0.
 * @param options.isJson whether wrong usage is reported as JSON
 * @param options.used the commands to load; the others have only their names and descriptions
 */
export async function createProgram(
  io: Io,
  ends: (code: ExitCode) => void,
  { isJson = false, used = () => true }: { isJson?: boolean; used?: (entry: Entry) => boolean } = {},
): Promise<Command> {
  const program = globalOptions(new Command('turnpike'))
    .description('Operate a Turnpike relay: orders, refunds, batches, webhooks, reconciliation.')
    .version(version(), '-V, --version', 'print the version')
    .addHelpText('after', '\nExit codes: 0 done, 1 refused, 2 usage, 3 outcome unknown, 4 partly.');
  for (const entry of entries) {
    const command = used(entry) ? await entry.load(io, ends) : new Command(entry.name);
    if (entry.alias !== undefined) command.alias(entry.alias);
    program.addCommand(command.description(entry.says));
  }
  // The options of a command with subcommands, such as doctor, are its own.
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

function globalOptions(program: Command): Command {
  return program
    .option('--url <url>', 'where the relay is (or TURNPIKE_URL)')
    .option('--key-file <file>', 'a file that holds the API key (or the key itself in TURNPIKE_API_KEY)')
    .option('--profile <name>', 'a relay and key that turnpike login keeps (or TURNPIKE_PROFILE)')
    .option('--json', 'print one JSON object a line')
    .option('--no-input', 'never ask: exit instead');
}

/** The words that may name the command: the first one, or the second one after `help`. */
function wordsOf(args: readonly string[]): string[] {
  const reader = globalOptions(new Command())
    .exitOverride()
    .configureOutput({ outputError: () => undefined });
  try {
    const [first = '', second = ''] = reader.parseOptions([...args]).operands;
    return first === 'help' ? [second] : [first];
  } catch {
    // An option without its value, which the program reports.
    return [];
  }
}

/** The version of the package, or of the repository, that this file is part of. */
function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return isObject(manifest) ? String(manifest.version) : '';
}

function allOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allOf)];
}
