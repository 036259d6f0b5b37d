import { constants, existsSync, statSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Command } from 'commander';
import { z } from 'zod';
import { createClient } from '../../client/index.ts';
import { confirm, type Run, runOf } from '../base/command.ts';
import { CliError, EXIT, type ExitCode, UsageError } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { wholeNumber } from '../base/options.ts';
import { plain } from '../base/output.ts';
import { accessOf } from '../base/settings.ts';
import { countPosts } from './deliver.ts';
import { type CsvFile, openCsv } from './file/csv-file.ts';
import { type BulkName, batchLayout, bulkNames, type Item, type Layout, REFERENCE } from './file/layout.ts';
import type { LookUp } from './file/look-up-names.ts';
import { checkPayments, type Permitted, paymentsByOrder } from './file/payments.ts';
import { type Reading, readHeading } from './file/reading.ts';
import { checkRows, type Row, rowsOf, sumsOf } from './file/rows.ts';
import { isToSend } from './jobs.ts';
import { headerOf, openJournal, readJournal } from './journal/journal.ts';
import { lockJournal } from './journal/lock.ts';
import { startProgress } from './progress.ts';
import { exitCodeOf, printDryRun, printEnd, questionOf, suspectNote } from './report.ts';
import { isResults, type Tally, writeResults } from './results.ts';
import { runAll } from './run.ts';
import { decisions, operationDecisions, settleLayout } from './settle/layout.ts';
import { checkUndecided, completeFrom, isDecided, lookUpDecided } from './settle/look-up.ts';
import { createStop, type Stop } from './stop.ts';

const delimiters: Record<string, string> = { ',': ',', ';': ';', tab: '\t', '\t': '\t', '|': '|' };

const shape = {
  out: z.string().optional(),
  concurrency: wholeNumber(1, 32).default(4),
  dryRun: z.boolean().default(false),
  yes: z.boolean().default(false),
  journal: z.string().optional(),
  delimiter: z
    .string()
    .refine((name) => delimiters[name] !== undefined, 'must be one of , ; tab |')
    .transform((name) => delimiters[name])
    .optional(),
  decimal: z.enum(['.', ','], 'must be . or ,').default('.'),
};
type Options = z.output<z.ZodObject<typeof shape>>;

const REFERENCES =
  `\nA ${REFERENCE} is your own name of a row, such as your refund's id: it is done once, for good, in whatever file it stands.` +
  '\nWithout it, equal rows are distinguished by their count, so an equal row of another file counts as done.';

const DECISIONS =
  `\nA row has an order_no or an operation_id. A decision is ${decisions.join(', ')};` +
  ` of an operation, ${operationDecisions.join(' or ')}.`;

const WHAT: Record<BulkName, string> = {
  refund: 'refund payments',
  capture: 'capture authorised payments',
  cancel: 'cancel authorised payments',
  review: 'accept or reject payments that are held for review',
  settle: 'say how undecided orders and operations, or payments that are held, reversed or unconfirmed, stand',
};

function layoutOf(name: BulkName): Layout {
  return name === 'settle' ? settleLayout : batchLayout(name);
}

/** `turnpike bulk refund|capture|cancel|review|settle FILE.csv`. */
export function bulkCommand(io: Io, setExitCode: (code: ExitCode) => void): Command {
  const bulk = new Command('bulk');
  for (const name of bulkNames) {
    const { columns, required, limit } = layoutOf(name);
    bulk
      .command(`${name} <file.csv>`)
      .description(limit > 1 ? `${WHAT[name]}, ${limit} in one request` : WHAT[name])
      .option('--out <file>', 'where the results go (FILE.results.csv)')
      .option('--concurrency <count>', 'this many requests at once (4)')
      .option('--dry-run', 'check the file, ask the relay what it would refuse, and say what would be sent')
      .option('--yes', 'do not ask before it begins')
      .option('--journal <file>', 'record of what was sent, for the next run (FILE.journal)')
      .option('--decimal <sign>', 'what separates the decimals of amounts: . or , (default: .)')
      .option('--delimiter <sign>', 'what separates cells: , ; tab | (detected by default)')
      .addHelpText(
        'after',
        '\nAfter an interruption run the same command again: no row is sent twice.' +
          `\n\nColumns: ${columns.map((column) => (required.includes(column) ? column : `[${column}]`)).join(', ')}, [${REFERENCE}].` +
          (name === 'settle' ? DECISIONS : REFERENCES),
      )
      .action(async (file: string, _options: unknown, command: Command) => {
        const run = runOf(io, command, shape);
        const csv = await openCsv(file, run.options.delimiter);
        try {
          await runBulk(name, csv, run, setExitCode);
        } finally {
          await csv.close();
        }
      });
  }
  return bulk;
}

/** Checks the file, asks for confirmation, sends the rows, writes their results, and prints a summary. */
async function runBulk(
  name: BulkName,
  csv: CsvFile,
  run: Run<Options>,
  setExitCode: (code: ExitCode) => void,
): Promise<void> {
  const { io, out, options } = run;
  const layout = layoutOf(name);
  const relay = accessOf(io, options);
  const posts = countPosts(io.fetch);
  const client = createClient({ ...relay, fetch: posts.fetch, wait: io.wait });
  const header = headerOf(name, relay);
  const journalPath = options.journal ?? `${csv.path}.journal`;
  const resultsPath = options.out ?? `${csv.path.replace(/\.csv$/i, '')}.results.csv`;
  await checkPaths(csv, journalPath, resultsPath);
  const { ignored } = await readHeading(csv, layout);
  if (ignored.length > 0)
    out.say(`These columns are kept, and not used: ${ignored.map(plain).join(', ').slice(0, 500)}.`);
  const { complete, isDone, check } = await lookedUp(csv, layout, { client, atOnce: options.concurrency });
  const reading: Reading = { decimal: options.decimal, complete };
  const unlock = options.dryRun ? undefined : await lockJournal(journalPath);
  try {
    const before = await readJournal(journalPath, header);
    const isLeft = ({ id, item }: Row): boolean => {
      const found = before.index.find(id);
      return (found === undefined || isToSend(found.outcome)) && !isDone(item);
    };
    const checked = await checkRows(csv, layout, reading, isLeft);
    const [suspect, ...suspects] = checked.suspect;
    if (suspect) out.say(suspectNote([suspect, ...suspects]));
    const left = sumsOf(layout);
    for (const item of before.left) left.add(item);
    const leftOver = { rows: before.left.length, amounts: left.amounts() };
    if (options.dryRun) {
      return printDryRun(out, name, { ...checked, ...(await check(reading, isLeft)) }, leftOver);
    }
    await csv.checkUnchanged();
    if (checked.toSend > 0 || leftOver.rows > 0) {
      await confirm(io, options, questionOf(name, checked, layout.limit, relay.url, leftOver));
    }
    const journal = await openJournal(journalPath, header);
    try {
      const stop = createStop();
      const release = stopOnInterrupt(run, stop);
      const progress = await startProgress(io, checked.toSend + leftOver.rows, out.isJson);
      await runAll({
        ...{ client, posts, layout, io, stop, journal, progress, concurrency: options.concurrency },
        rows: async function* () {
          for await (const read of rowsOf(csv, layout, reading)) if (read.ok) yield read.row;
        },
        checkUnchanged: csv.checkUnchanged,
      });
      progress.end();
      release();
      const tally = await resultsOf(() => writeResults(resultsPath, csv, layout, reading, journal));
      // Set before the output, which may fail.
      setExitCode(exitCodeOf(stop, checked.rows, tally));
      printEnd(out, stop, { name, rows: checked.rows, tally, resultsPath, journalPath });
    } finally {
      await journal.close();
    }
  } finally {
    await unlock?.();
  }
}

/** The functions that depend on the orders, payments and operations of the rows. */
type LookedUp = {
  complete: Reading['complete'];
  /** Whether the relay already has the decision of an item. False for other items, which have references. */
  isDone(item: Item): boolean;
  /** Asks the relay which rows it would refuse. Throws UsageError. */
  check(reading: Reading, isToSend: (row: Row) => boolean): Promise<Permitted>;
};

async function lookedUp(csv: CsvFile, layout: Layout, look: LookUp): Promise<LookedUp> {
  if (layout.name !== 'settle') {
    return {
      complete: await paymentsByOrder(csv, layout, look),
      isDone: () => false,
      check: (reading, isToSend) => checkPayments(csv, layout, reading, isToSend, look),
    };
  }
  const subjects = await lookUpDecided(csv, layout, look);
  return {
    complete: completeFrom(subjects, csv.writtenMs),
    isDone: (item) => isDecided(subjects, item),
    async check(reading, isToSend) {
      await checkUndecided(csv, layout, reading, isToSend, subjects);
      return { unknown: 0, isAsked: true };
    },
  };
}

/** The first Ctrl-C ends the run after the requests in progress. The second one ends the process. */
function stopOnInterrupt({ io, out }: Run<Options>, stop: Stop): () => void {
  const release = io.onInterrupt(() => {
    release();
    stop.stop();
    out.say('\nStopping after the requests under way. Ctrl-C again ends at once; no row is sent twice either way.');
  });
  return release;
}

/** The error of results that cannot be written. The sent rows stay sent. */
async function resultsOf(write: () => Promise<Tally>): Promise<Tally> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const { message, hint } = error.failure;
    throw new CliError('results_not_written', message, { exitCode: EXIT.partly, hint });
  }
}

/** Checks that the journal and the results overwrite no other file, and can be written. Throws UsageError. */
async function checkPaths(csv: CsvFile, journalPath: string, resultsPath: string): Promise<void> {
  const others = [
    ['--journal', journalPath],
    ['--out', resultsPath],
  ] as const;
  for (const [option, path] of others) {
    if (existsSync(path) && (await csv.isAlso(path)))
      throw new UsageError(`${option} names the file of the rows itself.`);
  }
  const folder = dirname(resultsPath);
  const isWritable = await access(folder, constants.W_OK).then(
    () => !existsSync(resultsPath) || statSync(resultsPath).isFile(),
    () => false,
  );
  if (!isWritable)
    throw new UsageError(`The results cannot be written to ${resultsPath}.`, 'Give another place with --out.');
  if (existsSync(resultsPath) && !(await isResults(resultsPath))) {
    throw new UsageError(
      `${resultsPath} is no file of results, and is not replaced.`,
      'Give another place with --out.',
    );
  }
  if (resolve(journalPath) === resolve(resultsPath)) throw new UsageError('--journal and --out name the same file.');
}
