import type { Step } from '../../steps.ts';
import { randomOf } from '../../world/random.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../message-plans.ts';

/** The maximum errors of a clock: less than the tolerance of dates, or more. */
const WRONG_MS = [5 * MINUTE, 14 * MINUTE, HOUR];

/**
 * Sets the clock of one relay ahead or back, also while the relay is down. Some steps later, or at the end, the clock is right again.
 */
export function withClockSteps(seed: number, relays: number, steps: readonly Step[]): Step[] {
  const draw = randomOf(seed, 'clocks');
  const count = draw() < 1 / 6 ? draw.between(1, 2) : 0;
  const relay = draw.between(0, relays - 1);
  return Array.from({ length: count }).reduce<Step[]>(
    (all) => {
      const most = WRONG_MS[draw.between(0, WRONG_MS.length - 1)] ?? HOUR;
      const ms = draw.between(2 * SECOND, most) * (draw() < 0.6 ? 1 : -1);
      const down: Step = { after: SECOND, do: 'kill relay', relay, calls: 0, effect: false, downMs: 30 * SECOND };
      const set: Step = { after: 20 * SECOND, do: 'step clock', relay, ms };
      const right: Step = { ...set, after: draw.between(0, draw() < 0.5 ? MINUTE : HOUR), ms: -ms };
      const from = draw.between(1, all.length);
      const to = draw.between(from, Math.min(all.length, from + 12));
      const isDown = (): Step[] => (draw() < 0.3 ? [down] : []);
      return all.toSpliced(to, 0, ...isDown(), right).toSpliced(from, 0, ...isDown(), set);
    },
    [...steps],
  );
}

/** Errors of a clock in days: keys are kept for seven days, and orders are queried for thirty. */
const AHEAD_DAYS = [8, 31];

/**
 * Sets the clock of one relay ahead by days, or back by one. Some steps later the clock is right again, and before any relay starts:
 * a relay cannot detect at its start that a clock is wrong.
 */
export function withClockStepsOfDays(seed: number, relays: number, steps: readonly Step[]): Step[] {
  const draw = randomOf(seed, 'clocks by days');
  if (draw() >= 1 / 6) return [...steps];
  const relay = draw.between(0, relays - 1);
  const ahead = AHEAD_DAYS[draw.between(0, AHEAD_DAYS.length - 1)] ?? 1;
  const ms = DAY * (draw() < 0.7 ? ahead : -1);
  const from = draw.between(1, steps.length);
  const starts = steps.findIndex((step, n) => n >= from && (startsRelays(step) || step.after > HOUR));
  const to = Math.min(starts < 0 ? steps.length : starts, from + draw.between(0, 8));
  const set: Step = { after: 20 * SECOND, do: 'step clock', relay, ms };
  const right: Step = { ...set, after: draw.between(0, draw() < 0.5 ? MINUTE : 2 * HOUR), ms: -ms };
  return steps.toSpliced(to, 0, right).toSpliced(from, 0, set);
}

function startsRelays(step: Step): boolean {
  return step.do === 'kill relay' || step.do === 'change config' || step.do === 'step clock';
}
