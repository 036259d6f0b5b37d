import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

const row = z.object({ what: z.string(), figures: z.record(z.string(), z.union([z.string(), z.number()])) });
const target = z.object({ name: z.string(), target: z.string(), measured: z.string(), met: z.boolean() });
const report = z.object({ rows: z.array(row), targets: z.array(target), notes: z.array(z.string()) });

/** One line of figures. */
export type Row = z.infer<typeof row>;

/** What was aimed at, beside what was measured. It is told, never asserted: a busy machine is no bug. */
export type Target = z.infer<typeof target>;

/** What a benchmark found. Its ratios are against the baseline that it names, measured in the same run. */
export type Report = z.infer<typeof report>;

const result = report.extend({ name: z.string(), at: z.string(), command: z.string(), machine: z.string() });

/** A benchmark; `say` tells what it does meanwhile. */
export type Benchmark = (say: (line: string) => void) => Promise<Report>;

const RESULTS = join(import.meta.dirname, 'results');

/** A number that should be `most` at the most. */
export function atMost(name: string, measured: number, most: number, unit = ''): Target {
  return { name, target: `≤ ${most}${unit}`, measured: `${rounded(measured)}${unit}`, met: measured <= most };
}

/** Writes a report with what was measured on to `bench/results/<name>.json`, and gives it as text. */
export function writeReport(name: string, found: Report): string {
  const machine = [
    `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`,
    `${Math.round(totalmem() / 2 ** 30)} GB`,
    `Node ${process.versions.node}`,
    `SQLite ${process.versions.sqlite}`,
    `load ${rounded(loadavg()[0] ?? 0)}`,
  ].join(', ');
  const at = new Date().toISOString();
  const written = { name, at, command: `npm run bench -- ${name}`, machine, ...found };
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, `${name}.json`), `${JSON.stringify(written, undefined, 2)}\n`);
  return asMarkdown(written);
}

/** Every result that was written, as Markdown for docs/benchmarks.md. */
export function allResults(): string {
  const files = readdirSync(RESULTS).filter((file) => file.endsWith('.json'));
  return files
    .map((file) => asMarkdown(result.parse(JSON.parse(readFileSync(join(RESULTS, file), 'utf8')))))
    .join('\n');
}

function asMarkdown({ name, at, command, machine, rows, targets, notes }: z.infer<typeof result>): string {
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
          ['target', 'aim', 'measured', ''],
          targets.map(({ name, target, measured, met }) => [name, target, measured, met ? 'met' : '**missed**']),
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
export function rounded(figure: number): number {
  return Math.abs(figure) >= 100 ? Math.round(figure) : Number(figure.toPrecision(3));
}
