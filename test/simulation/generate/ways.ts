import type { Step, Ways } from '../steps.ts';
import { randomOf } from '../world/random.ts';
import { HOUR, MINUTE, SECOND } from './fates.ts';

/** The ways of the gateway in some histories. They are drawn by themselves, so that the steps stay as they are. */
export function waysOf(seed: number, relays: number): Ways {
  return { ...numbersOf(seed), ...emptyListsOf(seed, relays), ...zoneOf(seed) };
}

function emptyListsOf(seed: number, relays: number): Pick<Ways, 'emptyLists'> {
  const draw = randomOf(seed, 'lists');
  if (draw() >= 1 / 8) return {};
  return { emptyLists: relays === 1 && draw() < 0.5 ? 'not_counted' : 'empty' };
}

function numbersOf(seed: number): Pick<Ways, 'numbers'> {
  const draw = randomOf(seed, 'numbers');
  if (draw() >= 1 / 8) return {};
  const form = draw() < 0.5 ? 'small letters' : 'trailing blank';
  return { numbers: { form, isInAnswers: draw() < 0.5 } };
}

function zoneOf(seed: number): Pick<Ways, 'zone'> {
  const draw = randomOf(seed, 'zone');
  if (draw() >= 1 / 6) return {};
  const change = draw() < 0.5 ? 'spring' : 'autumn';
  const isLate = change === 'spring' && draw() < 0.7;
  return { zone: { change, minutesBefore: draw.between(0, 75), ...(isLate ? { isLate } : {}) } };
}

/** In some histories the gateway answers every query that names one certain order with an error, for some time. */
export function withServerErrors(seed: number, steps: readonly Step[]): Step[] {
  const draw = randomOf(seed, 'server errors');
  const count = draw() < 1 / 8 ? draw.between(1, 3) : 0;
  return Array.from({ length: count }).reduce<Step[]>(
    (all) => {
      const ms = draw.between(10 * SECOND, draw() < 0.5 ? 5 * MINUTE : 2 * HOUR);
      const spoil: Step = { after: SECOND, do: 'spoil records', order: draw.between(0, 2), how: 'http_500', ms };
      return all.toSpliced(draw.between(1, all.length), 0, spoil);
    },
    [...steps],
  );
}
