import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { change, currentCommit, type Run, readHistory, record, runBefore } from './history.ts';

const row = z.object({ what: z.string(), figures: z.record(z.string(), z.union([z.string(), z.number()])) });
const target = z.object({
  name: z.string(),
  target: z.string(),
  measured: z.string(),
  met: z.boolean(),
  value: z.number(),
  better: z.enum(['lower', 'higher']),
  /** Against the run before, where there is one. */
  change: z.string().optional(),
});
const report = z.object({ rows: z.array(row), targets: z.array(target), notes: z.array(z.string()) });

/** One line of figures. */
export type Row = z.infer<typeof row>;

/** What was aimed at, beside what was measured. It is told, never asserted: a busy machine is no bug. */
export type Target = z.infer<typeof target>;

/** What a benchmark found. Its ratios are against the baseline that it names, measured in the same run. */
export type Report = z.infer<typeof report>;

const result = report.extend({
  name: z.string(),
  at: z.string(),
  command: z.string(),
  machine: z.string(),
  /** The commit that the targets are compared with, where there is one. */
  before: z.string().optional(),
});

/** What of a benchmark is wanted: some parts of it, or another number of rounds; and a folder in which to keep what it fills. */
type Wanted = { only?: readonly string[]; rounds?: number; keep?: string };

/** A benchmark; `say` tells what it does meanwhile. */
export type Benchmark = (say: (line: string) => void, wanted?: Wanted) => Promise<Report>;

const RESULTS = join(import.meta.dirname, '../results');

/** A number that should be `most` at the most. */
export function atMost(name: string, measured: number, most: number, unit = ''): Target {
  return {
    ...{ name, target: `≤ ${most}${unit}`, measured: `${rounded(measured)}${unit}`, met: measured <= most },
    ...{ value: measured, better: 'lower' },
  };
}

/** A number that should be `least` at the least. */
export function atLeast(name: string, measured: number, least: number): Target {
  return {
    ...{ name, target: `≥ ${least}`, measured: String(rounded(measured)), met: measured >= least },
    ...{ value: measured, better: 'higher' },
  };
}

/** What is measured, and how busy the machine is before that. */
type Start = { commit: string; dirty: boolean; load: number };

/** To be asked before a benchmark begins: meanwhile both may change. */
export function startOfRun(): Start {
  return { ...currentCommit(), load: rounded(loadavg()[0] ?? 0) };
}

/**
 * Writes a report with what was measured on to `bench/results/<name>.json`, a line with its figures to the history unless it had
 * fewer `rounds` than it should, and gives it as text.
 */
export function writeReport(name: string, found: Report, start: Start, { only = [], rounds }: Wanted = {}): string {
  const { commit, dirty, load } = start;
  const hardware = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const { node, sqlite } = process.versions;
  const own = { bench: name, commit, dirty, machine: hardware, node };
  const before = runBefore(readHistory(), own);
  const at = new Date().toISOString();
  if (rounds === undefined) record({ ...own, at, load, figures: figuresOf(found) });
  const written = {
    name,
    at,
    command: ['npm run bench --', name, ...option('only', only.join(',')), ...option('rounds', rounds)].join(' '),
    machine: `${hardware}, Node ${node}, SQLite ${sqlite}, commit ${commit}${dirty ? ' with changes' : ''}`,
    ...found,
    ...(before ? { before: before.commit, targets: found.targets.map((one) => comparedWith(before, one)) } : {}),
  };
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, `${name}.json`), `${JSON.stringify(written, undefined, 2)}\n`);
  return asMarkdown(written);
}

function option(name: string, value: string | number | undefined): string[] {
  return value === undefined || value === '' ? [] : [`--${name}`, String(value)];
}

function figuresOf({ rows, targets }: Report): Run['figures'] {
  const told = rows.flatMap(({ what, figures }) =>
    Object.entries(figures).flatMap(([column, figure]): [string, number][] =>
      typeof figure === 'number' ? [[`${what}: ${column}`, rounded(figure)]] : [],
    ),
  );
  return Object.fromEntries([...told, ...targets.map(({ name, value }): [string, number] => [name, rounded(value)])]);
}

function comparedWith({ figures }: Run, one: Target): Target {
  const found = change(one.value, figures[one.name], one.better);
  return found ? { ...one, change: `${rounded(found.ratio)}${found.regressed ? ' **regression**' : ''}` } : one;
}

/** Every result that was written, as Markdown for docs/benchmarks.md. */
export function allResults(): string {
  const files = readdirSync(RESULTS).filter((file) => file.endsWith('.json'));
  return files
    .map((file) => asMarkdown(result.parse(JSON.parse(readFileSync(join(RESULTS, file), 'utf8')))))
    .join('\n');
}

function asMarkdown({ name, at, command, machine, before, rows, targets, notes }: z.infer<typeof result>): string {
  const columns = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))];
  return [
    `### ${name}`,
    '',
    `\`${command}\`, ${at.slice(0, 16).replace('T', ' ')} UTC, ${machine}`,
    '',
    ...table(
      ['', ...columns],
      rows.map(({ what, figures }) => [what, ...columns.map((column) => shown(figures[column]))]),
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
  const written = (cells: string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [written(head), written(widths.map((width) => '-'.repeat(width))), ...lines.map(written)];
}

function shown(figure: string | number | undefined): string {
  return typeof figure === 'number' ? String(rounded(figure)) : (figure ?? '');
}

/** Three digits that matter, which is more than any of it is worth. */
function rounded(figure: number): number {
  return Math.abs(figure) >= 100 ? Math.round(figure) : Number(figure.toPrecision(3));
}
