import { defaultOperationPlan, defaultPaymentPlan, type OperationPlan, type PaymentPlan } from '../../plans.ts';
import type { Step } from '../../steps.ts';
import { type Random, randomOf } from '../../world/random.ts';
import { HOUR, MINUTE, SECOND } from '../message-plans.ts';
import { withScattered } from './scattered.ts';

/** One history in this many has refunds that are made late. */
const ONE_IN = 8;

const approved: PaymentPlan = { ...defaultPaymentPlan, says: 'approved', book: [{ after: 0, status: 'approved' }] };
const buy = { do: 'buy', order: 0, amount: 0, presses: 1, gap: 0, method: 'card', fate: approved } as const;
const refund = { do: 'refund', order: 0, repeat: false } as const;

/** Plans of refunds that are made although the shop received the opposite. */
const plans: readonly ((draw: Random) => Partial<OperationPlan>)[] = [
  // Refused, and made soon.
  (draw) => ({ does: 'refused_400', booked: draw.between(10 * SECOND, 30 * SECOND) }),
  // Refused, and made after it counts as not made: normally, with a late result, or beyond what is left of its payment.
  (draw) => ({ does: 'refused_400', booked: draw.between(HOUR, 3 * HOUR) }),
  (draw) => ({ does: 'refused_400', booked: draw.between(HOUR, 3 * HOUR), bookedAs: 'unlisted', hidden: 12 * HOUR }),
  (draw) => ({ does: 'refused_400', booked: draw.between(8 * HOUR, 20 * HOUR), bookedAs: 'beyond' }),
  // Lost, and shown after it counts as not made, some with a result that is later still.
  (draw) => ({ answer: 'lost', hidden: draw.between(HOUR, 3 * HOUR) }),
  (draw) => ({ answer: 'lost', does: 'unlisted', hidden: draw.between(4 * HOUR, 8 * HOUR) }),
];

/** When the shop repeats the request: mostly as soon as a search shows the refund, before the relay's next search. */
function again(draw: Random, { does = 'done', booked = 0, bookedAs, hidden = 0 }: Partial<OperationPlan>): number {
  const isToldLate = does === 'unlisted' || bookedAs === 'unlisted';
  const shown = booked + (isToldLate ? hidden / 2 : hidden);
  if (draw() < 0.2) return Math.round(shown / 2);
  return shown + draw.between(500, shown < MINUTE ? 5 * SECOND : 10 * MINUTE);
}

function sequence(draw: Random): Step[] {
  const fate = plans[draw.between(0, plans.length - 1)]?.(draw) ?? {};
  const part = draw() < 0.5;
  const failing: Step = {
    ...{ after: again(draw, fate), do: 'break gateway', what: 'queries', ms: 30 * SECOND },
    how: draw() < 0.5 ? 'http_500' : 'no_success',
  };
  const quiet: Step = { do: 'wait', after: failing.after };
  return [
    { ...buy, after: SECOND },
    { ...refund, after: 10 * SECOND, part, fate: { ...defaultOperationPlan, ...fate } },
    draw() < 0.3 ? failing : quiet,
    { ...refund, after: SECOND, part, anew: true, fate: defaultOperationPlan },
  ];
}

/** Adds refunds that the gateway makes late, and shops that request them again. */
export function withLateRefunds(seed: number, steps: readonly Step[]): Step[] {
  if (seed % ONE_IN !== 2) return [...steps];
  const draw = randomOf(seed, 'late refunds');
  return withScattered(draw, steps, sequence);
}
