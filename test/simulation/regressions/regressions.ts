import { defaultOperationPlan, defaultPaymentPlan } from '../plans.ts';
import type { History, Step } from '../steps.ts';
import { clocks } from './clocks.ts';
import type { Regression } from './found.ts';
import { payments } from './payments.ts';
import { queries } from './queries.ts';
import { refunds } from './refunds.ts';

function whole(step: Regression['steps'][number]): Step {
  switch (step.do) {
    case 'buy':
    case 'press pay':
    case 'pay from server':
      return { ...step, fate: { ...defaultPaymentPlan, ...step.fate } };
    case 'refund':
    case 'capture':
    case 'cancel':
    case 'review':
    case 'pay out':
      return { ...step, fate: { ...defaultOperationPlan, ...step.fate } };
    default:
      return step;
  }
}

/** Shortened histories that once broke an invariant. They are played without the daily queries, which would hide some faults. */
export const regressions: readonly (History & Pick<Regression, 'found'>)[] = [
  ...payments,
  ...queries,
  ...refunds,
  ...clocks,
].map(({ found, seed, relays, variant = {}, steps }) => ({
  ...{ found, seed, relays, variant: { paidDays: 'none', ...variant }, steps: steps.map(whole) },
}));
