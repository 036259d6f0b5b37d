import { defaultOperationPlan, defaultPaymentPlan, type OperationPlan, type PaymentPlan } from '../../plans.ts';
import type { Step } from '../../steps.ts';
import { type Random, randomOf } from '../../world/random.ts';
import { MINUTE, SECOND } from '../message-plans.ts';
import { withScattered } from './scattered.ts';

/** One history in this many has payments with several operations. */
const ONE_IN = 3;

const approved: PaymentPlan = { ...defaultPaymentPlan, says: 'approved', book: [{ after: 0, status: 'approved' }] };
const buy = { do: 'buy', order: 0, amount: 0, presses: 1, gap: 0, method: 'card', fate: approved } as const;

const operations = ['capture', 'capture', 'cancel', 'review', 'refund'] as const;

/** The plan of an operation. About half of them go wrong in some way. */
function planOf(draw: Random): OperationPlan {
  const chance = draw();
  if (chance < 0.55) return defaultOperationPlan;
  if (chance < 0.7) return { ...defaultOperationPlan, answer: 'lost' };
  if (chance < 0.8) return { ...defaultOperationPlan, does: 'failed' };
  if (chance < 0.88) return { ...defaultOperationPlan, does: 'unlisted' };
  if (chance < 0.94) return { ...defaultOperationPlan, does: 'refused_400', booked: draw.between(SECOND, 10 * MINUTE) };
  return { ...defaultOperationPlan, slow: draw.between(SECOND, 8 * SECOND) };
}

function sequence(draw: Random): Step[] {
  const steps = Array.from({ length: draw.between(3, 6) }, (_, nth): Step => {
    const what = operations[draw.between(0, operations.length - 1)] ?? 'capture';
    // Some are requested at the same time, from several relays.
    const after = nth > 0 && draw() < 0.4 ? draw.between(0, 50) : draw.between(10 * SECOND, MINUTE);
    const asked = { after, order: 0, repeat: false, fate: planOf(draw) };
    return what === 'refund' ? { ...asked, do: what, part: draw() < 0.5 } : { ...asked, do: what };
  });
  return [{ ...buy, after: SECOND }, ...steps];
}

/** Adds payments with several operations. */
export function withLedgers(seed: number, steps: readonly Step[]): Step[] {
  const draw = randomOf(seed, 'ledgers');
  if (draw() >= 1 / ONE_IN) return [...steps];
  return withScattered(draw, steps, sequence);
}

/** One history in this many has a cancellation or a review while a refund is undecided. */
const UNDECIDED_ONE_IN = 8;

function undecidedRefund(draw: Random): Step[] {
  const lost: OperationPlan = { ...defaultOperationPlan, answer: 'lost', hidden: draw.between(0, MINUTE) };
  const then = draw() < 0.5 ? ('cancel' as const) : ('review' as const);
  return [
    { ...buy, after: SECOND },
    { after: draw.between(SECOND, MINUTE), do: 'refund', order: 0, part: true, repeat: false, fate: lost },
    { after: draw.between(0, 10 * SECOND), do: then, order: 0, repeat: false, fate: defaultOperationPlan },
  ];
}

/** Adds a cancellation or a review while the outcome of a refund is unknown. */
export function withUndecidedRefunds(seed: number, steps: readonly Step[]): Step[] {
  const draw = randomOf(seed, 'undecided refunds');
  return draw() < 1 / UNDECIDED_ONE_IN ? withScattered(draw, steps, undecidedRefund) : [...steps];
}
