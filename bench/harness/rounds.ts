import type { Figures, Load, Target } from './measure.ts';

/**
 * Puts the same load on each target in turns, so many rounds long, every second round the other way around: so no target
 * always comes first. Gives the figures of each target, in their order, one of each round: those at the same place were
 * measured right after each other.
 */
export async function inTurns(
  targets: readonly Target[],
  load: Load,
  rounds: number,
  say: (line: string) => void,
): Promise<Figures[][]> {
  const series = targets.map((target): { target: Target; found: Figures[] } => ({ target, found: [] }));
  for (let round = 1; round <= rounds; round++) {
    say(`round ${round} of ${rounds}`);
    for (const { target, found } of round % 2 ? series : series.toReversed()) found.push(await target.run(load));
  }
  return series.map(({ found }) => found);
}

/** The median of one figure over all rounds. */
export function middle(rounds: readonly Figures[], of: (figures: Figures) => number): number {
  return median(rounds.map(of));
}

/** The median over all rounds of what a target costs compared with what its baseline cost in the same round. */
export function compared(own: readonly Figures[], baseline: readonly Figures[], by: Comparison): number {
  return median(own.flatMap((figures, at) => (baseline[at] ? [by(figures, baseline[at])] : [])));
}

type Comparison = (own: Figures, baseline: Figures) => number;

export const cpuRatio: Comparison = (own, baseline) => own.cpu_us / baseline.cpu_us;
export const addedP50: Comparison = (own, baseline) => own.p50_ms - baseline.p50_ms;
export const addedP99: Comparison = (own, baseline) => own.p99_ms - baseline.p99_ms;

/** The middle one of some figures, or the mean of the two in the middle. NaN if there are none. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]];
  return (low + high) / 2;
}
