import { constants, existsSync, statSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Command } from 'commander';
import { z } from 'zod';
import { createClient, RelayRefused } from '../../client/index.ts';
import { confirm, type Run, runOf } from '../base/command.ts';
import { CliError, EXIT, type ExitCode, failureOf, UsageError } from '../base/errors.ts';
import type { Io } from '../base/io.ts';
import { wholeNumber } from '../base/options.ts';
import { accessOf } from '../base/settings.ts';
import { type CsvFile, openCsv } from './csv-file.ts';
import { countPosts } from './deliver.ts';
import { isToSend } from './jobs.ts';
import { headerOf, type Journal, openJournal, readJournal } from './journal/journal.ts';
import { lockJournal } from './journal/lock.ts';
import { type BulkName, bulkNames, type Layout, layoutOf, REFERENCE } from './layout.ts';
import { startProgress } from './progress.ts';
import { isResults, type Tally, writeResults } from './results.ts';
import { type Checked, checkRows, readHeading, rowsOf, sumsOf } from './rows.ts';
import { runAll } from './run.ts';
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
};
type Options = z.output<z.ZodObject<typeof shape>>;

const WHAT: Record<BulkName, string> = {
  refund: 'refund payments',
  capture: 'capture authorised payments',
  cancel: 'cancel authorised payments',
  review: 'accept or reject payments that are held for review',
};

/** `turnpike bulk refund|capture|cancel|review FILE.csv`. */
export function bulkCommand(io: Io, ends: (code: ExitCode) => void): Command {
  const bulk = new Command('bulk').description(
    'refund, capture, cancel or review what a CSV file lists, each row once',
  );
  for (const name of bulkNames) {
    const { columns, required, limit } = layoutOf(name);
    bulk
      .command(`${name} <file.csv>`)
      .description(`${WHAT[name]}, ${limit} in one request`)
      .option('--out <file>', 'where the results go (FILE.results.csv)')
      .option('--concurrency <count>', 'this many requests at once (4)')
      .option('--dry-run', 'check the file, and say what would be sent')
      .option('--yes', 'do not ask before it begins')
      .option('--journal <file>', 'record of what was sent, for the next run (FILE.journal)')
      .option('--delimiter <sign>', 'what separates cells: , ; tab | (detected by default)')
      .addHelpText(
        'after',
        '\nAfter an interruption run the same command again: no row is sent twice.' +
          `\n\nColumns: ${columns.map((column) => (required.includes(column) ? column : `[${column}]`)).join(', ')}, [${REFERENCE}].` +
          `\nA ${REFERENCE} is your own name of a row, such as your refund's id: it is done once, for good, in whatever file it stands.` +
          '\nWithout it equal rows are told apart by their count, so that an equal row of another file counts as done.',
      )
      .action(async (file: string, _options: unknown, command: Command) => {
        const run = runOf(io, command, shape);
        const csv = await openCsv(file, run.options.delimiter);
        try {
          await runBulk(name, csv, run, ends);
        } finally {
          await csv.close();
        }
      });
  }
  return bulk;
}

async function runBulk(name: BulkName, csv: CsvFile, run: Run<Options>, ends: (code: ExitCode) => void): Promise<void> {
  const { io, out, options } = run;
  const layout = layoutOf(name);
  const relay = accessOf(io, options);
  const posts = countPosts(io.fetch);
  const client = createClient({ ...relay, fetch: posts.fetch, wait: io.wait });
  const header = headerOf(name, relay);
  const journalPath = options.journal ?? `${csv.path}.journal`;
  const resultsPath = options.out ?? `${csv.path.replace(/\.csv$/i, '')}.results.csv`;
  await checkPaths(csv, journalPath, resultsPath);
  await readHeading(csv, layout);
  const unlock = options.dryRun ? undefined : await lockJournal(journalPath);
  try {
    const before = await readJournal(journalPath, header);
    const checked = await checkRows(csv, layout, (id) => {
      const found = before.index.find(id);
      return found === undefined || isToSend(found.outcome);
    });
    const left = sumsOf(layout);
    for (const item of before.left) left.add(item);
    const leftOver = { rows: before.left.length, amounts: left.amounts() };
    const question = questionOf(name, checked, layout.limit, relay.url, leftOver);
    if (options.dryRun) {
      const { rows, toSend, amounts } = checked;
      out.record(
        { operation: name, rows, to_send: toSend, amounts, left_over: leftOver },
        {
          rows: String(rows),
          'to send': String(toSend),
          amounts: amounts.join(', ') || 'none',
          'left over': leftOver.rows > 0 ? `${leftOver.rows}, ${leftOver.amounts.join(', ')}` : undefined,
        },
      );
      return out.say('The file is right. Nothing was sent.');
    }
    await csv.checkUnchanged();
    const isIdle = checked.toSend === 0 && leftOver.rows === 0;
    if (!isIdle) await confirm(io, options, question);
    const journal = await openJournal(journalPath, header);
    try {
      const stop = createStop();
      const release = stopOnInterrupt(run, stop);
      const progress = await startProgress(io, checked.toSend + leftOver.rows);
      await runAll({
        ...{ client, posts, layout, io, stop, journal, progress, concurrency: options.concurrency },
        rows: async function* () {
          for await (const read of rowsOf(csv, layout)) if (read.ok) yield read.row;
        },
        checkUnchanged: csv.checkUnchanged,
      });
      progress.end();
      release();
      const tally = await resultsOf(resultsPath, csv, layout, journal);
      // Before it is printed, which may fail.
      ends(exitCodeOf(stop, checked.rows, tally));
      tell(run, stop, { name, rows: checked.rows, tally, resultsPath, journalPath });
    } finally {
      await journal.close();
    }
  } finally {
    await unlock?.();
  }
}

/** The first Ctrl-C ends the run after what is under way; the second one ends the process. */
function stopOnInterrupt({ io, out }: Run<Options>, stop: Stop): () => void {
  const release = io.onInterrupt(() => {
    release();
    stop.stop();
    out.say('\nStopping after the requests under way. Ctrl-C again ends at once; no row is sent twice either way.');
  });
  return release;
}

/** What was sent stays sent when the results cannot be written. */
async function resultsOf(path: string, csv: CsvFile, layout: Layout, journal: Journal): Promise<Tally> {
  try {
    return await writeResults(path, csv, layout, journal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const { message, hint } = error.failure;
    throw new CliError('results_not_written', message, { exitCode: EXIT.partly, hint });
  }
}

const AGAIN = 'Run the same command again: no row is sent twice.';

type Ended = { name: BulkName; rows: number; tally: Tally; resultsPath: string; journalPath: string };

/** Prints how a run ended. */
function tell({ out }: Run<Options>, stop: Stop, { name, rows, tally, resultsPath, journalPath }: Ended): void {
  out.record(
    { operation: name, rows, ...tally, results: resultsPath, journal: journalPath },
    {
      rows: String(rows),
      ...Object.fromEntries(
        Object.entries(tally).map(([result, count]) => [
          result.replace('_', ' '),
          count > 0 ? String(count) : undefined,
        ]),
      ),
      results: resultsPath,
      journal: journalPath,
    },
  );
  const error = stop.error === undefined ? undefined : failureOf(stop.error);
  if (error) out.failure({ ...error.failure, hint: stop.error instanceof RelayRefused ? error.failure.hint : AGAIN });
  if (tally.not_sent > 0) out.say('To go on, run the same command again: no row is sent twice.');
  if (tally.refused > 0) out.say('To try the refused rows again, correct them and run the same command again.');
  if (tally.done_before > 0) {
    out.say(
      `${tally.done_before} rows had been done before, by another file or with another journal: see their messages.`,
    );
  }
  if (tally.failed > 0) out.say(`A failed row is tried again only under another ${REFERENCE}.`);
  if (tally.unknown > 0) {
    out.say(
      'Unknown rows may have been done, so they are not sent again. Run the same command again later to ask about them.',
    );
  }
}

function exitCodeOf({ error: why, isStopping }: Stop, rows: number, tally: Tally): ExitCode {
  const error = why === undefined ? undefined : failureOf(why);
  if (tally.unknown > 0) return EXIT.unknown;
  if (tally.succeeded === rows) return error ? error.exitCode : EXIT.done;
  if (tally.succeeded > 0 || (isStopping && !error)) return EXIT.partly;
  return error && error.exitCode !== EXIT.done && error.exitCode !== EXIT.unknown ? error.exitCode : EXIT.refused;
}

function questionOf(
  name: BulkName,
  { rows, toSend, amounts }: Checked,
  limit: number,
  url: string,
  left: Pick<Checked, 'rows' | 'amounts'>,
): string {
  const verb = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  const of = toSend === rows ? '' : ` of ${rows}`;
  const sum = amounts.length > 0 ? `, ${amounts.join(' and ')}` : '';
  const first =
    left.rows > 0 ? `, after ${left.rows} rows as an earlier run left them over, ${left.amounts.join(' and ')}` : '';
  return `${verb} ${toSend}${of} rows${sum}, in ${Math.ceil(toSend / limit)} requests to ${url}${first}?`;
}

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
