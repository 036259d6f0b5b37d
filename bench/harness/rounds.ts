import type { Figures, Load, Target } from './measure.ts';
import type { Say } from './report.ts';
import { median } from './statistics.ts';

/**
 * Runs the same load on each target in every round. Every second round has the reverse order, so that no target is always first.
 * @returns the figures of each target, one for each round. Figures of the same round were measured right after each other.
 */
export async function inTurns(targets: readonly Target[], load: Load, rounds: number, say: Say): Promise<Figures[][]> {
  const series = targets.map((target): { target: Target; figures: Figures[] } => ({ target, figures: [] }));
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}`);
    for (const { target, figures } of round % 2 ? series : series.toReversed()) figures.push(await target.run(load));
  }
  return series.map(({ figures }) => figures);
}

/** The median of one figure over all rounds. */
export function medianOf(rounds: readonly Figures[], figure: (figures: Figures) => number): number {
  return median(rounds.map(figure));
}

/** The median, in microseconds, of the CPU of the database server for one visit; NaN if it is not known. */
export function databaseUs(rounds: readonly Figures[]): number {
  return medianOf(rounds, ({ database_us }) => database_us ?? Number.NaN);
}

/** The median over all rounds of a target's figures compared with those of its baseline in the same round. */
export function compared(own: readonly Figures[], baseline: readonly Figures[], by: Comparison): number {
  return median(own.flatMap((figures, at) => (baseline[at] ? [by(figures, baseline[at])] : [])));
}

type Comparison = (own: Figures, baseline: Figures) => number;

export const cpuRatio: Comparison = (own, baseline) => own.cpu_us / baseline.cpu_us;
export const addedP50: Comparison = (own, baseline) => own.p50_ms - baseline.p50_ms;
export const addedP99: Comparison = (own, baseline) => own.p99_ms - baseline.p99_ms;
