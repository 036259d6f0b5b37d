import type { ConfigChange, Step } from '../../steps.ts';
import { type Random, randomOf } from '../../world/random.ts';
import { MINUTE, SECOND } from '../message-plans.ts';

/** What the operator changes in the history of a seed. */
export function changeOf(seed: number): 'codes' | 'secret' | 'account' | undefined {
  const draw = randomOf(seed, 'changes');
  return draw() < 1 / 6 ? (['codes', 'secret', 'account'] as const)[draw.between(0, 2)] : undefined;
}

const change = (draw: Random, what: ConfigChange): Step => ({
  ...{ do: 'change config', what },
  ...{ after: draw.between(SECOND, MINUTE), downMs: draw.between(SECOND, 20 * SECOND) },
});

/** Adds changes of the configuration while payments are in flight. */
export function withConfigChanges(seed: number, steps: readonly Step[]): Step[] {
  const changes = changeOf(seed);
  const draw = randomOf(seed, 'times of changes');
  const at = draw.between(1, steps.length);
  switch (changes) {
    case undefined:
      return [...steps];
    case 'account': {
      const to = draw.between(at, Math.min(steps.length, at + 12));
      return steps.toSpliced(to, 0, change(draw, 'account comes')).toSpliced(at, 0, change(draw, 'account goes'));
    }
    default:
      return steps.toSpliced(at, 0, change(draw, changes));
  }
}

/** One history in this many has a pause. */
const PAUSED_ONE_IN = 6;

/** Adds a pause of all changes at the gateway for some steps. */
export function withPauses(seed: number, steps: readonly Step[]): Step[] {
  const draw = randomOf(seed, 'pauses');
  if (draw() >= 1 / PAUSED_ONE_IN) return [...steps];
  const at = draw.between(1, steps.length);
  const to = Math.min(steps.length, at + draw.between(5, 20));
  return steps.toSpliced(to, 0, change(draw, 'resume')).toSpliced(at, 0, change(draw, 'pause'));
}
