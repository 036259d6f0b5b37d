import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** A line of `bench/history.jsonl`. */
const line = z.object({
  bench: z.string(),
  commit: z.string(),
  /** Whether the working tree differed from the commit. */
  dirty: z.boolean(),
  at: z.string(),
  machine: z.string(),
  node: z.string(),
  /** The machine's load when the run began. */
  load: z.number(),
  figures: z.record(z.string(), z.number()),
});

/** One run of a benchmark. */
export type Run = z.infer<typeof line>;

const FILE = join(import.meta.dirname, '../history.jsonl');

/** How much worse a figure is that counts as a regression. */
const TOLERANCE = 1.1;

/** All recorded runs, oldest first. */
export function readHistory(): Run[] {
  if (!existsSync(FILE)) return [];
  const lines = readFileSync(FILE, 'utf8').split('\n');
  return lines.filter((text) => text !== '').map((text) => line.parse(JSON.parse(text)));
}

/** Appends a run to the history. */
export function record(run: Run): void {
  appendFileSync(FILE, `${JSON.stringify(run)}\n`);
}

/**
 * The earlier run to compare a new one with: the last of the same benchmark, on the same machine, of another commit. A run with
 * uncommitted changes may be compared with a run of the same commit; no run is compared with it.
 */
export function runBefore(history: readonly Run[], run: Omit<Run, 'figures' | 'at' | 'load'>): Run | undefined {
  return history.findLast(
    (earlier) =>
      earlier.bench === run.bench &&
      earlier.machine === run.machine &&
      !earlier.dirty &&
      (run.dirty || earlier.commit !== run.commit),
  );
}

/** The ratio of a figure to that of the earlier run, and whether it is a regression. Undefined if there is no earlier figure. */
export function change(
  value: number,
  before: number | undefined,
  better: 'lower' | 'higher',
): { ratio: number; regressed: boolean } | undefined {
  // A difference from a baseline can be zero or negative by chance: no ratio to it is useful.
  if (before === undefined || before <= 0) return undefined;
  const ratio = value / before;
  return { ratio, regressed: better === 'lower' ? ratio > TOLERANCE : ratio < 1 / TOLERANCE };
}

/** The current commit, and whether the files that a benchmark uses differ from it. */
export function currentCommit(): { commit: string; dirty: boolean } {
  const measured = [
    'relay',
    'shared',
    'widget',
    'client',
    'cli',
    'bench',
    'package-lock.json',
    ':!bench/history.jsonl',
  ];
  try {
    const commit = git('rev-parse', '--short=12', 'HEAD');
    return { commit, dirty: git('status', '--porcelain', '--', ...measured) !== '' };
  } catch {
    return { commit: 'unknown', dirty: true };
  }
}

function git(...args: string[]): string {
  const options = { cwd: join(import.meta.dirname, '../..'), encoding: 'utf8', stdio: 'pipe' } as const;
  return execFileSync('git', args, options).trim();
}
