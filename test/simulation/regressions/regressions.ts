import { type History, type Step, usualEffect, usualFate } from '../steps.ts';
import { clocks } from './clocks.ts';
import type { Found } from './found.ts';
import { payments } from './payments.ts';
import { queries } from './queries.ts';
import { refunds } from './refunds.ts';

function whole(step: Found['steps'][number]): Step {
  switch (step.do) {
    case 'buy':
    case 'press pay':
    case 'pay from server':
      return { ...step, fate: { ...usualFate, ...step.fate } };
    case 'refund':
    case 'capture':
    case 'cancel':
    case 'review':
    case 'pay out':
      return { ...step, fate: { ...usualEffect, ...step.fate } };
    default:
      return step;
  }
}

/** Regression tests: each of these must go well, without the queries that find a charge after days. */
export const kept: readonly (History & Pick<Found, 'found'>)[] = [...payments, ...queries, ...refunds, ...clocks].map(
  ({ found, seed, relays, ways = {}, steps }) => ({
    ...{ found, seed, relays, ways: { paidDays: 'none', ...ways }, steps: steps.map(whole) },
  }),
);
