import { defaultOperationPlan, type MoreItem, type OperationPlan, type PayoutNotice } from '../../plans.ts';
import type { Step } from '../../steps.ts';
import { type Random, randomOf } from '../../world/random.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../message-plans.ts';

/**
 * Changes operations: batches of several items, results in another order, refunds that are refused and made nevertheless, and the
 * notifications of payouts.
 */
export function withOperations(seed: number, steps: readonly Step[]): Step[] {
  const draw = randomOf(seed, 'operations');
  const drawTimes = randomOf(seed, 'times of payouts');
  const drawLater = randomOf(seed, 'payouts after their end');
  return steps.map((step) => {
    switch (step.do) {
      case 'refund':
        return { ...step, fate: { ...batch(step.fate, draw, true), ...bookedLate(step.fate, draw) } };
      case 'capture':
      case 'cancel':
        return { ...step, do: draw() < 0.3 ? 'review' : step.do, fate: batch(step.fate, draw, false) };
      case 'pay out':
        return { ...step, fate: untimed(afterEnd(notified(step.fate, draw), drawLater), drawTimes) };
      default:
        return step;
    }
  });
}

/** One history in this many has payouts that are refused, requested again under another key, and made nevertheless. */
const REFUSED_ONE_IN = 4;

/** Adds refused payouts. */
export function withRefusedPayouts(seed: number, steps: readonly Step[]): Step[] {
  const draw = randomOf(seed, 'refused payouts');
  if (draw() >= 1 / REFUSED_ONE_IN) return [...steps];
  const booked = draw.between(SECOND, 10 * MINUTE);
  const isBooked = draw() < 0.7;
  const notices: PayoutNotice[] = (['PENDING', 'COMPLETED'] as const).map((status, nth) => {
    const at = booked + (nth + 1) * MINUTE;
    return { status, at, after: at + draw.between(0, 3 * MINUTE), times: draw.between(1, 2), unsigned: false };
  });
  const fate: OperationPlan = {
    ...defaultOperationPlan,
    does: 'refused_400',
    ...(isBooked ? { booked, notices } : {}),
  };
  const sequence: Step[] = [
    { after: SECOND, do: 'pay out', repeat: false, fate },
    { after: draw.between(5 * SECOND, 15 * MINUTE), do: 'pay out', repeat: true, anew: true, fate },
  ];
  return steps.toSpliced(draw.between(1, steps.length), 0, ...sequence);
}

const outcomes: readonly MoreItem['does'][] = ['done', 'failed', 'failed', 'unlisted', 'unlisted_failed'];

function batch(fate: OperationPlan, draw: Random, mayBeSame: boolean): OperationPlan {
  if (draw() < 0.35) return fate;
  const more = Array.from({ length: draw.between(1, 2) }, () => ({
    same: mayBeSame && draw() < 0.5,
    does: outcomes[draw.between(0, outcomes.length - 1)] ?? 'done',
  }));
  return { ...fate, more, ...(draw() < 0.7 ? { turned: true } : {}) };
}

/** The maximum delays of refused refunds: seconds, before the refund counts as not made, after that, and much later. */
const LATE_MS = [5 * SECOND, 10 * MINUTE, HOUR, 5 * DAY];

function bookedLate({ does }: OperationPlan, draw: Random): Pick<OperationPlan, 'booked'> {
  if (does !== 'refused_400' || draw() < 0.3) return {};
  return { booked: draw.between(100, LATE_MS[draw.between(0, LATE_MS.length - 1)] ?? SECOND) };
}

const sequences: readonly PayoutNotice['status'][][] = [
  ['PENDING', 'COMPLETED'],
  ['PENDING', 'FAILED'],
  ['PENDING', 'COMPLETED', 'FAILED'],
];

/** A payout that is pending at first. Notifications end it; they can be repeated and out of order. */
function notified(fate: OperationPlan, draw: Random): OperationPlan {
  if (draw() < 0.3) return fate;
  const sequence = sequences[draw.between(0, sequences.length - 1)] ?? [];
  const notices = sequence.map((status, nth) => ({
    ...{ status, at: (nth + 1) * MINUTE, after: (nth + 1) * MINUTE + draw.between(0, 3 * MINUTE) },
    ...{ times: draw.between(1, 3), unsigned: false },
  }));
  const forged = { status: 'FAILED', at: HOUR, after: HOUR, times: 1, unsigned: true } as const;
  return { ...fate, does: 'unlisted', notices: draw() < 0.3 ? [...notices, forged] : notices };
}

/** Gives some payouts a status after their end that is no end. */
function afterEnd(fate: OperationPlan, draw: Random): OperationPlan {
  const { notices } = fate;
  if (!notices || draw() >= 0.4) return fate;
  const at = draw.between(4 * MINUTE, 40 * MINUTE);
  const later: PayoutNotice = {
    ...{ status: draw() < 0.5 ? 'PENDING' : 'SETTLED', at, times: draw.between(1, 2), unsigned: false },
    // It may come before the notification of the end.
    after: draw() < 0.3 ? draw.between(0, 3 * MINUTE) : at + draw.between(0, 3 * MINUTE),
  };
  return { ...fate, notices: [...notices, later] };
}

/** Removes the time from the notifications of some payouts. */
function untimed(fate: OperationPlan, draw: Random): OperationPlan {
  if (!fate.notices || draw() >= 0.3) return fate;
  return { ...fate, notices: fate.notices.map((one) => ({ ...one, untimed: true })) };
}
