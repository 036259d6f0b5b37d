import type { PaymentPlan, Standing } from '../../plans.ts';
import type { Step } from '../../steps.ts';
import { type Random, randomOf } from '../../world/random.ts';
import { DAY, HOUR, SECOND } from '../message-plans.ts';

/** One history in this many has payments that are held or reversed after their approval. */
const ONE_IN = 2;

/** The states of a payment after its approval: held, and perhaps accepted; or reversed, and perhaps restored. */
function lifecycleOf(draw: Random): Standing[] {
  const chance = draw();
  if (chance < 0.2) return [{ after: 0, is: 'held' }];
  if (chance < 0.45) {
    return [
      { after: 0, is: 'held' },
      { after: draw.between(10 * SECOND, 2 * HOUR), is: 'approved' },
    ];
  }
  const reversed: Standing = { after: draw.between(HOUR, 20 * DAY), is: 'reversed' };
  return chance < 0.75 ? [reversed] : [reversed, { after: draw.between(HOUR, 5 * DAY), is: 'approved' }];
}

/** Whether the answer approves the payment and arrives, and the payment is booked at once. */
const isPlain = ({ says, answer, way, book, tries, contract }: PaymentPlan): boolean =>
  says === 'approved' &&
  answer === 'whole' &&
  way === 'arrives' &&
  tries.length === 0 &&
  contract === undefined &&
  book.length === 1 &&
  book.every(({ after, status }) => after === 0 && status === 'approved');

/** Lets the gateway hold or reverse approved payments. */
export function withPaymentLifecycles(seed: number, steps: readonly Step[]): Step[] {
  const draw = randomOf(seed, 'lives');
  if (draw() >= 1 / ONE_IN) return [...steps];
  return steps.map((step): Step => {
    if (step.do !== 'buy' && step.do !== 'press pay' && step.do !== 'pay from server') return step;
    if (!isPlain(step.fate) || draw() < 0.3) return step;
    return { ...step, fate: { ...step.fate, life: lifecycleOf(draw) } };
  });
}
