import { Command } from 'commander';
import { z } from 'zod';
import { type Client, type ProfileAnswer, RelayRefused } from '../../client/index.ts';
import { confirm, type Run, runOf } from '../base/command.ts';
import { CliError, EXIT, type ExitCode, failureOf, UsageError } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { momentBefore } from '../base/options.ts';
import { canBeFixed, type Finding, isDifference, isUncompared } from './compare/records.ts';
import type { Compared, Period } from './compare-period.ts';
import type { Fixed } from './fix-orders.ts';
import type { Counts } from './report.ts';

/** `turnpike reconcile`. `ends` gets the exit code if the records differ, or could not be compared completely. */
export function reconcileCommand(io: Io, ends: (code: ExitCode) => void): Command {
  return new Command('reconcile')
    .requiredOption('--from <time>', 'from when: 2027-03-31T10:15:00Z, 2027-03-31 (in UTC), or a span before now: 7d')
    .option('--to <time>', 'until when, not included, in the same forms; left out: until now')
    .option('--csv <file>', 'write what was found to a CSV file, too')
    .option('--fix', 'have the relay ask the gateway again about each order that differs; nothing else changes')
    .option('--yes', 'do not ask before --fix')
    .option('--no-report', 'do not tell the relay what was found')
    .addHelpText(
      'after',
      `
Example: turnpike reconcile --from 1d
For one order: turnpike orders reconcile ORDER
Exit codes: 0 no differences, 3 not everything could be compared, 4 differences.
Refunds are those of the period’s orders, whenever they were made.
The key needs the scopes console, query and refund.`,
    )
    .action(async (_options: unknown, command: Command) => {
      const run = runOf(io, command, shape(io));
      // First, so that a command that cannot ask ends before the long part.
      if (run.options.fix && (io.askLine === undefined || !run.options.input)) await confirm(io, run.options, FIX);
      const result = await compare(run);
      if (run.options.fix) await fix(run, result);
      const reported = run.options.report ? { reported: await report(run, result) } : {};
      if (run.out.isJson) run.out.record({ summary: { ...summaryOf(result), ...reported } }, {});
      ends(exitCode(result));
    });
}

const FIX = 'Have the relay ask the gateway about the orders that differ?';

const shape = (io: Io) => ({
  from: momentBefore(io.now()),
  to: momentBefore(io.now()).default(io.now()),
  csv: z.string().min(1, 'must be a file').optional(),
  fix: z.boolean().default(false),
  yes: z.boolean().default(false),
  report: z.boolean().default(true),
});
type ReconcileRun = Run<z.output<z.ZodObject<ReturnType<typeof shape>>>>;

/** The result of a comparison. `differing` are the orders that differ and were not fixed. */
type Result = {
  period: Omit<Period, 'margin'>;
  orders: number;
  counts: Counts;
  differing: Map<string, Compared>;
  uncompared: number;
};

/** Compares the records and prints findings immediately. Throws CliError if it cannot finish. */
async function compare(run: ReconcileRun): Promise<Result> {
  const { io, out, options } = run;
  const client = await run.client();
  const period = periodOf(run);
  const [{ comparePeriod }, { gatewayBooks }, report] = await Promise.all([
    import('./compare-period.ts'),
    import('./gateway-records.ts'),
    import('./report.ts'),
  ]);
  const result: Result = { period, orders: 0, counts: new Map(), differing: new Map(), uncompared: 0 };
  const profile = await profileOf(client);
  // When a clock is put back, two moments of an hour look the same.
  const margin = profile.gateway_time_zone === 'UTC' ? 0 : 3_600_000;
  const compared = comparePeriod({ io, client, books: gatewayBooks(io, client, profile) }, { ...period, margin });
  const csv = options.csv === undefined ? undefined : await report.beginCsv(options.csv, report.csvHead);
  const progress = createProgress(io, !out.isJson);

  const findings = async function* (): AsyncGenerator<Finding, void, undefined> {
    for await (const one of compared) {
      add(result, one);
      if (result.orders % 100 === 0) progress.show(`${result.orders} orders compared`);
      for (const finding of one.findings) {
        await csv?.write(report.csvOf(finding));
        progress.clear();
        yield finding;
      }
    }
    progress.clear();
  };

  try {
    await out.rows(findings(), report.columns);
    await csv?.finish();
  } catch (error) {
    progress.clear();
    await csv?.abandon();
    throw incomplete(error);
  }
  for (const line of report.summaryLines(result.orders, result.uncompared, result.counts)) out.say(line);
  return result;
}

function periodOf({ io, options }: ReconcileRun): Omit<Period, 'margin'> {
  const from = Math.floor(options.from.getTime() / 1000) * 1000;
  const to = Math.min(options.to.getTime(), io.now().getTime());
  if (from >= to) throw new UsageError('--from must be before --to, and in the past.');
  return { from, to };
}

/** The meaning of the gateway's codes. Throws CliError if they are not sufficient for a comparison. */
async function profileOf(client: Client): Promise<ProfileAnswer> {
  const profile = await client.profile.get().catch((error: unknown) => {
    const isOlder = error instanceof RelayRefused && error.code === 'not_found';
    throw isOlder ? new UsageError('The relay is older than this command: it does not return its codes.') : error;
  });
  const { payment_status, return_status } = profile.codes;
  if (payment_status.approved.length > 0 && return_status.success.length > 0) return profile;
  throw new UsageError(
    'The relay’s gateway profile lists no code of payment_status.approved, or of return_status.success.',
    'Without them it is not known which of the gateway’s records are payments: set profile.codes in its configuration.',
  );
}

function add(result: Result, one: Compared): void {
  result.orders += 1;
  for (const finding of one.findings) {
    result.counts.set(finding.class, (result.counts.get(finding.class) ?? 0) + 1);
    if (isUncompared(finding)) result.uncompared += 1;
  }
  if (one.findings.some(isDifference)) result.differing.set(one.order_no, one);
}

/** Makes the relay query the orders that a query can correct, and drops those without a difference afterwards. */
async function fix(run: ReconcileRun, result: Result): Promise<void> {
  const { io, out, options } = run;
  const fixable = [...result.differing.values()].filter(({ findings }) => findings.some(canBeFixed));
  if (fixable.length === 0) return out.say('There is nothing that the relay could learn by a query.');
  const orders = fixable.length === 1 ? '1 order that differs' : `${fixable.length} orders that differ`;
  await confirm(io, options, `Have the relay ask the gateway about ${orders}?`);
  const { fixAll } = await import('./fix-orders.ts');
  const fixed = async function* (): AsyncGenerator<Fixed, void, undefined> {
    for await (const one of fixAll(io, await run.client(), fixable)) {
      const isAll = result.differing.get(one.order_no)?.findings.filter(isDifference).every(canBeFixed);
      if (one.result === 'agrees' && isAll) result.differing.delete(one.order_no);
      yield one;
    }
  };
  await out.rows(fixed(), [
    { name: 'ORDER', cell: ({ order_no }) => order_no },
    { name: 'ASKED AGAIN', cell: (one) => one.result },
  ]);
  out.say(result.differing.size === 0 ? 'All orders agree now.' : `${result.differing.size} still differ.`);
}

/** Reports the remaining differences to the relay, for the console. Returns whether the relay accepted them. */
async function report(
  { out, client }: ReconcileRun,
  { period, orders, uncompared, differing }: Result,
): Promise<boolean> {
  const { sendReport } = await import('./report.ts');
  const fault = await sendReport(await client(), { ...period, orders, uncompared, differing: differing.values() });
  if (fault === undefined) return true;
  out.say(`Warning: the result could not be sent to the relay, so the console does not show it. ${fault}`);
  return false;
}

function summaryOf({ orders, counts, differing, uncompared }: Result): object {
  return { orders, ...Object.fromEntries(counts), differing: differing.size, uncompared };
}

function exitCode({ differing, uncompared }: Result): ExitCode {
  if (differing.size > 0) return EXIT.partly;
  return uncompared > 0 ? EXIT.unknown : EXIT.done;
}

/**
 * The error of an unfinished comparison. Its exit code differs from those of results: 1 if the relay refuses the
 * client, otherwise 3.
 */
function incomplete(error: unknown): CliError {
  if (error instanceof UsageError) return error;
  const { failure } = failureOf(error);
  const isRefused = error instanceof RelayRefused && error.status < 500 && !error.code.startsWith('gateway_');
  const isDefect = failure.code === 'defect';
  return new CliError(failure.code, `The comparison is not complete. ${failure.message}`, {
    exitCode: isRefused || isDefect ? EXIT.refused : EXIT.unknown,
    hint: (isRefused && failure.hint) || 'What was printed may not be all. Nothing was changed: run it again.',
  });
}

/** A progress line, which is removed before anything else is printed. */
type Progress = { show(text: string): void; clear(): void };

/** Prints nothing without a terminal. */
function createProgress({ err }: Io, isWanted: boolean): Progress {
  let isShown = false;
  const write = (text: string): void => {
    if (isWanted && err.isTerminal) err.write(`\r\x1b[2K${text}`);
  };
  return {
    show(text) {
      write(text);
      isShown = true;
    },
    clear() {
      if (isShown) write('');
      isShown = false;
    },
  };
}
