import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { change, currentCommit, type Run, readHistory, record, runBefore } from './history.ts';
import { type Aim, type BenchmarkOptions, type Report, rounded } from './report.ts';

const RESULTS = join(import.meta.dirname, '../results');

/** A file of `bench/results/`. */
const resultFile = z.object({
  name: z.string(),
  at: z.string(),
  command: z.string(),
  machine: z.string(),
  /** The commit of the earlier run that the aims are compared with, if there is one. */
  before: z.string().optional(),
  rows: z.array(z.object({ what: z.string(), figures: z.record(z.string(), z.union([z.string(), z.number()])) })),
  targets: z.array(
    z.object({
      name: z.string(),
      target: z.string(),
      measured: z.string(),
      met: z.boolean(),
      value: z.number(),
      better: z.enum(['lower', 'higher']),
      /** The ratio to the value of the earlier run, and whether it is a regression. */
      change: z.string().optional(),
    }),
  ),
  notes: z.array(z.string()),
});
type Result = z.infer<typeof resultFile>;

/** The commit, and the load of the machine, when a run starts. */
type Start = { commit: string; dirty: boolean; load: number };

/** Reads the start of a run. Must be called before the benchmark begins, because both change meanwhile. */
export function startOfRun(): Start {
  return { ...currentCommit(), load: rounded(loadavg()[0] ?? 0) };
}

/**
 * Writes a report to `bench/results/<name>.json`, and its figures to the history unless `--rounds` changed the number of rounds.
 * @returns the report as Markdown
 */
export function writeReport(
  name: string,
  report: Report,
  start: Start,
  { only = [], rounds }: BenchmarkOptions = {},
): string {
  const { commit, dirty, load } = start;
  const hardware = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const { node, sqlite } = process.versions;
  const run = { bench: name, commit, dirty, machine: hardware, node };
  const before = runBefore(readHistory(), run);
  const at = new Date().toISOString();
  if (rounds === undefined) record({ ...run, at, load, figures: figuresOf(report) });
  const { rows, aims, notes } = report;
  const result: Result = {
    name,
    at,
    command: ['npm run bench --', name, ...option('only', only.join(',')), ...option('rounds', rounds)].join(' '),
    machine: `${hardware}, Node ${node}, SQLite ${sqlite}, commit ${commit}${dirty ? ' with changes' : ''}`,
    rows,
    targets: before ? aims.map((aim) => withChange(before, aim)) : aims,
    notes,
    ...(before ? { before: before.commit } : {}),
  };
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, `${name}.json`), `${JSON.stringify(result, undefined, 2)}\n`);
  return asMarkdown(result);
}

function option(name: string, value: string | number | undefined): string[] {
  return value === undefined || value === '' ? [] : [`--${name}`, String(value)];
}

/** The figures of the history: every number of the table by its row and column, and the value of every aim. */
function figuresOf({ rows, aims }: Report): Run['figures'] {
  const ofRows = rows.flatMap(({ what, figures }) =>
    Object.entries(figures).flatMap(([column, figure]): [string, number][] =>
      typeof figure === 'number' ? [[`${what}: ${column}`, rounded(figure)]] : [],
    ),
  );
  return Object.fromEntries([...ofRows, ...aims.map(({ name, value }): [string, number] => [name, rounded(value)])]);
}

function withChange({ figures }: Run, aim: Aim): Result['targets'][number] {
  const found = change(aim.value, figures[aim.name], aim.better);
  return found ? { ...aim, change: `${rounded(found.ratio)}${found.regressed ? ' **regression**' : ''}` } : aim;
}

/** All files of `bench/results/` as Markdown, for docs/benchmarks.md. */
export function allResults(): string {
  const files = readdirSync(RESULTS).filter((file) => file.endsWith('.json'));
  return files
    .map((file) => asMarkdown(resultFile.parse(JSON.parse(readFileSync(join(RESULTS, file), 'utf8')))))
    .join('\n');
}

function asMarkdown({ name, at, command, machine, before, rows, targets, notes }: Result): string {
  const columns = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))];
  return [
    `### ${name}`,
    '',
    `\`${command}\`, ${at.slice(0, 16).replace('T', ' ')} UTC, ${machine}`,
    '',
    ...table(
      ['', ...columns],
      rows.map(({ what, figures }) => [what, ...columns.map((column) => figureText(figures[column]))]),
    ),
    '',
    ...(targets.length === 0
      ? []
      : table(
          ['target', 'aim', 'measured', '', ...(before ? [`× ${before}`] : [])],
          targets.map(({ name, target, measured, met, change }) => [
            ...[name, target, measured, met ? 'met' : '**missed**'],
            ...(before ? [change ?? ''] : []),
          ]),
        )),
    '',
    ...notes.map((note) => `- ${note}`),
    '',
  ].join('\n');
}

function table(head: string[], lines: string[][]): string[] {
  const widths = head.map((title, at) => Math.max(3, title.length, ...lines.map((line) => (line[at] ?? '').length)));
  const lineOf = (cells: string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [lineOf(head), lineOf(widths.map((width) => '-'.repeat(width))), ...lines.map(lineOf)];
}

function figureText(figure: string | number | undefined): string {
  return typeof figure === 'number' ? String(rounded(figure)) : (figure ?? '');
}
