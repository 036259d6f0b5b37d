import type { Step } from '../../steps.ts';
import type { Random } from '../../world/random.ts';

/** Inserts two to four sequences at random places. */
export function withScattered(draw: Random, steps: readonly Step[], sequence: (draw: Random) => Step[]): Step[] {
  const sequences = Array.from({ length: draw.between(2, 4) }, () => ({
    at: draw.between(1, steps.length),
    steps: sequence(draw),
  }));
  return sequences
    .toSorted((one, other) => other.at - one.at)
    .reduce((whole, { at, steps: added }) => whole.toSpliced(at, 0, ...added), [...steps]);
}
