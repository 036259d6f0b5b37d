import type { GatewayVariant } from '../gateway-variant.ts';
import { randomOf } from '../world/random.ts';
import { changeOf } from './features/config-changes.ts';

/** The gateway variant of a seed. Most seeds have few variations. */
export function variantOf(seed: number): GatewayVariant {
  return {
    ...numbersOf(seed),
    ...emptyListsOf(seed),
    ...zoneOf(seed),
    ...codesOf(seed),
    ...wordingOf(seed),
    ...endpointsOf(seed),
    ...paidDaysOf(seed),
  };
}

function endpointsOf(seed: number): Pick<GatewayVariant, 'endpoints'> {
  const draw = randomOf(seed, 'endpoints');
  if (draw() >= 1 / 4) return {};
  return { endpoints: draw() < 0.6 ? 'two' : 'none' };
}

/** Some operators disable the daily queries about paid orders. */
function paidDaysOf(seed: number): Pick<GatewayVariant, 'paidDays'> {
  return randomOf(seed, 'paid days')() < 1 / 3 ? { paidDays: 'none' } : {};
}

function wordingOf(seed: number): Pick<GatewayVariant, 'wording'> {
  const draw = randomOf(seed, 'wording');
  if (draw() >= 1 / 5) return {};
  return { wording: (['json numbers', 'small currencies', 'not found'] as const)[draw.between(0, 2)] };
}

function emptyListsOf(seed: number): Pick<GatewayVariant, 'emptyLists'> {
  const draw = randomOf(seed, 'lists');
  if (draw() >= 1 / 8) return {};
  return { emptyLists: draw() < 0.5 ? 'not_counted' : 'empty' };
}

function numbersOf(seed: number): Pick<GatewayVariant, 'numbers'> {
  const draw = randomOf(seed, 'numbers');
  if (draw() >= 1 / 8) return {};
  const form = draw() < 0.5 ? 'small letters' : 'trailing blank';
  return { numbers: { form, isInAnswers: draw() < 0.5 } };
}

function zoneOf(seed: number): Pick<GatewayVariant, 'zone'> {
  const draw = randomOf(seed, 'zone');
  if (draw() >= 1 / 6) return {};
  const change = draw() < 0.5 ? 'spring' : 'autumn';
  const isLate = change === 'spring' && draw() < 0.7;
  return { zone: { change, minutesBefore: draw.between(0, 75), ...(isLate ? { isLate } : {}) } };
}

function codesOf(seed: number): Pick<GatewayVariant, 'lateCodes'> {
  return changeOf(seed) === 'codes' ? { lateCodes: true } : {};
}
