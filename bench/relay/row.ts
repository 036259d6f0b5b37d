import type { Figures } from '../harness/measure.ts';
import type { Row } from '../harness/report.ts';
import { addedP50, addedP99, compared, cpuRatio, middle } from '../harness/rounds.ts';

/** The line of one target: its own figures and, where it is not a baseline itself, those compared with its baseline. */
export function row(what: string, own: readonly Figures[], base?: readonly Figures[]): Row {
  const database = databaseUs(own);
  return {
    what,
    figures: {
      'CPU µs': middle(own, ({ cpu_us }) => cpu_us),
      ratio: base ? compared(own, base, cpuRatio) : 1,
      ...(Number.isNaN(database) ? {} : { 'PostgreSQL CPU µs': database }),
      'per s': middle(own, ({ per_second }) => per_second),
      'p50 ms': middle(own, ({ p50_ms }) => p50_ms),
      'p99 ms': middle(own, ({ p99_ms }) => p99_ms),
      ...(base ? { 'p50 added': compared(own, base, addedP50), 'p99 added': compared(own, base, addedP99) } : {}),
    },
  };
}

/** The CPU of the database's server in microseconds; NaN where it is not known. */
export function databaseUs(rounds: readonly Figures[]): number {
  return middle(rounds, ({ database_us }) => database_us ?? Number.NaN);
}
