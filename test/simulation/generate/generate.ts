import fc from 'fast-check';
import type { History, Step } from '../steps.ts';
import { actionOf, features, pauseOf, waitOf } from './actions.ts';
import { withClockSteps, withClockStepsOfDays } from './features/clock-steps.ts';
import { withConfigChanges, withPauses } from './features/config-changes.ts';
import { withCraftedSequences } from './features/crafted-sequences.ts';
import { withLateBookings } from './features/late-bookings.ts';
import { withLatePendingBookings } from './features/late-pending-bookings.ts';
import { withLedgers, withUndecidedRefunds } from './features/ledgers.ts';
import { withOperationDecisions } from './features/operation-decisions.ts';
import { withOperations, withRefusedPayouts } from './features/operations.ts';
import { withOrderActions } from './features/order-actions.ts';
import { withPaymentLifecycles } from './features/payment-lifecycles.ts';
import { withReceiversGone } from './features/receivers-gone.ts';
import { withLateRefunds } from './features/refunds.ts';
import { withRepeatedDecisions } from './features/repeated-decisions.ts';
import { withForeignRecords, withServerErrors } from './features/spoiled-queries.ts';
import { variantOf } from './gateway-variants.ts';
import { rareSituations } from './rare-situations.ts';

const first: Step = { after: 0, do: 'create session', order: 0, amount: 0, seconds: 86_400 };

/**
 * The history of a seed. The same seed and number of steps give the same history. Each feature has its own random stream: adding one
 * does not change what the others add.
 */
export function historyOf(seed: number, steps: number): History {
  const relays = fc.oneof(fc.constant(1), fc.constantFrom(2, 3));
  const histories = fc.tuple(features, relays).chain(([chosen, count]) => {
    const step: fc.Arbitrary<Step> = fc
      .tuple(actionOf(chosen), waitOf(chosen))
      .map(([action, after]) => ({ ...action, after }));
    const pause: fc.Arbitrary<Step> = fc.record({ do: fc.constant('wait'), after: pauseOf(chosen) });
    const one = chosen.longWaits ? fc.oneof({ weight: 25, arbitrary: step }, { weight: 1, arbitrary: pause }) : step;
    const any = fc.oneof({ weight: 40, arbitrary: one.map((only) => [only]) }, ...rareSituations(chosen));
    const length = { minLength: steps - 1, maxLength: steps - 1 };
    return fc
      .array(any, { ...length, size: 'max' })
      .map((list) => ({ relays: count, steps: [first, ...list.flat().slice(0, steps - 1)] }));
  });
  const [made] = fc.sample(histories, { seed, numRuns: 1 });
  if (!made) throw new Error('fast-check made no history');
  const booked = withLateBookings(seed, withCraftedSequences(seed, made.steps));
  const all = withLateRefunds(seed, withOperations(seed, withServerErrors(seed, booked)));
  const settled = withOperationDecisions(seed, made.relays, withReceiversGone(seed, withForeignRecords(seed, all)));
  const timed = withConfigChanges(seed, withClockSteps(seed, made.relays, settled));
  const byDays = withClockStepsOfDays(seed, made.relays, timed);
  const repeated = withRepeatedDecisions(seed, made.relays, withLatePendingBookings(seed, byDays));
  const operated = withOrderActions(seed, withLedgers(seed, withRefusedPayouts(seed, repeated)));
  const whole = withPaymentLifecycles(seed, withUndecidedRefunds(seed, withPauses(seed, operated)));
  return { seed, relays: made.relays, variant: variantOf(seed), steps: numbered(whole) };
}

/** The steps with the orders' own numbers: each new order has the next one, others are counted back from the latest. */
function numbered(steps: readonly Step[]): Step[] {
  let orders = 0;
  return steps.map((step) => {
    if (!('order' in step)) return step;
    const makesOrders = step.do === 'create session' || step.do === 'buy' || step.do === 'pay from server';
    if (makesOrders && step.order === 0) return { ...step, order: orders++ };
    const back = makesOrders ? step.order : step.order + 1;
    return { ...step, order: Math.max(0, orders - back) };
  });
}
