import { defaultPaymentPlan, type PaymentPlan } from '../../plans.ts';
import type { Step } from '../../steps.ts';
import { randomOf } from '../../world/random.ts';
import { HOUR, MINUTE, SECOND } from '../message-plans.ts';

/** Adds times in which the gateway answers each query that names a certain order with an error. */
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

/**
 * Adds times in which queries about a paid order also return records of other orders.
 */
export function withForeignRecords(seed: number, steps: readonly Step[]): Step[] {
  const draw = randomOf(seed, 'foreign records');
  if (draw() >= 1 / 10) return [...steps];
  const isOurs = draw() < 0.5;
  const fate: PaymentPlan = {
    ...{ ...defaultPaymentPlan, says: isOurs ? 'approved' : 'declined', answer: isOurs ? 'lost' : 'whole' },
    book: isOurs
      ? [{ after: 0, status: 'approved' }]
      : [
          { after: 0, status: 'declined' },
          { after: 20 * SECOND, status: 'approved' },
        ],
    ...(isOurs ? { hidden: draw.between(0, MINUTE) } : { notices: [{ after: 200, times: 1 }] }),
  };
  const sequence: Step[] = [
    { after: SECOND, do: 'buy', order: 0, amount: 0, method: 'card', presses: 1, gap: 0, fate },
    { after: 100, do: 'spoil records', order: 0, how: 'foreign', ms: draw.between(5 * MINUTE, 3 * HOUR) },
  ];
  return steps.toSpliced(draw.between(1, steps.length), 0, ...sequence);
}
